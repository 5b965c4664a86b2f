"""A lesson's file becomes a lesson; whatever cannot be is refused with its file, its line and a sentence."""

import pytest

from tests.viz.course.texts import LESSON, spoiled
from viz.course.blocks import LessonError
from viz.course.lesson import Choice, Guess, Lesson, StepPicture
from viz.course.reading import lesson_from


def read(text: str) -> Lesson:
    """The lesson of a text."""
    return lesson_from(text, "a-lesson", "en/1-a-lesson.md")


def test_a_lesson_is_what_its_file_says() -> None:
    """Every part of the file above, written out here once more."""
    lesson = read(LESSON)
    assert (lesson.id, lesson.title, lesson.about, lesson.net) == (
        "a-lesson",
        "A title",
        "A sentence.",
        "lenet",
    )
    assert (lesson.minutes, lesson.exercises) == (5, ("one", "two"))
    first, second = lesson.steps
    assert (first.title, first.look, first.line) == ("First step", "layer=conv1", 7)
    assert first.text == ("A paragraph on two lines.",)
    assert first.code == "kept = [net(picture)]\nprint(len(kept))"
    assert first.lit == (1,)
    assert first.draw == (StepPicture("kept[0]", "a caption with = in it"),)
    assert first.choices == (Choice("1", "1"), Choice("2", "two of them", "You counted twice."))
    assert (first.question, first.after) == ("How many?", ("There is {len(kept)}.", "And more."))
    assert first.asks
    assert (second.code, second.text, second.asks) == ("", ("Only words.",), False)


def test_lines_of_chinese_are_joined_without_a_space() -> None:
    """A line's end is no word's end there."""
    assert read(spoiled("A paragraph\non two lines.", "一段\n两行。")).steps[0].text == ("一段两行。",)


def test_a_guess_is_a_number_between_two_others() -> None:
    """With how near is near enough, and a unit."""
    text = spoiled("- 1\n- 2 = two of them\n  You counted\n  twice.\n", "").replace(
        "lit: net(picture)", "guess: 0 to 100 within 7.5 %"
    )
    assert read(text).steps[0].guess == Guess(0, 100, 7.5, "%")


WRONG = (
    ("", "", 1, "this file is empty"),
    ("A sentence first.\n\n", LESSON, 1, "a lesson begins with its title"),
    ("# A title", "", 2, "a lesson begins with its title"),
    ("# A title", "# ", 1, "this heading has no text"),
    ("## First step", "### First step", 7, "a heading has one # (the lesson) or two (a step), not 3."),
    (
        "## Second step",
        "# Second step",
        30,
        "the lesson's title, a line that begins with #, stands once",
    ),
    ("about: A sentence.\n", "", 1, "“A title” needs a header about."),
    ("minutes: 5", "minutes: soon", 4, "minutes are a whole number from 1 to 60, not soon."),
    ("minutes: 5", "minutes: 600", 4, "minutes are a whole number from 1 to 60, not 600."),
    ("net: lenet", "model: lenet", 3, "there is no header model: here are about, net, minutes, exercises."),
    ("net: lenet", "net: lenet\nnet: lenet", 4, "the header net stands here twice."),
    ("net: lenet", "net:", 3, "the header net says nothing."),
    ("lit: net(picture)", "lit: conv", 9, "no line of the code contains conv."),
    ("lit: net(picture)", "lit: kept", 9, "more than one line of the code contains kept."),
    (
        "look: layer=conv2&view=hooks",
        "look: layer=conv2\nlit: a",
        32,
        "no code of which a line could be lit.",
    ),
    ("draw: kept[0] = a caption with = in it", "draw: kept[0]", 10, "write draw: what = the line below it"),
    ("draw: kept[0] = a caption with = in it", "draw: kept[ = a", 10, "kept[ is no expression of Python."),
    ("lit: net(picture)", "guess: many", 9, "write a guess like 0 to 100 within 10 %, not many."),
    ("lit: net(picture)", "guess: 9 to 1 within 1", 9, "write a guess like"),
    ("lit: net(picture)", "answer: 1 +", 9, "1 + is no expression of Python."),
    ("lit: net(picture)", "maps: a | b", 7, "a question has choices, maps or a guess: one of the three."),
    ("print(len(kept))", "print(len(kept)", 17, "this is not Python"),
    (
        "print(len(kept))\n```",
        "print(len(kept))",
        15,
        "the code that begins here has no line with ```",
    ),
    ("? How many?\n", "", 7, "there are answers here, but no question"),
    ("- 1\n- 2 = two of them\n  You counted\n  twice.\n", "", 7, "this step asks a question"),
    ("- 2 = two of them\n  You counted\n  twice.\n", "", 7, "a single choice is none"),
    ("- 2 = two of them", "- 1 = two of them", 7, "two choices are the same: 1."),
    ("- 1\n- 2 = two of them\n", "", 21, "an indented line says why not"),
    ("! There is {len(kept)}.\n\nAnd more.\n", "", 7, "say why after the run"),
    ("{len(kept)}", "{len(kept}", 26, "is no expression of Python."),
    ("{len(kept)}", "{len(kept)", 26, "these braces hold no value"),
    ("Only words.\n", "", 30, "this step says nothing"),
    (
        "Only words.",
        "Only words.\n\n? Why?\n- a\n- b\n\n! So.",
        30,
        "this step has no code that could be run.",
    ),
    (
        "A paragraph",
        "```python\na = 1\n```\n\nA paragraph",
        20,
        "a step has one block of code, and this is the second.",
    ),
)


@pytest.mark.parametrize(("old", "new", "line", "sentence"), WRONG)
def test_what_cannot_be_is_refused_with_its_line(old: str, new: str, line: int, sentence: str) -> None:
    """The file of a teacher says where to look."""
    text = spoiled(old, new) if old and old in LESSON else old + new
    with pytest.raises(LessonError) as refused:
        read(text)
    assert str(refused.value).startswith(f"en/1-a-lesson.md:{line}: "), str(refused.value)
    assert sentence in str(refused.value)


def test_a_lesson_without_steps_is_refused() -> None:
    """The title alone teaches nothing."""
    with pytest.raises(LessonError, match="this lesson has no step"):
        read(LESSON.split("## First")[0])


def test_words_before_the_first_step_are_refused() -> None:
    """They would be shown nowhere."""
    with pytest.raises(LessonError, match=r"md:7: this belongs to no step"):
        read(spoiled("## First step", "Lost words.\n\n## First step"))


def test_a_map_to_choose_may_say_what_it_shows_and_a_step_may_have_no_look() -> None:
    """The text behind `` = `` is no part of the expression."""
    beginning = "# A title\nabout: It.\nnet: lenet\nminutes: 5\n\n## A step\n"
    headers = "maps: net(picture) = its scores | kept[0] == 1\nanswer: kept[0]\n\n"
    text = beginning + headers + "What\n\n```python\nkept = []\n```\n\n? Which?\n\n! So."
    (step,) = read(text).steps
    assert step.look == ""
    assert step.maps == (StepPicture("net(picture)", "its scores"), StepPicture("kept[0] == 1", ""))
