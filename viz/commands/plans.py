"""``plans check``: faults of lesson plans in all languages, and the quiz."""

import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from ..catalogue import models
from ..course.alone import each_alone
from ..course.folder import TEXTS as LESSONS
from ..course.folder import read_lessons
from ..engine.engine import LocalEngine
from ..engine.task import Task
from ..pictures.samples import sample, sample_names
from ..pictures.subject import Subject
from ..plans.checking import (
    answers_checked,
    compared,
    looks_checked,
    nets_checked,
    noise_checked,
    read_all,
    types_checked,
)
from ..plans.folder import TEXTS
from ..plans.given_away import telling_checked
from ..plans.noise import with_noise
from ..plans.on_screen import screens_checked
from ..profile.rows import LayerRow
from ..quiz.checking import checked_quizzes
from ..quiz.question import Question
from ..quiz.scene import reads_signals
from ..quiz.subjects import quiz_task
from ..request.look import Level
from ..text_files import FIRST_LANGUAGE, spoken
from ..views.whole_model import Survey

LayersOf = Callable[[Subject], tuple[LayerRow, ...]]


def checked_plans(
    folder: Path | None, survey: LayersOf, load: Callable[[str, str], Subject]
) -> tuple[int, list[str]]:
    """Return the number of steps of a folder's plans, and the faults.

    Steps count in every language, and each fault is a sentence.

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
    for language, each in plans.items():
        lessons = read_lessons(LESSONS, spoken(LESSONS, language))
        wrong += telling_checked(each, rows, lessons) + types_checked(each, rows)
    with tempfile.TemporaryDirectory() as place:

        @cache
        def picture(name: str, *, noisy: bool = False) -> str:
            file = Path(place, f"{name}-{noisy}.png")
            (with_noise(sample(name)) if noisy else sample(name)).save(file)
            return str(file)

        wrong += screens_checked(first, picture, each_alone) + answers_checked(first, picture, each_alone)
        return steps, wrong + noise_checked(first, partial(picture, noisy=True), each_alone)


def quiz_checked(load: Callable[[str, str], Subject]) -> tuple[int, list[str]]:
    """Return how many quiz questions were made, and their faults.

    There is a sentence for each question that cannot be answered.
    """
    engine = LocalEngine(load, device="cpu")

    def ask(seed: int, number: int, level: Level) -> Question:
        task: Task[Question] = quiz_task(seed, number, level)
        return engine.do(task, visitor="check").result()

    @cache
    def of_signals(net: str) -> bool:
        return reads_signals(engine.do(Survey(net, "pretrained"), visitor="check").result())

    try:
        return checked_quizzes(ask, of_signals)
    finally:
        engine.close()
