"""Folders of lessons: a folder per language, a file per lesson."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..errors import RequestError
from ..text_files import id_of, in_order, spoken
from .blocks import LessonError, text_in
from .lesson import Lesson
from .reading import lesson_from

TEXTS = Path(__file__).with_name("texts")
OWN = "LAYERGLASS_LESSONS"  # an operator's own folder, in place of ours


def home(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the served lessons: the operator's, or ours."""
    own = environment.get(OWN)
    return Path(own) if own else TEXTS


def read_lessons(folder: Path, language: str) -> tuple[Lesson, ...]:
    """Return the lessons of a folder in one language, in their order.

    Raises:
        LessonError: one of them cannot be read.
        OSError: there is no such folder.
    """
    files = in_order(folder, language)
    return tuple(_read(file) for file in files)


def _read(file: Path) -> Lesson:
    name = id_of(file)
    path = f"{file.parent.name}/{file.name}"
    if not name:
        raise LessonError(path, 1, "a lesson's file is named like 3-calls.md: its place, and its id.")
    return lesson_from(text_in(file, path), name, path)


@cache
def served(language: str) -> tuple[Lesson, ...]:
    """Return the served lessons in a language, or else in English.

    Raises:
        LessonError: one of them cannot be read.
    """
    folder = home()
    return read_lessons(folder, spoken(folder, language))


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
