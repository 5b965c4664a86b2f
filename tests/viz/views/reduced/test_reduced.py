"""A layer as one picture on the page: the values are NumPy's, and the picture is drawn from them."""

import base64
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from viz.errors import LayoutError
from viz.findings.values import LayerValues, Leaf
from viz.maps.colour.tables import colour_table
from viz.maps.mosaic import render_mosaic
from viz.maps.reduction.reduce import ReductionRequest
from viz.request.arrangement import Arrangement, Lattice
from viz.request.inspection import Inspection
from viz.views.drawing import draw_view
from viz.views.reduced.reduced import reduced_facts, reduced_values

WANTED = Inspection("picture", "net", "random", "conv")


def values(array: np.ndarray, type_: str = "Conv2d") -> LayerValues:
    """A layer's values, of one call."""
    return LayerValues("conv", type_, "cpu", ({"output": Leaf(array, "float32")},))


def noise(*shape: int) -> np.ndarray:
    """Noise of both signs."""
    return np.random.default_rng(3).normal(size=shape).astype(np.float32)


def pixels(png: str) -> Any:
    """The colours (height, width, 4) of a picture in base64."""
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA"))


def test_the_mean_is_numpys_and_the_picture_its_colours() -> None:
    """One pixel per value, the smallest in the first colour and the largest in the last."""
    array = np.abs(noise(1, 5, 6, 7))
    found = reduced_facts(values(array), WANTED, ReductionRequest("mean"))
    expected = array[0].mean(0, dtype=np.float64).astype(np.float32)
    assert np.array_equal(reduced_values(values(array), WANTED, ReductionRequest("mean")), expected)
    assert found.channels == tuple(range(5))
    assert found.of == 5
    geometry = found.view.geometry
    assert (geometry.channels, geometry.map_height, geometry.map_width) == (1, 6, 7)
    assert found.view.statistics.maximum == expected.max()
    drawn, table = pixels(found.picture), colour_table("viridis")
    assert drawn.shape == (6, 7, 4)
    for place, colour in ((expected.argmin(), table[0]), (expected.argmax(), table[255])):
        assert np.array_equal(drawn.reshape(-1, 4)[place], colour)


def test_a_difference_has_the_colours_that_its_facts_name() -> None:
    """Diverging ones, although the mean of these maps has one sign; the largest value has the last."""
    array = np.abs(noise(1, 5, 6, 7))
    found = reduced_facts(values(array), replace(WANTED, show="difference"), ReductionRequest("mean"))
    mean = array[0].mean(0, dtype=np.float64).astype(np.float32)
    reach = float(mean.max())
    colours = render_mosaic(mean, colormap="coolwarm", scale=(-reach, reach))
    assert (found.view.colormap, found.view.vmin, found.view.vmax) == ("coolwarm", -reach, reach)
    assert np.array_equal(pixels(found.picture), pixels(base64.b64encode(colours.png).decode()))


def test_the_strongest_channels_are_named_strongest_first() -> None:
    """Channels of known strengths: the second and the fourth are the largest."""
    strengths = np.array([1, 4, 2, 3, 0], np.float32)
    array = strengths[None, :, None, None] * np.ones((1, 5, 2, 2), np.float32)
    found = reduced_facts(values(array), WANTED, ReductionRequest("top", top=2))
    assert found.channels == (1, 3)
    assert (reduced_values(values(array), WANTED, ReductionRequest("top", top=2)) == 7).all()
    assert reduced_facts(values(array), WANTED, ReductionRequest("mean")).channels == (0, 1, 2, 3, 4)


def test_principal_components_are_red_green_and_blue() -> None:
    """Three channels that do not vary together: each component is one of them, from dark to bright."""
    array = np.zeros((1, 3, 1, 8), np.float32)
    for channel, size in enumerate((9, 5, 2)):
        array[0, channel, 0] = size * np.array([[1, -1] * 4, [1, 1, -1, -1] * 2, [1] * 4 + [-1] * 4][channel])
    found = reduced_facts(values(array), WANTED, ReductionRequest("pca"))
    colours = pixels(found.picture)[0]
    assert np.array_equal(colours[:, :3], np.where(array[0, :, 0].T > 0, 255, 0))
    total = 81 + 25 + 4
    assert found.explained == pytest.approx((81 / total, 25 / total, 4 / total))
    assert found.view.statistics.count == 3 * 8


def test_the_picture_lies_on_the_photo_as_the_maps_do() -> None:
    """An arrangement says where; reducing the channels moves nothing."""
    known = Arrangement((1, 4, 3, 3), (2, 3), (1, 3, 3), lattice=Lattice((0, 3), (1, 3)))
    leaf = Leaf(noise(1, 4, 3, 3), "float32", arrangement=known)
    found = LayerValues("conv", "Conv2d", "cpu", ({"output": leaf},), image_size=(9, 9))
    facts, maps = reduced_facts(found, WANTED, ReductionRequest("l2")).view, draw_view(found, WANTED).facts()
    assert facts.on_picture
    assert facts.covers is not None
    assert (facts.on_picture, facts.covers) == (maps.on_picture, maps.covers)


def test_a_layer_without_channels_says_so() -> None:
    """A table of numbers is one map: there is nothing to reduce."""
    table = Inspection("p", "n", "r", "conv", kind="table")
    with pytest.raises(LayoutError, match="conv has no maps of channels"):
        reduced_facts(values(noise(1, 4, 5), "Softmax"), table, ReductionRequest("max"))
