"""Question of the outlines: against torch's own convolution with Sobel's two filters."""

import numpy as np
import pytest
import torch
from torch.nn.functional import adaptive_avg_pool2d, avg_pool2d, conv2d, pad

from tests.viz.quiz.asking import net_and_input, passed, pixels, several
from viz.quiz import Question
from viz.quiz.looking.outlines import at_places, sobel, which_outlines

NETS = ("efficientnet_lite0", "photonet", "patchformer")
RIGHTWARD = torch.tensor([[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]])
MARGIN = 0.02  # what another order of sums may change in a correlation


def steepness(picture: torch.Tensor) -> torch.Tensor:
    """Return the steepness of a picture (height, width), by torch's convolution."""
    filters = torch.stack([RIGHTWARD, RIGHTWARD.T])[:, None]
    return conv2d(pad(picture[None, None], (1, 1, 1, 1), mode="replicate"), filters).norm(dim=1)[0]


def channels(found: Question) -> list[int]:
    """The channel behind each choice."""
    return [int(picture.facts["channel"]) for picture in found.pictures[1:]]


def likeness(channel: torch.Tensor, picture: torch.Tensor) -> float:
    """The correlation of a map's strength with the picture's steepness, both blurred by 3 × 3."""
    expected = adaptive_avg_pool2d(steepness(picture)[None], channel.shape)[0]
    both = torch.stack([channel.abs(), expected])[:, None]
    blurred = avg_pool2d(pad(both, (1, 1, 1, 1), mode="replicate"), 3, stride=1)
    return float(torch.corrcoef(blurred.flatten(1))[0, 1])


def fits_of(found: Question) -> list[float]:
    """Return how well each choice follows the outlines of the net's input."""
    maps, given = passed(found)[found.layer][0], net_and_input(found)[1][0].mean(0)
    return [likeness(maps[channel], given) for channel in channels(found)]


@pytest.mark.parametrize("net", NETS)
def test_the_right_map_follows_the_outlines_and_no_other_does(net: str) -> None:
    """Clearly: 0.75 at least, and the others 0.3 at most."""
    for found in several(which_outlines, net, photos=("cat", "rocket"))[:6]:
        fits = fits_of(found)
        others = [fit for place, fit in enumerate(fits) if place != found.right]
        assert fits[found.right] >= 0.75 - MARGIN
        assert max(others) <= 0.3 + MARGIN
        assert found.facts["channel"] == str(channels(found)[found.right])


@pytest.mark.parametrize("net", NETS)
def test_the_choices_are_pictures_of_four_channels_in_order(net: str) -> None:
    """The picture that they are compared with comes first; none of the maps is blank."""
    for found in several(which_outlines, net)[:3]:
        assert [picture.role for picture in found.pictures] == ["seen", *["option"] * 4]
        assert [picture.facts["number"] for picture in found.pictures[1:]] == list(found.choices)
        assert len(set(channels(found))) == 4
        assert all(len(np.unique(pixels(each).reshape(-1, 4), axis=0)) > 3 for each in found.pictures)


@pytest.mark.parametrize("net", NETS)
def test_a_choice_is_red_where_its_channel_is_above_zero_and_blue_below(net: str) -> None:
    """Wherever it is not as good as zero."""
    for found in several(which_outlines, net)[:3]:
        maps = passed(found)[found.layer][0].numpy()
        for picture, channel in zip(found.pictures[1:], channels(found), strict=True):
            colours = pixels(picture).astype(int)
            redder = np.sign(colours[..., 0] - colours[..., 2])
            strong = np.abs(maps[channel]) > 0.2 * np.percentile(np.abs(maps[channel]), 98)
            assert strong.any()
            assert (redder == np.sign(maps[channel]))[strong].mean() > 0.995


def test_sobel_is_what_torch_convolves() -> None:
    """On noise, to the last digits; an even picture has no edge."""
    noise = torch.randn(9, 12, generator=torch.Generator().manual_seed(1))
    np.testing.assert_allclose(sobel(noise.numpy()), steepness(noise).numpy(), rtol=1e-5)
    assert not sobel(np.full((5, 5), 3.0)).any()


def test_a_plane_is_brought_to_the_size_of_the_maps() -> None:
    """By means of blocks, or by leaving out the border; otherwise not at all."""
    plane = np.arange(36.0).reshape(6, 6)
    halved, inner = at_places(plane, (3, 3)), at_places(plane, (4, 4))
    assert halved is not None
    assert inner is not None
    np.testing.assert_array_equal(halved[0], [3.5, 5.5, 7.5])
    np.testing.assert_array_equal(inner, plane[1:5, 1:5])
    assert at_places(plane, (5, 3)) is None
