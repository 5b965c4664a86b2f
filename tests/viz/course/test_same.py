"""Two languages have the same lessons: a difference in anything but words is said with its place."""

import pytest

from tests.viz.course.texts import LESSON, spoiled
from viz.course.lesson import Lesson
from viz.course.reading import lesson_from
from viz.course.same import differences


def lesson(text: str, language: str) -> Lesson:
    """A lesson of a language."""
    return lesson_from(text, "a", f"{language}/1-a.md")


def test_other_words_and_other_comments_make_no_difference() -> None:
    """Titles, paragraphs, captions, choices' words and comments may all differ."""
    text = spoiled("print(len(kept))", "print(len(kept))  # 注释").replace("two of them", "两个")
    text = text.replace("A paragraph", "一段").replace("Second step", "第二步").replace("in it", "说明")
    assert list(differences([lesson(LESSON, "en")], [lesson(text, "zh")], "zh")) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("look: layer=conv1", "look: layer=conv2", "zh/1-a.md:7: the look is not that of en/1-a.md:7."),
        ("kept = [net(picture)]", "kept = [net(picture), 1]", "zh/1-a.md:7: the code is not that of"),
        ("lit: net(picture)", "lit: print(", "the lit line is not that of"),
        ("draw: kept[0]", "draw: kept[-1]", "what is drawn is not that of"),
        ("- 2 = two", "- 3 = two", "the choices is not that of"),
        ("net: lenet", "net: photonet", "zh/1-a.md:1: the header net is not that of"),
        ("exercises: one, two", "exercises: one", "the header exercises is not that of"),
    ],
)
def test_a_difference_is_said_with_its_place(old: str, new: str, said: str) -> None:
    """One sentence for each."""
    found = list(differences([lesson(LESSON, "en")], [lesson(spoiled(old, new), "zh")], "zh"))
    assert len(found) == 1
    assert said in found[0]


def test_a_missing_step_and_a_missing_lesson_are_said() -> None:
    """With how many there are."""
    short = lesson(LESSON.split("## Second")[0], "zh")
    ours = [lesson(LESSON, "en")]
    assert list(differences(ours, [short], "zh")) == ["zh/1-a.md:1: it has 1 steps, and en/1-a.md has 2."]
    assert list(differences(ours, [], "zh")) == ["zh: the lessons are ; in the first language a."]
