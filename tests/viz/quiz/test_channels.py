"""Question of the removed channel: the difference is made again by plain hooks, for every choice."""

import numpy as np
import pytest
import torch
from torch.nn.functional import conv2d

from tests.viz.quiz.asking import net_and_input, passed, pixels, several
from viz.maps.mosaic import render_mosaic
from viz.quiz import Picture, Question
from viz.quiz.channels import which_channel

CONVOLVED = ("lenet", "photonet", "patchformer")


def without(found: Question, channel: int) -> torch.Tensor:
    """Return the change of the next convolution's output, (channels, height, width), by plain hooks."""

    def removed(value: torch.Tensor) -> torch.Tensor:
        return value * (torch.arange(value.shape[1]) != channel)[:, None, None]

    after = found.facts["after"]
    return passed(found, {found.layer: removed})[after][0] - passed(found)[after][0]


def shown(lost: torch.Tensor) -> np.ndarray:
    """The colours of a difference."""
    maps = lost[:16].numpy()
    png = render_mosaic(maps, colormap="coolwarm", columns=4).png
    return pixels(Picture(png, ""))


@pytest.mark.parametrize("net", CONVOLVED)
def test_the_difference_is_that_of_the_right_channel_alone(net: str) -> None:
    """Made again for each choice: the picture is the right one's, and far from the others'."""
    for found in several(which_channel, net)[:4]:
        picture = pixels(found.pictures[0])
        for place, choice in enumerate(found.choices):
            other = (shown(without(found, int(choice))) != picture).any(axis=2).mean()
            assert other < 0.001 if place == found.right else other > 0.1


@pytest.mark.parametrize("net", CONVOLVED)
def test_what_is_lost_is_what_the_filters_made_of_that_channel(net: str) -> None:
    """The explanation is true: the difference is minus the convolution of that channel alone."""
    for found in several(which_channel, net)[:4]:
        channel = int(found.choices[found.right])
        convolution = net_and_input(found)[0].get_submodule(found.facts["after"])
        assert isinstance(convolution, torch.nn.Conv2d)
        weights = convolution.weight.detach()[:, channel : channel + 1]
        alone = passed(found)[found.layer][:, channel : channel + 1]
        expected = -conv2d(alone, weights, stride=convolution.stride, padding=convolution.padding)[0]
        assert torch.allclose(without(found, channel), expected, atol=1e-4)


@pytest.mark.parametrize("net", CONVOLVED)
def test_it_can_be_told_by_looking(net: str) -> None:
    """The removed map is bright where much is lost: its rank correlation is higher than the others'."""
    for found in several(which_channel, net)[:4]:
        lost = without(found, int(found.choices[found.right])).abs().sum(0)
        maps = passed(found)[found.layer][0].abs()
        cut = (maps.shape[-1] - lost.shape[-1]) // 2
        inner = maps[:, cut : cut + lost.shape[0], cut : cut + lost.shape[1]]
        blurred = torch.nn.functional.avg_pool2d(inner[None], 3, stride=1, padding=1)[0]
        fits = [
            float(np.corrcoef(blurred[int(choice)].flatten(), lost.flatten())[0, 1])
            for choice in found.choices
        ]
        second, best = sorted(fits)[-2:]
        assert fits[found.right] == best
        assert best - second > 0.1


def test_every_choice_is_shown_with_its_number() -> None:
    """The difference first, then the four maps in the order of the choices, none of them blank."""
    for found in several(which_channel, "photonet")[:4]:
        assert [picture.role for picture in found.pictures] == ["lost", *["candidate"] * 4]
        assert [picture.facts["channel"] for picture in found.pictures[1:]] == list(found.choices)
        assert all(len(np.unique(pixels(picture).reshape(-1, 4), axis=0)) > 3 for picture in found.pictures)
