"""Lessons that teach what a question asks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from viz.course.folder import OWN, TEXTS, served
from viz.quiz import KINDS
from viz.ui.learning.quiz_lessons import LESSONS, lesson_of


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    """Each test reads the lessons that it says."""
    served.cache_clear()
    yield
    served.cache_clear()


def test_every_kind_of_question_has_a_lesson_that_there_is() -> None:
    """None is forgotten, and none leads nowhere."""
    assert set(LESSONS) == set(KINDS)
    assert set(LESSONS.values()) <= {lesson.id for lesson in served("en")}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_lesson_has_the_title_that_its_file_gives_it(kind: str, language: str) -> None:
    """So that whoever follows the link finds what it says."""
    lesson, title = lesson_of(kind, language)
    (file,) = (TEXTS / language).glob(f"*-{lesson}.md")
    assert f"# {title}" in file.read_text(encoding="utf-8").splitlines()


def test_a_course_of_ones_own_without_that_lesson_is_led_to_by_its_contents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operator's lessons have the ids that their files have."""
    (tmp_path / "en").mkdir()
    (tmp_path / "en/1-my-own.md").write_text((TEXTS / "en/1-what-is-a-hook.md").read_text("utf-8"), "utf-8")
    monkeypatch.setenv(OWN, str(tmp_path))
    lesson, title = lesson_of("photo", "en")
    assert lesson == ""
    assert title
