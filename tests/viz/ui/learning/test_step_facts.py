"""Facts of lessons for the browser: nothing that is right before the run, and then what the run gave."""

import json

import pytest

from viz.answers.message import as_json
from viz.course.found import PaintedValue, StepResult
from viz.course.lesson import Choice, Guess, Step
from viz.errors import RequestError
from viz.ui.learning.step_facts import contents_facts, found_facts, lesson_facts, maps_facts, step_in

STEP = Step(
    "A title",
    ("Some `code`.",),
    "layer=conv1",
    code="print(1)",
    question="What?",
    choices=(Choice("1", "1"), Choice("(2,)", "(2,)", "*No*."), Choice("True", "Yes")),
    after=("It is **{name}**, {count}.",),
)


def test_the_contents_have_every_lesson_in_its_language() -> None:
    """By the same ids."""
    english, chinese = contents_facts("en").lessons, contents_facts("zh").lessons
    assert [each.id for each in english] == [each.id for each in chinese]
    assert (english[0].title, chinese[0].title) == ("What is a hook?", "什么是钩子\uff1f")
    assert contents_facts("nonsense") == contents_facts("en")


@pytest.mark.parametrize("number", range(1, 6))
def test_a_lesson_says_nothing_that_depends_on_the_answer(number: int) -> None:
    """Neither reasons nor values of choices are in it; the words of a choice are."""
    _, step = step_in("what-is-a-hook", number, "en")
    said = as_json(lesson_facts("what-is-a-hook", "en")).decode()
    for text in (*step.after, *(choice.why for choice in step.choices if choice.why)):
        assert json.dumps(text)[1:40] not in said
    assert json.dumps(step.title)[1:-1] in said


def test_a_choice_is_right_if_its_value_is_what_the_run_gave() -> None:
    """Each has its own reason, and a value of Python is shown as code."""
    facts = found_facts(STEP, StepResult(answer="(2,)", values=(("name", "<b>"), ("count", "3"))), "en")
    assert (facts.right, facts.answer, facts.within) == (1, "(2,)", None)
    assert facts.whys == ("", "<em>No</em>.", "")
    assert facts.after == ("It is <strong>&lt;b&gt;</strong>, 3.",)
    assert found_facts(STEP, StepResult(answer="5", values=(("name", ""), ("count", ""))), "en").right is None


def test_a_guess_has_no_right_choice_but_a_bound() -> None:
    """With its unit."""
    step = Step("T", ("x",), "", guess=Guess(0, 9, 1.5, "MB"))
    facts = found_facts(step, StepResult(answer="7"), "en")
    assert (facts.answer, facts.within, facts.right) == ("7 MB", 1.5, None)


def test_a_run_that_failed_says_so_and_nothing_else() -> None:
    """Its sentences would have holes."""
    facts = found_facts(STEP, StepResult(error="ValueError: x"), "en")
    assert (facts.failed, facts.after) == ("ValueError: x", ())


def test_maps_are_numbered_in_words() -> None:
    """Nothing says which of them is right."""
    two = (PaintedValue(b"a", 3, 4, 0, 1), PaintedValue(b"b", 3, 4, -1, 1))
    maps = maps_facts(StepResult(place=1, maps=two), "en").maps
    assert [each.text for each in maps] == ["Map 1", "Map 2"]
    assert [(each.low, each.high) for each in maps] == [("0", "1"), ("−1", "1")]


def test_a_number_that_is_tiny_beside_the_other_is_about_zero() -> None:
    """As the least share of attention is; zero itself, and what is not tiny, are written."""
    ends = ((2e-5, 0.08), (0.0, 0.08), (0.001, 0.08), (-4.0, 4.0), (-5.0, -1e-4))
    drawn = tuple(PaintedValue(b"a", 3, 4, low, high, beyond=(True, True)) for low, high in ends)
    maps = maps_facts(StepResult(place=0, maps=drawn), "en").maps
    assert [(each.low, each.high) for each in maps] == [
        ("≈ 0", "≥ 0.08"),
        ("≤ 0", "≥ 0.08"),
        ("≤ 0.001", "≥ 0.08"),
        ("≤ −4", "≥ 4"),
        ("≤ −5", "≈ 0"),
    ]


def test_what_does_not_exist_is_refused() -> None:
    """One sentence for a lesson, one for a step."""
    with pytest.raises(RequestError, match="no lesson 'none'"):
        lesson_facts("none", "en")
    for number in (None, 6):
        with pytest.raises(RequestError, match="has steps 1 to 5, so there is no step"):
            step_in("calls", number, "en")
