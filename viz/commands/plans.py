"""``plans check``: whether a folder of lesson plans is true, in all of its languages."""

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from ..catalogue import models
from ..course.alone import each_alone
from ..course.folder import TEXTS as LESSONS
from ..course.folder import read_lessons
from ..pictures.samples import sample, sample_names
from ..pictures.subject import Subject
from ..plans.checking import answers_checked, compared, looks_checked, nets_checked, read_all
from ..plans.folder import TEXTS
from ..profile.rows import LayerRow
from ..text_files import FIRST_LANGUAGE

Survey = Callable[[Subject], tuple[LayerRow, ...]]


def checked_plans(
    folder: Path | None, survey: Survey, load: Callable[[str, str], Subject]
) -> tuple[int, list[str]]:
    """Return how many steps a folder of plans has, in all languages, and a sentence for each fault.

    Args:
        folder: a folder of plans; None for those that come along.
        survey: a subject → its layers.
        load: (model id, weights) → the subject.
    """
    plans, wrong = read_all(folder or TEXTS)
    steps = sum(len(plan.steps) for each in plans.values() for plan in each)
    if not plans:
        return steps, wrong
    first = next(iter(plans.values()))
    unknown = nets_checked(first, models.names(), sample_names())
    wrong += compared(plans) + unknown
    if unknown:
        return steps, wrong

    @cache
    def rows(net: str) -> tuple[LayerRow, ...]:
        return survey(load(net, "pretrained"))

    wrong += looks_checked(first, rows, read_lessons(LESSONS, FIRST_LANGUAGE))
    with tempfile.TemporaryDirectory() as place:

        @cache
        def picture(name: str) -> str:
            file = Path(place, f"{name}.png")
            sample(name).save(file)
            return str(file)

        return steps, wrong + answers_checked(first, picture, each_alone)
