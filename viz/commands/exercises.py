"""``exercises check``: whether a folder's exercises can be given to a class."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ..exercises.asked import RunRequest
from ..exercises.checking import faults
from ..exercises.exercise import YOURS, Exercise
from ..exercises.folder import home
from ..exercises.job import check
from ..pictures.samples import sample
from ..pictures.subject import Loader

STANDS_FOR_YOURS = "cat"  # the picture of a visitor who has brought none


def exercise_faults(folder: str | None, load: Loader) -> Iterator[str]:
    """Yield the faults of a folder's exercises.

    Without a folder, these are the exercises that would be served.
    """
    return faults(Path(folder) if folder else home(), partial(_judged, load))


def _judged(load: Loader, exercise: Exercise, code: str) -> tuple[str, ...]:
    picture = sample(STANDS_FOR_YOURS if exercise.picture == YOURS else exercise.picture)
    found = check(load, RunRequest.of(exercise, code), picture)
    return tuple(str(problem.says) for problem in found.problems)
