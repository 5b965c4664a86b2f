"""Checks of lessons: their looks, code, answers and languages."""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from torch import nn

from ..errors import VizError
from ..findings.edit_checks import check_edits
from ..profile.rows import LayerRow
from ..request.edit_request import edits_from
from ..request.look import look_from_query
from ..text_files import languages
from .alone import Alone
from .blocks import LessonError
from .folder import read_lessons
from .found import StepResult
from .lesson import Lesson, Step
from .same import differences
from .tasks import claims_of, run_of

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
TYPES = frozenset(
    name
    for name, found in vars(nn).items()
    if isinstance(found, type) and issubclass(found, nn.Module) and re.search(r".[A-Z0-9]", name)
)
"""Those that are no words of a language, as Linear or Softmax are."""
IMAGES = 4  # axes of (N, C, H, W)
Rows = Callable[[str], Sequence[LayerRow]]
"""A net's name → its layers. May raise what the catalogue raises."""
Each = Callable[[Sequence[Alone]], Sequence[StepResult]]
Lessons = Mapping[str, tuple[Lesson, ...]]


def read_all(folder: Path) -> tuple[Lessons, list[str]]:
    """Return a folder's lessons by language, and a sentence per fault.

    Lessons of a language in which one cannot be read are left out.
    """
    found: dict[str, tuple[Lesson, ...]] = {}
    wrong: list[str] = []
    for language in languages(folder) if folder.is_dir() else ():
        try:
            found[language] = read_lessons(folder, language)
        except LessonError as error:
            wrong.append(str(error))
    if not wrong and not any(found.values()):
        wrong.append(
            f"{folder}: here is no folder of a language with lessons, such as en/1-what-is-a-hook.md."
        )
    return found, wrong


def compared(lessons: Lessons) -> list[str]:
    """Return a sentence for each difference between the languages."""
    return [
        each
        for (_, ours), (language, its) in pairwise(lessons.items())
        for each in differences(ours, its, language)
    ]


def looks_checked(lessons: Sequence[Lesson], rows: Rows) -> list[str]:
    """Return a sentence for each impossible look of a lesson.

    Its net does not have what the look is of.
    """
    return [
        f"{lesson.path}:{step.line}: {why}"
        for lesson in lessons
        for step in lesson.steps
        for why in look_wrong(step.look, rows(lesson.net))
    ]


def types_checked(lessons: Sequence[Lesson], rows: Rows) -> list[str]:
    """Return a sentence for each type that a net does not have.

    It is a type of layer that the net's lesson names.
    """
    return [
        f"{lesson.path}:{lesson.steps[place].line}: {lesson.net} has no {name}."
        for lesson in lessons
        for place, name in missing_types(
            [(" ".join(_sentences(step)), step.code) for step in lesson.steps],
            {row.type for row in rows(lesson.net)},
        )
    ]


