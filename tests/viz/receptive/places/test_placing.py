"""Distance of a drawn cell from its place: by hand on tiny nets, then on models that were drawn wrongly."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn
from torchvision import models as zoo

from tests.viz.receptive.hazards import HAZARDS, Stage, coordinates, tokens, unrolled
from viz import LayerActivations
from viz.maps.layout import arrange
from viz.receptive import receptive_fields
from viz.receptive.places.known import known_arrangements, place_boxes
from viz.receptive.places.placing import distance, placing
from viz.receptive.places.placings import placings


def test_the_distance_is_that_of_an_order_known_by_hand() -> None:
    """Tokens in an order of our own, drawn row by row: the mean way from each cell to where it belongs."""
    layers = LayerActivations(nn.Sequential(Stage(unrolled)), "cpu")
    boxes = place_boxes(layers, coordinates())["0", 0]["output"]
    at = unrolled(coordinates())[0, :, :2].reshape(8, 8, 2)
    cells = tokens(coordinates())[0, :, :2].reshape(8, 8, 2)
    by_hand = float((at - cells).norm(dim=-1).mean())
    indices = np.arange(64 * 5).reshape(1, 64, 5)
    found = distance(arrange(indices, kind="tokens", image_size=(8, 8)), boxes, (8, 8))
    assert found == pytest.approx(by_hand)
    assert found is not None
    assert found > 2


def test_receptive_fields_do_as_places_where_they_are_narrow() -> None:
    """Two lineages of one graph agree before anything mixes."""
    net = nn.Sequential(nn.Conv2d(5, 6, 3, padding=1), Stage(unrolled))
    layers = LayerActivations(net, "cpu")
    fields = receptive_fields(layers, coordinates(), "1").boxes
    places = place_boxes(layers, coordinates())["1", 0]["output"]
    layout = arrange(np.arange(64 * 6).reshape(1, 64, 6), kind="tokens", image_size=(8, 8))
    found = distance(layout, fields, (8, 8)), distance(layout, places, (8, 8))
    assert found[1] is not None
    assert found[0] == pytest.approx(found[1], abs=0.3)  # boxes end at the picture's border


@pytest.mark.parametrize("name", HAZARDS)
def test_tiny_nets_are_drawn_in_place_and_were_guessed_wrong(name: str) -> None:
    """Known layouts have no distance at all; a guess is told from a layout that is known."""
    layer, channels, _ = HAZARDS[name]
    layers, images = LayerActivations(nn.Sequential(layer), "cpu"), coordinates(channels=channels)
    found = placings(layers, images)["0", 0]
    assert (found.status, found.pixels) == ("known", 0)
    boxes = place_boxes(layers, images)["0", 0]["output"]
    guessed = placing(boxes, (8, 8), type(layer).__name__)
    assert guessed is not None
    assert guessed.status != "known"


def test_a_wrong_guess_is_called_wrong_and_a_pooled_value_has_no_place() -> None:
    """Channels last with fewer channels than sides, drawn as maps of another size; a vector of means."""
    net = nn.Sequential(Stage(lambda x: x.permute(0, 2, 3, 1)), nn.LayerNorm(5))
    boxes = place_boxes(LayerActivations(net, "cpu"), coordinates())["0", 0]["output"]
    found = placing(boxes, (8, 8), "Stage")
    assert found is not None
    assert (found.status, found.kind) == ("wrong", "maps")
    pooled = placings(
        LayerActivations(nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten()), "cpu"), coordinates()
    )
    assert {one.status for one in pooled.values()} == {"no place"}


MODELS = {
    "hiera_tiny_224": 0.02,
    "mambaout_femto": 0.1,
    "poolformer_s12": 0.1,
    "repvit_m0_9": 0.1,
    "visformer_tiny": 0.01,
    "swin_tiny_patch4_window7_224": 0.1,
    "vit_tiny_patch16_224": 0.01,
}
"""timm's models, and how far from its place a cell may be on average, as a share of the picture's side."""


@pytest.mark.slow
@pytest.mark.models
@pytest.mark.parametrize("name", MODELS)
def test_every_layer_of_a_model_is_drawn_where_it_looks(name: str) -> None:
    """Strided windows shift places by up to half a cell, which is a tenth of the picture for 7 by 7 cells."""
    timm = pytest.importorskip("timm")
    layers = LayerActivations(timm.create_model(name).eval(), "cpu")
    found = placings(layers, torch.zeros(1, 3, 224, 224))
    assert {one.status for one in found.values()} <= {"known", "no place"}
    assert len(found) > 100
    assert max(one.pixels or 0 for one in found.values()) < MODELS[name] * 224


@pytest.mark.slow
def test_the_order_of_hiera_is_the_one_that_its_own_code_undoes() -> None:
    """The model has a function of its own that turns tokens back into maps."""
    timm = pytest.importorskip("timm")
    net, images = timm.create_model("hiera_tiny_224").eval(), torch.rand(1, 3, 224, 224)
    layers = LayerActivations(net, "cpu")
    known = known_arrangements(layers, images)
    for block in (0, 2, 7, 11):
        with layers.capture(f"blocks.{block}") as record:
            layers.run(images)
        value = record[f"blocks.{block}"].output
        arrangement = known[f"blocks.{block}", 0]["output"]
        maps = arrange(value.numpy(), image_size=(224, 224), arrangement=arrangement).maps
        assert np.array_equal(maps, net.reroll(value, block)[0].permute(2, 0, 1).numpy())


@pytest.mark.slow
@pytest.mark.models
@pytest.mark.parametrize("name", ["swin3d_t", "swin_t"])
def test_every_layer_of_torchvisions_transformers_of_windows_is_drawn_where_it_looks(name: str) -> None:
    """The one for videos keeps (N, T, H, W, C) all along."""
    video = name == "swin3d_t"
    images = torch.zeros(1, 3, 4, 64, 64) if video else torch.zeros(1, 3, 224, 224)
    found = placings(LayerActivations(zoo.get_model(name, weights=None).eval(), "cpu"), images)
    assert {one.status for one in found.values()} <= {"known", "no place"}
    if video:
        assert "volume-last" in {one.kind for one in found.values()}


@pytest.mark.parametrize(("turned", "expected"), [(False, "known"), (True, "wrong")])
def test_maps_that_lack_the_border_are_in_place_and_turned_ones_are_not(turned: bool, expected: str) -> None:
    """Without padding, six of eighteen pixels are missing on each side, whatever the order of the others."""
    layers = LayerActivations(nn.Sequential(nn.Conv2d(3, 2, 13)), "cpu")
    images = coordinates(channels=3, side=18)
    boxes = place_boxes(layers, images)["0", 0]["output"]
    arrangement = known_arrangements(layers, images)["0", 0]["output"]
    assert arrangement is not None
    if turned:
        arrangement = replace(arrangement, order=tuple(reversed(range(36))))
    found = placing(boxes, (18, 18), "Conv2d", arrangement)
    assert found is not None
    assert found.status == expected
