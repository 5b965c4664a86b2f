"""Folder of exercises: a folder per language, a file per exercise."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..errors import RequestError
from ..sentences import Sentence
from ..text_files import id_of, in_order, spoken, text_of
from .exercise import Exercise
from .reading import exercise_from
from .refusal import ExerciseError

TEXTS = Path(__file__).with_name("texts")
OWN = "LAYERGLASS_EXERCISES"  # an operator's own folder, in place of ours


def home(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of served exercises: the operator's, or ours."""
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
    not_utf8 = Sentence("this is not UTF-8: save the file as UTF-8.")
    return exercise_from(text_of(file, lambda line: ExerciseError(path, line, not_utf8)), name, path)


@cache
def served(language: str) -> tuple[Exercise, ...]:
    """Return the served exercises in a language, or in English.

    They are in English where there are none in that language.

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
