"""Where lessons lie: a folder for each language, and in it a file for each lesson, in their order."""

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..errors import RequestError
from .blocks import LessonError
from .lesson import Lesson
from .reading import lesson_from

TEXTS = Path(__file__).with_name("texts")
OWN = "LAYERGLASS_LESSONS"  # an operator's own folder, in place of ours
FIRST_LANGUAGE = "en"
_NAME = re.compile(r"([0-9]+)-([a-z][a-z0-9-]*)\.md")


def home(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the lessons that are served: the operator's own, or ours."""
    own = environment.get(OWN)
    return Path(own) if own else TEXTS


def languages(folder: Path) -> list[str]:
    """Return the languages of a folder of lessons: the names of the folders in it."""
    return sorted(each.name for each in folder.iterdir() if each.is_dir())


def read_lessons(folder: Path, language: str) -> tuple[Lesson, ...]:
    """Return the lessons of a folder in one language, in their order.

    Raises:
        LessonError: one of them cannot be read.
        OSError: there is no such folder.
    """
    files = sorted((folder / language).glob("*.md"), key=_place)
    return tuple(_read(file) for file in files)


def _place(file: Path) -> tuple[int, str]:
    said = _NAME.fullmatch(file.name)
    return (int(said[1]) if said else 0), file.name


def _read(file: Path) -> Lesson:
    said = _NAME.fullmatch(file.name)
    path = f"{file.parent.name}/{file.name}"
    if said is None:
        raise LessonError(path, 1, "a lesson's file is named like 3-calls.md: its place, and its id.")
    return lesson_from(file.read_text(encoding="utf-8"), said[2], path)


@cache
def served(language: str) -> tuple[Lesson, ...]:
    """Return the lessons that are served, in a language, or in English where they do not speak it.

    Raises:
        LessonError: one of them cannot be read.
    """
    folder = home()
    spoken = languages(folder)
    return read_lessons(folder, next(each for each in (language, FIRST_LANGUAGE, *spoken) if each in spoken))


def find(lessons: tuple[Lesson, ...], identity: str) -> Lesson:
    """Return the lesson with this id.

    Raises:
        RequestError: there is none.
    """
    for lesson in lessons:
        if lesson.id == identity:
            return lesson
    raise RequestError(
        "the course has no lesson {identity}: it has {ids}.",
        identity=repr(identity[:40]),
        ids=", ".join(lesson.id for lesson in lessons),
    )
