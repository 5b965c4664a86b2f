"""Folder of exercises: a folder for each language, and in it a file for each exercise, in their order."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..errors import RequestError
from ..sentences import Sentence
from ..text_files import id_of, in_order, spoken
from .exercise import Exercise
from .reading import exercise_from
from .refusal import ExerciseError

TEXTS = Path(__file__).with_name("texts")
OWN = "LAYERGLASS_EXERCISES"  # an operator's own folder, in place of ours


def home(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the exercises that are served: the operator's own, or ours."""
    own = environment.get(OWN)
    return Path(own) if own else TEXTS


def read_exercises(folder: Path, language: str) -> tuple[Exercise, ...]:
    """Return the exercises of a folder in one language, in their order.

    Raises:
        ExerciseError: one of them cannot be read.
        OSError: there is no such folder.
    """
    return tuple(read_exercise(file) for file in in_order(folder, language))


def read_exercise(file: Path) -> Exercise:
    """Return the exercise of a file.

    Raises:
        ExerciseError: it cannot be read.
    """
    name = id_of(file)
    path = f"{file.parent.name}/{file.name}"
    if not name:
        raise ExerciseError(path, 1, Sentence("a file is named like 12-keep.md: its place, and its id."))
    return exercise_from(file.read_text(encoding="utf-8"), name, path)


@cache
def served(language: str) -> tuple[Exercise, ...]:
    """Return the exercises that are served, in a language, or in English where they do not speak it.

    Raises:
        ExerciseError: one of them cannot be read.
    """
    folder = home()
    return read_exercises(folder, spoken(folder, language))


def find(identity: str, language: str) -> Exercise:
    """Return the served exercise with this id.

    Raises:
        RequestError: there is none.
    """
    known = served(language)
    for exercise in known:
        if exercise.id == identity:
            return exercise
    raise RequestError(
        "there is no exercise {identity}: there are {ids}.",
        identity=repr(identity[:40]),
        ids=", ".join(exercise.id for exercise in known),
    )
