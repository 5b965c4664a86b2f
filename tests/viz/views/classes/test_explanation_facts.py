"""Facts of an explanation for the browser: a picture of the input's size, its colours, its settings."""

import base64
import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from tests.viz.random_tasks import bits
from viz.request.arrangement import Lattice
from viz.request.method import METHODS, OF_ATTENTION, Method
from viz.views.classes.explain import Explanation
from viz.views.classes.explanation_facts import explanation_facts

VALUES = np.array([[0, 1], [2, 3]], np.float32)
FOUND = Explanation(VALUES, (8, 12), 3, 4, 5.0, None)


def pixels(png: str) -> np.ndarray:
    """The picture (height, width, 4)."""
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA"))


@pytest.mark.parametrize("method", METHODS)
def test_the_picture_is_as_large_as_the_input_and_the_bar_has_its_colours(method: str) -> None:
    """From black for 0, or see-through for it; the largest number has the colour of the bar's end."""
    facts = explanation_facts(FOUND, "conv", Method(method))
    drawn, bar = pixels(facts.png), pixels(facts.bar)
    assert (drawn.shape, bar.shape) == ((8, 12, 4), (1, 256, 4))
    assert facts.signed == (method not in ("grad-cam", "saliency", *OF_ATTENTION))
    assert facts.signed == (facts.low < 0)
    np.testing.assert_array_equal(drawn[-1, -1], bar[0, -1])
    middle = bar[0, 128 if facts.signed else 0]
    assert middle[3] <= 2 if facts.signed else (middle[:3] < 10).all()
    assert (facts.done, facts.total, facts.height, facts.width, facts.side) == (3, 4, 2, 2, 8)
    assert (facts.peak, facts.rise, facts.gap, facts.empty) == (3, 5.0, None, False)


def test_cells_are_drawn_where_they_are_centred_unless_they_are_to_be_stretched() -> None:
    """The brightest cell is centred at the last pixel; stretched, it fills a corner of the picture."""
    lattice = Lattice((1, 3), (6, 8))
    found = replace(FOUND, lattice=lattice)
    usual = explanation_facts(found, "conv", Method(), "stretched")
    assert bits(usual.png) == bits(explanation_facts(FOUND, "conv", Method()).png)
    drawn = pixels(explanation_facts(found, "conv", Method()).png)
    brightest = pixels(usual.bar)[0, -1]
    alike = (drawn == brightest).all(-1)
    assert np.array_equal(np.argwhere(alike), [[7, 11]])
    assert (usual.sits, explanation_facts(FOUND, "conv", Method()).sits) == (True, False)


def test_only_the_settings_of_the_method_are_told() -> None:
    """A layer, steps, or a window and how far it moves."""
    told = {method: explanation_facts(FOUND, "conv", Method(method, steps=7, window=4)) for method in METHODS}
    assert {method for method, facts in told.items() if facts.layer} == {"grad-cam", "conductance"}
    assert {method for method, facts in told.items() if facts.steps} == {
        "integrated-gradients",
        "conductance",
    }
    windows = {method: (facts.window, facts.stride) for method, facts in told.items() if facts.window}
    assert windows == {"occlusion": (4, 2)}


def test_numbers_that_are_none_are_drawn_as_nothing() -> None:
    """NaN is what a model without finite scores leaves; the answer stays JSON."""
    found = Explanation(np.full((2, 2), np.nan, np.float32), (4, 4))
    for method in METHODS:
        facts = explanation_facts(found, "conv", Method(method))
        assert facts.empty
        assert facts.peak == 0
