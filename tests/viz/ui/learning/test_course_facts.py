"""Facts of lessons and their numbers for the browser."""

import pytest

from viz.answers.teaching.learning import LessonLine
from viz.errors import RequestError
from viz.lessons.course import LESSONS, source
from viz.lessons.line import Line
from viz.lessons.work import lines
from viz.ui.learning.course_facts import course_facts, lines_facts
from viz.ui.locale.words import say


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("number", range(len(LESSONS)))
def test_a_lesson_comes_with_its_texts_its_choices_and_its_code(number: int, language: str) -> None:
    """All of it as the lesson has it, in its order."""
    found, lesson = course_facts(number, language), LESSONS[number]
    assert (found.lessons, found.title) == (len(LESSONS), say(language, f"course_title_{number}"))
    assert [each.name for each in found.parts] == [part.name for part in lesson.parts]
    assert [each.plain for each in found.parts] == [source(part.plain) for part in lesson.parts]
    assert [each.ours for each in found.parts] == [
        source(part.ours) if part.ours else None for part in lesson.parts
    ]
    assert [(each.name, each.values, each.first) for each in found.choices] == [
        (choice.name, choice.values, choice.first) for choice in lesson.choices
    ]
    assert all(getattr(found, name) for name in ("text", "hints", "traps"))
    assert all(each.title and each.text for each in found.parts)


def test_code_in_a_text_is_marked_as_code() -> None:
    """The backticks of the tables become elements."""
    assert "at the layer called <code>dropout2</code>" in course_facts(0, "en").text


def test_a_lesson_that_does_not_exist_is_refused() -> None:
    """One sentence names the last one."""
    with pytest.raises(RequestError, match="lessons 0 to 4, so there is no lesson 5"):
        course_facts(5, "en")


def test_numbers_stand_beside_the_expected_ones() -> None:
    """The document's, for the first values of the parameters."""
    found = lines_facts(lines(4, "product", {}), "en")
    assert found.verdict == "All 3 numbers are as expected."
    assert found.lines[1] == LessonLine(
        label="with the hook on c", expected="39, 21, 3", found="39, 21, 3", right=True
    )


def test_a_number_that_is_not_as_expected_is_counted() -> None:
    """The sentence says how many of how many; the line says which."""
    some = (Line("y_grad", "None", "0.25", right=False), *lines(3, "doubled", {}))
    found = lines_facts(some, "en")
    assert found.verdict == "1 of 5 numbers is not as expected."
    assert [line.right for line in found.lines] == [False, True, True, True, True]
    assert found.lines[0].label == "<code>y.grad</code> afterwards"


@pytest.mark.parametrize(
    ("number", "said", "given"),
    [
        (4, {}, {"a": 7, "b": 13, "adds": 2}),
        (4, {"adds": "-1", "lang": "en"}, {"a": 7, "b": 13, "adds": -1}),
        (1, {"net": "SignalNet"}, {"net": "SignalNet", "runs": 3}),
    ],
)
def test_an_addresss_texts_become_values(number: int, said: dict[str, str], given: dict[str, object]) -> None:
    """A number that is not said has its first value, and other names are not the lesson's."""
    assert LESSONS[number].read(said) == given


@pytest.mark.parametrize("value", ["3", "07", "7.0", "", "\N{SUPERSCRIPT TWO}", "True", "[]"])
def test_a_value_that_cannot_be_chosen_is_refused(value: str) -> None:
    """One sentence names those that can."""
    with pytest.raises(RequestError, match="a can be 1, 2, 7 in this lesson"):
        LESSONS[4].read({"a": value})
