"""Grad-CAM of "espresso" lies on the cup: EfficientNet-Lite0, the sample "coffee", a box drawn by hand."""

import pytest

import models
from viz.findings.gradcam import enlarged
from viz.hooks.activations import LayerActivations
from viz.passes.attribution import capture_gradients
from viz.passes.class_layer import class_layer
from viz.passes.forward import survey_with_layouts
from viz.pictures.photo import photograph
from viz.pictures.samples import sample
from viz.pictures.subject import Subject
from viz.receptive.places.known import known_arrangements

ESPRESSO = 967
TOP, LEFT, BOTTOM, RIGHT = 0, 31, 182, 182  # the cup with its handle in the 224 pixels that the model saw
AREA = 0.548  # the box's share of these pixels
SHARES = {"stage5": 0.329, "stage6": 0.578, "stage7": 0.677, "head.bn": 0.917, "head.relu": 0.780}


def test_most_of_the_map_lies_on_the_cup_in_the_layer_that_is_shown_at_first() -> None:
    """The share of the map's sum inside the box, by layer: only the last ones know where the cup is."""
    card, module = models.describe("efficientnet_lite0"), models.load("efficientnet_lite0")
    subject = Subject(module, card.preprocessing, card.preprocessing.as_seen, card.classes)
    layers, picture = LayerActivations(module, "cpu"), photograph(sample("coffee"))
    arguments = subject.arguments(picture.image)
    known = known_arrangements(layers, arguments)
    found = capture_gradients(layers, subject, arguments, SHARES, ESPRESSO, known=known)
    for layer, expected in SHARES.items():
        leaf = found[layer].cams[0]
        assert leaf.lattice is not None
        cam = enlarged(leaf.array, card.input_size, leaf.lattice)
        share = cam[TOP:BOTTOM, LEFT:RIGHT].sum() / cam.sum()
        assert share == pytest.approx(expected, abs=0.002), layer
    assert pytest.approx(AREA, abs=0.001) == (BOTTOM - TOP) * (RIGHT - LEFT) / 224**2
    arguments = subject.arguments(picture.image)
    rows, known = survey_with_layouts(layers, arguments)
    assert class_layer(layers, arguments, rows, known, ESPRESSO, 1 << 30).layer == "head.relu"
