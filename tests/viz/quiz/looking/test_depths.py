"""Question of the deepest map: against the order in which plain hooks fire, and their shapes."""

from itertools import pairwise

import numpy as np
import pytest

from tests.viz.quiz.asking import passed, pixels, several
from viz.quiz import Question
from viz.quiz.looking.depths import which_depth

NETS = ("efficientnet_lite0", "lenet", "photonet")


def layers(found: Question) -> list[str]:
    """The layer behind each picture."""
    return [picture.facts["layer"] for picture in found.pictures]


@pytest.mark.parametrize("net", NETS)
def test_the_right_map_is_from_the_layer_that_ran_first_or_last(net: str) -> None:
    """And the order that the explanation gives is that of the hooks."""
    questions = several(which_depth, net)
    for found in questions[:8]:
        ran = [name for name in passed(found) if name in layers(found)]
        assert layers(found)[found.right] == ran[-1 if found.ask == "depth_deepest" else 0]
        assert found.layer == layers(found)[found.right]
        assert found.facts["order"] == ", ".join(ran)
    assert {found.ask for found in questions} == {"depth_deepest", "depth_first"}


@pytest.mark.parametrize("net", NETS)
def test_it_can_be_told_by_looking(net: str) -> None:
    """The squares of the right one are the largest, or the smallest, by half as much again at least."""
    for found in several(which_depth, net)[:8]:
        sides = [pixels(picture).shape[0] for picture in found.pictures]
        right = sides.pop(found.right)
        if found.ask == "depth_deepest":
            assert 1.5 * right <= min(sides)
        else:
            assert right >= 1.5 * max(sides)


@pytest.mark.parametrize("net", NETS)
def test_each_picture_is_one_channel_of_its_layer(net: str) -> None:
    """A colour for each value, in the order of the values by hand; none is blank."""
    for found in several(which_depth, net)[:3]:
        values = passed(found)
        for picture in found.pictures:
            one = values[picture.facts["layer"]][0][int(picture.facts["channel"])].double().numpy()
            colours = pixels(picture)[..., :3].astype(np.int64) @ (65536, 256, 1)
            assert colours.shape == one.shape
            assert len(np.unique(colours)) > 1
            reach = {int(code): one[colours == code] for code in np.unique(colours)}
            ordered = sorted(reach.values(), key=lambda values: values.min())
            assert all(lower.max() <= upper.min() for lower, upper in pairwise(ordered))
