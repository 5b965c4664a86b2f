"""Question of the gradient that came through: against tensor hooks of our own."""

import numpy as np
import pytest

from tests.viz.quiz.asking import came_back, passed, pixels, several
from viz.quiz import Question
from viz.quiz.gates import which_gradient

WITH_RELU = ("lenet", "photonet", "patchformer")
NEUTRAL = (221, 220, 219)  # the middle of the colormap: exactly zero


def channels(found: Question) -> list[int]:
    """The channel behind each letter, as the explanation lists them."""
    return [int(part.split(": ")[1]) for part in found.facts["channels"].split("; ")]


@pytest.mark.parametrize("net", WITH_RELU)
def test_the_right_gradient_is_zero_wherever_the_relu_was_shut_and_no_other_is(net: str) -> None:
    """We compare the gradient at the previous layer, taken by hand, with what the ReLU let through."""
    for found in several(which_gradient, net)[:6]:
        gradient, through = came_back(found)[found.layer][0], passed(found)[found.facts["relu"]][0]
        shut = through[int(found.facts["channel"])] <= 0
        strays = [float((gradient[channel] != 0)[shut].sum()) for channel in channels(found)]
        assert channels(found)[found.right] == int(found.facts["channel"])
        assert strays[found.right] == 0
        assert all(stray > 0 for place, stray in enumerate(strays) if place != found.right)
        for place, channel in enumerate(channels(found)):
            if place != found.right:
                assert strays[place] / float((gradient[channel] != 0).sum()) > 0.2


@pytest.mark.parametrize("net", WITH_RELU)
def test_the_pictures_have_one_colour_for_zero(net: str) -> None:
    """Grey exactly where the gradient by hand is zero, red where it is above, blue where it is below."""
    for found in several(which_gradient, net)[:4]:
        gradient = came_back(found)[found.layer][0].numpy()
        for picture, channel in zip(found.pictures[1:], channels(found), strict=True):
            colours, sign = pixels(picture)[..., :3].astype(int), np.sign(gradient[channel])
            redder = np.sign(colours[..., 0] - colours[..., 2])
            neutral = (colours == NEUTRAL).all(axis=2)
            assert np.mean(neutral == (sign == 0)) > 0.995
            assert np.mean(np.where(neutral, 0, redder) == sign) > 0.995


def test_the_letters_stand_in_order() -> None:
    """First the map behind the ReLU, then A to D."""
    for found in several(which_gradient, "photonet")[:3]:
        assert found.pictures[0].role == "through"
        assert (
            [picture.facts["letter"] for picture in found.pictures[1:]] == list(found.choices) == list("ABCD")
        )
