"""Where exercises lie: a folder for each language, and in it a file for each exercise, in their order."""

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..errors import RequestError
from ..sentences import Sentence
from .exercise import Exercise
from .reading import exercise_from
from .refusal import ExerciseError

TEXTS = Path(__file__).with_name("texts")
OWN = "LAYERGLASS_EXERCISES"  # an operator's own folder, in place of ours
FIRST_LANGUAGE = "en"
_NAME = re.compile(r"([0-9]+)-([a-z][a-z0-9-]*)\.md")


def home(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the exercises that are served: the operator's own, or ours."""
    own = environment.get(OWN)
    return Path(own) if own else TEXTS


def languages(folder: Path) -> list[str]:
    """Return the languages of a folder of exercises: the names of the folders in it."""
    return sorted(each.name for each in folder.iterdir() if each.is_dir())


def read_exercises(folder: Path, language: str) -> tuple[Exercise, ...]:
    """Return the exercises of a folder in one language, in their order.

    Raises:
        ExerciseError: one of them cannot be read.
        OSError: there is no such folder.
    """
    return tuple(read_exercise(file) for file in sorted((folder / language).glob("*.md"), key=_place))


def read_exercise(file: Path) -> Exercise:
    """Return the exercise of a file.

    Raises:
        ExerciseError: it cannot be read.
    """
    said = _NAME.fullmatch(file.name)
    path = f"{file.parent.name}/{file.name}"
    if said is None:
        raise ExerciseError(path, 1, Sentence("a file is named like 12-keep.md: its place, and its id."))
    return exercise_from(file.read_text(encoding="utf-8"), said[2], path)


def _place(file: Path) -> tuple[int, str]:
    said = _NAME.fullmatch(file.name)
    return (int(said[1]) if said else 0), file.name


@cache
def served(language: str) -> tuple[Exercise, ...]:
    """Return the exercises that are served, in a language, or in English where they do not speak it.

    Raises:
        ExerciseError: one of them cannot be read.
    """
    folder = home()
    spoken = languages(folder)
    return read_exercises(
        folder, next(each for each in (language, FIRST_LANGUAGE, *spoken) if each in spoken)
    )


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
