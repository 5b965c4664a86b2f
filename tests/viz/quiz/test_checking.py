"""Questions of the quiz that cannot be answered are found; those that are asked can be."""

from dataclasses import replace

import pytest

from tests.viz.quiz.asking import asked
from viz.quiz.checking import CHECKED, checked_quizzes, question_wrong


def test_a_choice_that_stands_twice_is_found() -> None:
    """By its text."""
    found = replace(asked(0, 0, "middle"), choices=("1", "2", "1", "3"), pictures=())
    assert list(question_wrong(found)) == ["two choices are the same: 1."]


def test_a_wrong_picture_that_looks_like_the_right_one_is_found() -> None:
    """The right one put in the place of another."""
    found = next(each for number in range(8) if (each := asked(0, number, "easy")).kind == "depth")
    other = (found.right + 1) % 4
    small = [place for place, picture in enumerate(found.pictures) if picture.small]
    pictures = list(found.pictures)
    pictures[small[other]] = replace(pictures[small[other]], png=pictures[small[found.right]].png)
    assert list(question_wrong(found)) == []
    wrong = list(question_wrong(replace(found, pictures=tuple(pictures))))
    assert wrong == [f"the pictures of {found.choices[other]} and of the right answer look alike."]


@pytest.mark.slow
def test_the_quizzes_that_are_asked_can_be_answered() -> None:
    """As ``plans check`` makes them, of each level."""
    count, wrong = checked_quizzes(asked)
    assert (count, wrong) == (3 * 8 * CHECKED, [])
