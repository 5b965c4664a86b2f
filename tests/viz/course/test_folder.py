"""Lessons in folders: one for each language, in the order of their files' names."""

from pathlib import Path

import pytest

from tests.viz.course.texts import LESSON
from viz.course.blocks import LessonError
from viz.course.folder import OWN, TEXTS, find, home, read_lessons
from viz.errors import RequestError
from viz.text_files import languages


def test_lessons_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    """Ten comes after two."""
    (tmp_path / "en").mkdir()
    for name in ("10-last.md", "2-second.md", "1-first.md"):
        (tmp_path / "en" / name).write_text(LESSON)
    assert [lesson.id for lesson in read_lessons(tmp_path, "en")] == ["first", "second", "last"]
    assert languages(tmp_path) == ["en"]


def test_a_file_without_a_number_is_refused(tmp_path: Path) -> None:
    """Its place would be anybody's guess."""
    (tmp_path / "en").mkdir()
    (tmp_path / "en/lesson.md").write_text(LESSON)
    with pytest.raises(LessonError, match=r"en/lesson.md:1: a lesson's file is named like 3-calls.md"):
        read_lessons(tmp_path, "en")


def test_an_operators_folder_takes_the_place_of_ours(tmp_path: Path) -> None:
    """A setting names it."""
    assert home({}) == TEXTS
    assert home({OWN: str(tmp_path)}) == tmp_path


def test_a_lesson_is_found_by_its_id_or_refused() -> None:
    """The sentence names those that there are."""
    lessons = read_lessons(TEXTS, "en")
    assert find(lessons, "calls").title == "One layer, many calls"
    with pytest.raises(RequestError, match="no lesson 'no': it has what-is-a-hook, inputs"):
        find(lessons, "no")
