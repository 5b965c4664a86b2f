"""``lessons check``: faults of a folder of lessons in all languages."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from ..catalogue import models
from ..course.alone import each_alone
from ..course.checking import (
    claims_checked,
    compared,
    exercises_checked,
    looks_checked,
    read_all,
    run_checked,
    types_checked,
)
from ..course.folder import home
from ..pictures.samples import sample, sample_names
from ..pictures.subject import Subject
from ..profile.rows import LayerRow

PICTURES = ("cat", "rocket")  # what holds for both is no accident of one of them
PACKAGE = Path(__file__).parents[1]
Survey = Callable[[Subject], tuple[LayerRow, ...]]


def checked_lessons(
    folder: Path | None, survey: Survey, load: Callable[[str, str], Subject]
) -> tuple[int, list[str]]:
    """Return the number of steps of a folder's lessons, and the faults.

    Steps count in every language, and each fault is a sentence.

    Args:
        folder: a folder of lessons; None for those that are served.
        survey: a subject → its layers.
        load: (model id, weights) → the subject.
    """
    lessons, wrong = read_all(folder or home())
    steps = sum(len(lesson.steps) for each in lessons.values() for lesson in each)
    if not lessons:
        return steps, wrong
    first = next(iter(lessons.values()))

    @cache
    def rows(net: str) -> tuple[LayerRow, ...]:
        return survey(load(net, "pretrained"))

    unknown = [
        f"{lesson.path}:1: the catalogue has no model {lesson.net}."
        for lesson in first
        if lesson.net not in models.names()
    ]
    wrong += compared(lessons) + exercises_checked(first, known_exercises(PACKAGE)) + unknown
    if unknown:
        return steps, wrong
    with _pictures(PICTURES) as files, _pictures(sample_names()) as many:
        wrong += [each for spoken in lessons.values() for each in types_checked(spoken, rows)]
        wrong += looks_checked(first, rows) + run_checked(first, files, each_alone)
        return steps, wrong + claims_checked(first, many, each_alone)


def known_exercises(package: Path) -> Callable[[str], bool] | None:
    """Return the check of whether an exercise exists, by its id.

    None as long as there are no exercises at all. An exercise is a file such as
    ``exercises/texts/en/11-keep-maps.md``: its place, and its id.
    """
    folder = package / "exercises/texts"
    if not folder.is_dir():
        return None
    ids = {file.stem.partition("-")[2] for file in folder.glob("*/*.md")}
    return lambda identity: identity in ids


@contextmanager
def _pictures(names: Sequence[str]) -> Iterator[list[str]]:
    """A file for each of these pictures that come along."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name in names:
            file = Path(folder, f"{name}.png")
            sample(name).save(file)
            files.append(str(file))
        yield files
