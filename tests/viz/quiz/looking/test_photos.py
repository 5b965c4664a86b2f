"""Question of the photo: the maps are drawn again for every choice, and only one drawing is the one shown."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.functional import adaptive_avg_pool2d

from tests.viz.quiz.asking import EASY_NETS, net_and_input, passed, pixels, several, wrong
from viz.maps.mosaic import render_mosaic
from viz.pictures.samples import sample
from viz.quiz import Picture, Question
from viz.quiz.looking.photos import which_photo

PHOTOS = ("cat", "rocket", "camera")


def traces(found: Question, photo: str) -> torch.Tensor:
    """The channels that are shown, (channels, height, width), for this photo, by plain hooks."""
    channels = [int(channel) for channel in found.facts["traces"].split(", ")]
    return passed(replace(found, sample=photo))[found.layer][0][channels]


def drawing(maps: torch.Tensor) -> np.ndarray:
    """Their colours, two in a row."""
    return pixels(Picture(render_mosaic(maps.numpy(), colormap="auto", columns=2).png, ""))


def strongest(found: Question, photo: str, maps: torch.Tensor) -> float:
    """Return the best correlation of a photo's brightness, where the net sees it, with one of the maps."""
    bright = net_and_input(replace(found, sample=photo))[1][0].mean(0)
    cut = (bright.shape[-1] - maps.shape[-1]) // 2 if bright.shape[-1] - maps.shape[-1] < 8 else 0
    size = bright.shape[-1]
    plane = adaptive_avg_pool2d(bright[None, cut : size - cut, cut : size - cut], maps.shape[-2:])[0]
    lively = [one.flatten() for one in maps if one.std()]
    fits = [torch.corrcoef(torch.stack([plane.flatten(), one]))[0, 1].abs() for one in lively]
    return float(torch.stack(fits).max())


@pytest.mark.parametrize("net", EASY_NETS)
def test_the_maps_are_those_of_the_right_photo_alone(net: str) -> None:
    """Drawn again from plain torch: equal for the right one, far from it for the others."""
    for found in several(which_photo, net, photos=PHOTOS)[:5]:
        shown = pixels(found.pictures[0])
        assert found.choices[found.right] == found.sample
        assert (drawing(traces(found, found.sample)) != shown).any(axis=2).mean() < 0.001
        for other in wrong(found):
            assert (drawing(traces(found, other)) != shown).any(axis=2).mean() > 0.5


@pytest.mark.parametrize("net", EASY_NETS)
def test_it_can_be_told_by_looking(net: str) -> None:
    """Places that are bright in the right photo show in the maps, much more than those of the others."""
    for found in several(which_photo, net, photos=PHOTOS)[:5]:
        maps = traces(found, found.sample)
        fits = {photo: strongest(found, photo, maps) for photo in found.choices}
        right = fits.pop(found.sample)
        assert right >= 0.59
        assert max(fits.values()) <= right - 0.2


def test_the_choices_show_what_the_net_sees() -> None:
    """For LeNet 32 × 32 pixels of each photo, in the order of the choices."""
    found = several(which_photo, "lenet")[0]
    assert [picture.facts.get("photo") for picture in found.pictures[1:]] == list(found.choices)
    for name, picture in zip(found.choices, found.pictures[1:], strict=True):
        small = np.asarray(sample(name).resize((32, 32)).convert("L"), np.float64)
        seen = pixels(picture)[..., :3].mean(axis=2)
        assert seen.shape == (32, 32)
        if sample(name).width == sample(name).height:  # others are cropped
            assert np.corrcoef(small.ravel(), seen.ravel())[0, 1] > 0.95
