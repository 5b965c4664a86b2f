"""Answers that stand on the projector while they are asked: in the step's words, or above the maps."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from viz.course.folder import TEXTS, read_lessons
from viz.plans.given_away import hides_sizes, telling_checked
from viz.plans.plan import Plan
from viz.plans.reading import plan_from
from viz.profile.rows import LayerRow

NUMBER = "guess: 1 to 100 within 0\nanswer: 27"
CHOICES = "answer: (3, 3)", "- (1, 1) = one pixel\n- (3, 3) = 3 × 3 pixels"


def plan(text: str, headers: str = NUMBER, choices: str = "", question: str = "How many?") -> Plan:
    """A plan of one step about LeNet's first layer."""
    parts = ["# T\nnet: lenet", f"## S\nlook: layer=conv1\nminutes: 4\n{headers}", text]
    return plan_from("\n\n".join([*parts, f"? {question}\n{choices}", "! W."]), "t", "en/1-t.md")


def rows(_: str) -> Sequence[LayerRow]:
    """A layer with 6 filters of 5 × 5."""
    shape = (1, 6, 28, 28)
    return [LayerRow("conv1", "Conv2d", "3→6, 5×5", 456, 0, 1, (shape,), (), None, (0,), children=False)]


def told(*said: str) -> list[str]:
    """Return the faults that are found."""
    return telling_checked([plan(*said)], rows)


def test_words_that_tell_the_answer_are_found() -> None:
    """In the text, and in the question; another number that has it in it is none."""
    assert told("Each window has 27 weights.") == [
        "en/1-t.md:4: this tells the answer while it is asked: “Each window has 27 weights.”"
    ]
    assert told("It has 127, 2.27, 27.5 or 27×2.") == []
    assert len(told("Look.", "ask: map\nanswer: 2, 12", "", "Is it map 12?")) == 1


@pytest.mark.parametrize(("answer", "found"), [("6", 1), ("5", 0), ("28", 1), ("456", 0)])
def test_a_number_that_the_page_says_above_the_maps_is_found(answer: str, found: int) -> None:
    """Filters and sizes; 5 is only said as 5×5."""
    assert len({*told("Look.", f"guess: 1 to 999 within 0\nanswer: {answer}")}) >= found
    assert bool(told("Look.", f"guess: 1 to 999 within 0\nanswer: {answer}")) == bool(found)


def test_sizes_need_not_be_found_because_the_page_hides_them() -> None:
    """By the same rule as its scripts: shapes, and choices that are sizes."""
    [step] = plan("Look.", *CHOICES).steps
    assert step.question
    assert hides_sizes(step.question)
    assert told("Look.", *CHOICES) == []
    assert told("Look.", "ask: shape\nanswer: (1, 6, 28, 28)") == []
    assert len(told("It makes 6 × 28 × 28.", "ask: shape\nanswer: (1, 6, 28, 28)")) == 1


def test_a_text_with_a_wrong_choice_too_tells_nothing() -> None:
    """As “Before or after?” does."""
    choices = "- before\n- after"
    assert told("Before or after?", "answer: after", choices) == []
    assert len(told("It comes after.", "answer: after", choices)) == 1


def test_a_lesson_that_tells_the_answer_on_the_same_screen_is_found() -> None:
    """In the words of its step on screen; other steps of it tell nothing there."""
    lessons = read_lessons(TEXTS, "en")
    choices = "- stem.conv\n- head.conv"
    asked = plan("Look.", "answer: stem.conv", choices, "How is the first layer with weights called?")
    found = []
    for place in (2, 5):
        look = f"view=course&lesson=what-is-a-hook&lesson_step={place}"
        steps = tuple(replace(step, look=look) for step in asked.steps)
        found.append(telling_checked([replace(asked, steps=steps)], rows, lessons))
    assert found[0][0].startswith(
        "en/1-t.md:4: the lesson what-is-a-hook tells the answer on the same screen"
    )
    assert found[1] == []
