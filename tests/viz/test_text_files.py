"""Folders of texts that teachers write."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from viz.course import folder as course
from viz.course.blocks import LessonError
from viz.exercises import folder as exercises
from viz.exercises.refusal import ExerciseError
from viz.plans import folder as plans
from viz.text_files import id_of, in_order, joined, languages, spoken


def test_files_come_by_their_number_and_not_by_its_digits(tmp_path: Path) -> None:
    """Ten comes after two; a file that is named otherwise is there, and has no id."""
    (tmp_path / "en").mkdir()
    for name in ("10-last.md", "2-second.md", "notes.md", "1-a-b2.md", "3-no.txt"):
        (tmp_path / "en" / name).touch()
    files = in_order(tmp_path, "en")
    assert [each.name for each in files] == ["notes.md", "1-a-b2.md", "2-second.md", "10-last.md"]
    assert [id_of(each) for each in files] == ["", "a-b2", "second", "last"]


def test_a_language_that_is_not_there_is_english_or_what_there_is(tmp_path: Path) -> None:
    """A file beside the folders is no language."""
    (tmp_path / "zh").mkdir()
    (tmp_path / "README.md").touch()
    assert spoken(tmp_path, "fr") == "zh"
    (tmp_path / "en").mkdir()
    assert languages(tmp_path) == ["en", "zh"]
    assert (spoken(tmp_path, "fr"), spoken(tmp_path, "zh")) == ("en", "zh")


def test_lines_are_joined_as_the_script_wants_it() -> None:
    """A space between English words; none beside Chinese characters or their punctuation."""
    assert joined(["a hook", "sees it"]) == "a hook sees it"
    assert joined(["钩子", "看见", "conv"]) == "钩子看见conv"
    assert joined([]) == ""


@pytest.mark.parametrize(
    ("texts", "read", "error"),
    [
        (course.TEXTS, course.read_lessons, LessonError),
        (plans.TEXTS, plans.read_plans, LessonError),
        (exercises.TEXTS, exercises.read_exercises, ExerciseError),
    ],
    ids=["lesson", "plan", "exercise"],
)
def test_a_file_of_any_editor_is_read_or_says_what_to_do(
    tmp_path: Path, texts: Path, read: Callable[[Path, str], Any], error: type[Exception]
) -> None:
    """One that begins with the mark of UTF-8 is as good; one in another encoding names its line."""
    (tmp_path / "zh").mkdir()
    first = in_order(texts, "zh")[0]
    text, copy = first.read_text("utf-8"), tmp_path / "zh" / first.name
    copy.write_text(text, "utf-8")
    plain = read(tmp_path, "zh")
    copy.write_text(text, "utf-8-sig")
    assert read(tmp_path, "zh") == plain
    copy.write_bytes(b"# Only ASCII\n" + text.encode("gbk", "replace"))
    with pytest.raises(error, match=f"zh/{first.name}:2: this is not UTF-8: save the file as UTF-8"):
        read(tmp_path, "zh")