def missing_types(steps: Iterable[tuple[str, str]], types: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield each named type that is missing, after its step's place.

    Places are from 0; neither the net nor the step's code has the type.

    A family's name will do once the member that the net has is named too: ReLU beside ReLU6.

    Args:
        steps: the sentences of each, and its code.
        types: of the net's layers.
    """
    members: set[str] = set()
    for place, (text, code) in enumerate(steps):
        named = [word for word in dict.fromkeys(_WORD.findall(text)) if word in TYPES]
        members.update(name for name in named if name in types)
        there = {*types, *_WORD.findall(code)}
        for name in named:
            if name not in there and not any(member.startswith(name) for member in members):
                yield place, name


def _sentences(step: Step) -> Iterator[str]:
    """Return a step's texts that a student reads, in this order."""
    yield from (step.title, *step.text, step.question, *step.after)
    yield from (text for choice in step.choices for text in (choice.words, choice.why))
    yield from (shown.caption for shown in (*step.draw, *step.maps))


def look_wrong(text: str, rows: Sequence[LayerRow]) -> Iterator[str]:
    """Yield a sentence for each thing in a look that cannot be.

    A net of these layers does not have it.
    """
    look, vain = look_from_query(text)
    for each in vain:
        yield f"the look says {each.name}={each.value}, which cannot be."
    row = next((row for row in rows if row.name == look.layer), None)
    if look.layer and row is None:
        yield f"the net has no layer {look.layer}."
    elif row is not None and look.call >= max(1, row.calls):
        yield f"{look.layer} runs {row.calls} times: there is no call {look.call + 1}."
    elif row is not None and look.channel is not None:
        shape = next(iter(row.shapes), None) or ()
        if len(shape) == IMAGES and look.channel >= shape[1]:
            yield f"{look.layer} has {shape[1]} channels, counted from 0: there is no channel {look.channel}."
    try:
        check_edits(edits_from(look.edit), rows)
    except VizError as error:
        yield f"the look's edit cannot be: {error}"


def run_checked(lessons: Sequence[Lesson], pictures: Sequence[str], each: Each) -> list[str]:
    """Return a sentence for each mismatch between a run and its text.

    Args:
        lessons: lessons in one language; their code is the same in the others.
        pictures: the files of a few pictures: what holds for one of them only is no answer.
        each: runs steps, each in a fresh process.
    """
    wanted = [
        (lesson, step, picture)
        for lesson in lessons
        for step in lesson.steps
        for picture in pictures
        if step.code
    ]
    found = each([(lesson.net, run_of(step), picture) for lesson, step, picture in wanted])
    return _by_picture(wanted, found, run_wrong)


def claims_checked(lessons: Sequence[Lesson], pictures: Sequence[str], each: Each) -> list[str]:
    """Return a sentence for each claim that is false of a picture.

    Args:
        lessons: see ``run_checked``, and so for ``each``.
        pictures: the files of many pictures, because a claim is made of a visitor's own.
        each: runs steps, each in a fresh process.
    """
    wanted = [
        (lesson, step, picture)
        for lesson in lessons
        for step in lesson.steps
        for picture in pictures
        if step.holds
    ]
    found = each([(lesson.net, claims_of(step), picture) for lesson, step, picture in wanted])
    return _by_picture(wanted, found, lambda _, came: _claims_wrong(came))


def _by_picture(
    wanted: Sequence[tuple[Lesson, Step, str]],
    found: Iterable[StepResult],
    wrong: Callable[[Step, StepResult], Iterable[str]],
) -> list[str]:
    """Return each fault of the runs with its lesson, line and picture."""
    return [
        f"{lesson.path}:{step.line}: {why} (on {Path(picture).stem})"
        for (lesson, step, picture), came in zip(wanted, found, strict=True)
        for why in wrong(step, came)
    ]


def _claims_wrong(found: StepResult) -> Iterator[str]:
    if found.error:
        yield f"the code fails: {found.error}"
    for claim, said in found.values:
        if said != "True":
            yield f"{claim} is {said}."


def run_wrong(step: Step, found: StepResult) -> Iterator[str]:
    """Yield a sentence for each mismatch between a run and its step."""
    if found.error:
        yield f"the code fails: {found.error}"
        return
    if step.choices and found.answer not in [choice.value for choice in step.choices]:
        yield f"the answer is {found.answer}, and no choice says that."
    if step.maps and found.place is None:
        yield "the answer is none of the maps."
    yield from (f"map {place + 1} looks like the right one." for place in found.alike)
    if step.guess and not _is_between(found.answer, step.guess.least, step.guess.most):
        yield f"the answer is {found.answer}, no number from {step.guess.least:g} to {step.guess.most:g}."
    unlit = sorted(set(step.lit) - set(found.ran) - _not_run(step.code))
    if unlit:
        yield f"line {unlit[0]} of the code is lit and does not run."


def _is_between(text: str, least: float, most: float) -> bool:
    try:
        return least <= float(text) <= most
    except ValueError:
        return False


def _not_run(code: str) -> set[int]:
    """Lines that a run does not name, such as continued ones."""
    begins = {node.lineno for node in ast.walk(ast.parse(code)) if isinstance(node, ast.stmt)}
    return set(range(1, code.count("\n") + 2)) - begins


def exercises_checked(lessons: Sequence[Lesson], known: Callable[[str], bool] | None) -> list[str]:
    """Return a sentence for each exercise that does not exist.

    There is none if nobody knows which exercises exist.
    """
    if known is None:
        return []
    return [
        f"{lesson.path}:1: there is no exercise {each}."
        for lesson in lessons
        for each in lesson.exercises
        if not known(each)
    ]
