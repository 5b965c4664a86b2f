"""A sentence that names a type of layer which the net does not have is found."""

from dataclasses import replace

import pytest

from tests.viz.course.test_shipped import LESSONS, rows
from viz.course.checking import missing_types, types_checked

NET = {"Conv2d", "ReLU6", "Linear"}


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ([("A ReLU follows.", "")], [(0, "ReLU")]),
        ([("A ReLU6 follows. The ReLU …", "")], []),
        ([("A ReLU follows.", "relu = nn.ReLU()")], []),
        ([("A ReLU follows.", "relu = nn.ReLU()"), ("Its ReLU …", "")], [(1, "ReLU")]),
        ([("A Conv2d, a Linear, a Softmax.", ""), ("A BatchNorm2d.", "")], [(1, "BatchNorm2d")]),
    ],
)
def test_a_type_is_the_nets_or_the_codes(steps: list[tuple[str, str]], found: list[tuple[int, str]]) -> None:
    """Names that are words too are not taken for types; a family's name needs its member's first."""
    assert list(missing_types(steps, NET)) == found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_lessons_name_the_types_of_their_nets(language: str) -> None:
    """And one that says ReLU of a ReLU6 is found."""
    assert types_checked(LESSONS[language], rows) == []


def test_a_relu_that_caps_is_not_called_a_relu() -> None:
    """The sentence that the lesson had."""
    lesson = next(each for each in LESSONS["en"] if each.id == "in-place")
    [first, *others] = lesson.steps
    old = "The next layer is a ReLU. It sets everything below zero to zero."
    spoiled = replace(first, text=(old,), draw=())
    found = types_checked([replace(lesson, steps=(spoiled, *others))], rows)
    assert found[0].endswith("efficientnet_lite0 has no ReLU.")
