"""Grad-CAM from its formula, and what has none."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from tests.viz.subjects import Counting, photo, subject
from viz.errors import CallError, LayoutError, RequestError
from viz.hooks.activations import LayerActivations
from viz.maps.layout import arrange
from viz.passes.attribution import capture_gradients
from viz.passes.forward import LayerValues, Leaf
from viz.passes.gradcam import cam_facts, cam_picture, check_spatial, enlarged, grad_cam, saliency_picture


def test_channels_are_weighted_by_their_mean_gradient() -> None:
    """Two channels of 2 by 2: weights 2 and -1, and a negative sum becomes 0."""
    maps = np.array([[[1, 0], [0, 3]], [[0, 4], [1, 1]]], np.float32)
    gradient = np.array([[[2, 2], [2, 2]], [[-4, 0], [0, 0]]], np.float32)
    np.testing.assert_array_equal(grad_cam(maps, gradient), [[2, 0], [0, 5]])


def test_a_gradient_that_is_infinite_in_both_directions_gives_no_number() -> None:
    """An edit can make such a gradient: there is no warning, and no weight that looks valid."""
    gradient = np.array([[[np.inf, -np.inf]]], np.float32)
    assert np.isnan(grad_cam(np.ones((1, 1, 2), np.float32), gradient)).all()


def test_enlarging_is_bilinear_between_the_middles_of_pixels() -> None:
    """Two values on four pixels: the outer ones are the values, between them a quarter and three quarters."""
    np.testing.assert_allclose(enlarged(np.array([[0, 4]], np.float32), (1, 4)), [[0, 1, 3, 4]])


def test_the_brightest_place_of_a_cam_has_the_brightest_colour() -> None:
    """Limits are 0 and the map's own maximum; a map of zeros is all dark."""
    drawn = cam_picture(np.array([[0, 8], [2, 4]], np.float32), (2, 2))
    assert (drawn.vmin, drawn.vmax) == (0, 8)
    dark = Image.open(io.BytesIO(cam_picture(np.zeros((2, 2), np.float32), (4, 4)).png)).convert("RGB")
    assert dark.getcolors() == [(16, (0, 0, 3))]


def test_a_few_salient_pixels_do_not_darken_the_rest() -> None:
    """The 99th percentile is the brightest."""
    saliency = np.ones((10, 20), np.float32)
    saliency[0, 0] = 1000
    assert (saliency_picture(saliency).vmin, saliency_picture(saliency).vmax) == (0, 1)


@pytest.mark.parametrize(
    ("shape", "kind"), [((1, 10), "Linear"), ((1, 8, 1, 1), "AdaptiveAvgPool2d"), ((1, 2, 17, 17), "Softmax")]
)
def test_layers_without_places_on_the_picture_have_no_cam(shape: tuple[int, ...], kind: str) -> None:
    """Vectors, pooled maps and attention, in a sentence that names the layer."""
    with pytest.raises(LayoutError, match="head has no Grad-CAM: what it returns has no places"):
        check_spatial(arrange(np.zeros(shape, np.float32), layer_type=kind), "head", kind)


def test_parts_of_a_picture_have_no_cam() -> None:
    """For a batch of regions, we do not know where on the picture each one is."""
    with pytest.raises(LayoutError, match="roi has no Grad-CAM"):
        check_spatial(arrange(np.zeros((5, 8, 7, 7), np.float32)), "roi", "MultiScaleRoIAlign")


def test_tokens_on_a_grid_have_places() -> None:
    """A class token and 4 by 4 patches."""
    check_spatial(arrange(np.zeros((1, 17, 6), np.float32), image_size=(32, 32)), "blocks.0")


def test_every_call_has_a_cam_for_the_browser() -> None:
    """A PNG of the input's size; calls that there are not, and values without gradients, are refused."""
    net = Counting()
    values = capture_gradients(LayerActivations(net, device="cpu"), subject(net), photo(2), ["second"], 1)[
        "second"
    ]
    facts = cam_facts(values, 0)
    png = Image.open(io.BytesIO(base64.b64decode(facts.png)))
    assert (png.size, facts.empty) == ((8, 8), not values.cams[0].array.any())
    with pytest.raises(CallError, match="no call 2"):
        cam_facts(values, 1)
    plain = LayerValues("second", "Conv2d", "cpu", ({"output": Leaf(np.zeros(1), "float32")},), (8, 8))
    with pytest.raises(RequestError, match="choose a class"):
        cam_facts(plain, 0)
