"""Grad-CAM from its formula, and what has none."""

import io

import numpy as np
import pytest
from matplotlib import colormaps
from PIL import Image

from viz.errors import LayoutError
from viz.findings.gradcam import (
    cam_limits,
    check_spatial,
    enlarged,
    grad_cam,
    picture_from_zero,
    saliency_limits,
    signed_limits,
    signed_picture,
    weights_arrive,
)
from viz.maps.layout import arrange
from viz.request.arrangement import Arrangement, Lattice


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


def test_enlarging_puts_each_number_where_its_cell_is_centred() -> None:
    """Two values at pixels 2 and 6 of ten: a line between them, and beyond them the same as there."""
    cam, lattice = np.array([[0, 4], [8, 12]], np.float32), Lattice((0, 2), (1, 4))
    line = np.array([0, 0, 0, 1, 2, 3, 4, 4, 4, 4])
    np.testing.assert_allclose(enlarged(cam, (3, 10), lattice), [line, line + 8, line + 8])


def test_a_lattice_of_the_usual_centres_is_the_usual_stretching() -> None:
    """Cells side by side from border to border have their middles there, as Pillow puts them."""
    cam = np.random.default_rng(0).random((3, 5)).astype(np.float32)
    usual = Lattice((3.5, 1.5), (8, 4))
    np.testing.assert_allclose(enlarged(cam, (24, 20), usual), enlarged(cam, (24, 20)), atol=1e-5)


def test_a_few_salient_pixels_do_not_darken_the_rest() -> None:
    """The 99th percentile is the brightest; of a Grad-CAM it is the maximum, and zeros are all dark."""
    saliency = np.ones((10, 20), np.float32)
    saliency[0, 0] = 1000
    assert (saliency_limits(saliency), cam_limits(saliency)) == ((0, 1), (0, 1000))
    dark = picture_from_zero(np.zeros((4, 4), np.float32), cam_limits(np.zeros((2, 2), np.float32)))
    colours = Image.open(io.BytesIO(dark.png)).convert("RGB").getcolors()
    assert colours == [(16, (0, 0, 3))]


def test_signed_numbers_are_blue_or_red_and_nothing_is_see_through() -> None:
    """The ends of matplotlib's coolwarm, opaque; beyond the limits as at them, and NaN as zero."""
    values = np.array([[-2, -1, 0], [np.nan, 1, 9]], np.float32)
    drawn = np.asarray(Image.open(io.BytesIO(signed_picture(values, (-1, 1)))).convert("RGBA"))
    low, high = (np.round(255 * np.array(colormaps["coolwarm"](end))) for end in (0.0, 1.0))
    for place, colour in (((0, 0), low), ((0, 1), low), ((1, 1), high), ((1, 2), high)):
        np.testing.assert_allclose(drawn[place], colour, atol=1)
    assert drawn[0, 2, 3] <= 1
    assert drawn[1, 0, 3] <= 1


def test_the_colours_of_signed_numbers_are_symmetric() -> None:
    """From minus to plus the larger of the 1st and the 99th percentile; of zeros 1."""
    values = np.linspace(-1, 3, 401, dtype=np.float32)[None, None]
    colormap, (low, high) = signed_limits(values)
    assert (colormap, low) == ("coolwarm", -high)
    assert high == pytest.approx(2.96, abs=0.011)
    assert signed_limits(np.zeros((1, 2, 2), np.float32))[1] == (-1, 1)


@pytest.mark.parametrize(
    ("gradient", "arrives"),
    [
        (np.zeros((2, 2, 2)), False),
        (np.array([[[1, -1], [2, -2]], [[3, -3], [0, 0]]]), False),
        (np.array([[[1, -1], [1, 1e-7]], [[3, -3], [0, 0]]]), True),
        (np.array([[[1e6, -1e6], [0, 1e-3]]]), False),
        (np.array([[[np.nan, 0], [0, 0]]]), True),
    ],
)
def test_means_that_are_zero_up_to_rounding_are_no_weights(gradient: np.ndarray, arrives: bool) -> None:
    """One channel's mean is enough; what is not a number is no zero."""
    assert weights_arrive(gradient.astype(np.float32)) == arrives


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
    """A class token and 4 by 4 patches; without their lineage, they have none."""
    value, known = (
        np.zeros((1, 17, 6), np.float32),
        Arrangement((1, 17, 6), (1,), (1, 4, 4), tuple(range(1, 17))),
    )
    check_spatial(arrange(value, image_size=(32, 32), arrangement=known), "blocks.0")
    with pytest.raises(LayoutError, match=r"blocks[.]0 has no Grad-CAM"):
        check_spatial(arrange(value, image_size=(32, 32)), "blocks.0")
