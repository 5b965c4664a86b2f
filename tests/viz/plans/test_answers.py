"""Answers that can be told apart: scores with a margin, values that noise does not change."""

import numpy as np
import pytest
from PIL import Image

from viz.course.lesson import Choice, Guess
from viz.plans.answers import answer_wrong
from viz.plans.noise import with_noise, without_assertions
from viz.plans.plan import Asking, PlanQuestion


def wrong(kind: Asking, answer: str, printed: str, *choices: str, within: float = 0.0) -> list[str]:
    """Return the faults of a question if its code prints this."""
    guess = Guess(0, 100, 5) if kind == "number" else None
    asked = PlanQuestion(kind, "?", answer, ("why",), tuple(Choice(each, each) for each in choices), guess)
    return list(answer_wrong(asked, printed, within=within))


def test_every_map_that_fits_is_accepted_and_no_other() -> None:
    """By hand: of the range from 0 to 1, a quarter lies between right and wrong."""
    assert wrong("map", "0, 2", "[0.9, 0.1, 1.0]") == []
    [missed] = wrong("map", "2", "[0.9, 0.0, 1.0]")
    assert missed.startswith("0 has 0.90, and the right answer 2 has 1.00")
    [too_many] = wrong("map", "0, 1, 2", "[0.9, 0.0, 1.0, 0.2]")
    assert too_many.startswith("3 has 0.20, and the right answer 1 has 0.00")


def test_a_narrow_margin_is_found_and_one_of_a_quarter_is_not() -> None:
    """0.75 beside 1 of a range from 0 to 1 is too near; 0.74 is far enough."""
    assert wrong("map", "0", "[1.0, 0.75, 0.0]")
    assert wrong("map", "0", "[1.0, 0.74, 0.0]") == []
    assert wrong("choice", "a", "{'a': 1.0, 'b': 0.9, 'c': 0}", "a", "b", "c")
    assert wrong("choice", "a", "{'a': 1.0, 'b': 0.5, 'c': 0}", "a", "b", "c") == []


@pytest.mark.parametrize("printed", ["2, 12", "", "[nan, 1]", "{0: 'a'}", "[]"])
def test_a_map_needs_a_number_for_each_map(printed: str) -> None:
    """The maps that a threshold leaves say nothing about the others."""
    assert "no list with a number for each map" in wrong("map", "2", printed)[0]


def test_scores_are_those_of_the_answers_that_can_be_given() -> None:
    """No choice is left out, and no map is beyond the last."""
    assert "these are not the choices" in wrong("choice", "a", "{'a': 1.0}", "a", "b")[0]
    assert wrong("map", "3", "[1.0, 0.0]") == ["the code scores 2 maps: there is no map 3."]


def test_a_value_is_right_or_not() -> None:
    """A choice without scores is what the code prints; a number may be off by so much."""
    assert wrong("choice", "(3, 3)", "(3, 3)", "(3, 3)", "(1, 1)") == []
    assert wrong("choice", "a", "b", "a", "b")
    assert wrong("number", "10", "14", within=5) == []
    assert wrong("number", "10", "16", within=5)
    assert wrong("number", "1.6", "1.64") == []


def test_noise_is_below_what_an_eye_sees_and_always_the_same() -> None:
    """Two grey levels in the mean square, on grey; none where the picture ends."""
    grey = Image.new("RGB", (64, 64), (128, 128, 128))
    off = np.asarray(with_noise(grey)).astype(float) - 128
    assert off.std() == pytest.approx(2.0, rel=0.05)
    assert np.array_equal(with_noise(grey), with_noise(grey))
    assert np.asarray(with_noise(Image.new("RGB", (64, 64)))).max() < 16


def test_code_without_assertions_does_the_rest() -> None:
    """Also where an assertion was all that a loop did."""
    said: list[object] = []
    code = "for each in (1, 2):\n    assert each == 1\nassert False\nprint(3)"
    exec(without_assertions(code), {"print": said.append})
    assert said == [3]
