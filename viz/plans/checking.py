"""Checks of plans: their looks, their answers, and their equality across languages."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..course.alone import Alone
from ..course.blocks import LessonError
from ..course.checking import look_wrong, missing_types
from ..course.found import StepResult
from ..course.lesson import Lesson
from ..course.tasks import StepRun
from ..profile.rows import LayerRow
from ..request.look import look_from_query
from ..text_files import languages
from .answers import answer_wrong
from .folder import read_plans
from .noise import without_assertions
from .plan import Plan, PlanStep

Plans = Mapping[str, tuple[Plan, ...]]
Rows = Callable[[str], Sequence[LayerRow]]
"""A net's name → its layers."""
Each = Callable[[Sequence[Alone]], Sequence[StepResult]]
EXAMPLE = "en/1-what-a-convolution-sees.md"


def read_all(folder: Path) -> tuple[Plans, list[str]]:
    """Return a folder's plans by language, and a sentence for each failure."""
    found: dict[str, tuple[Plan, ...]] = {}
    wrong: list[str] = []
    for language in languages(folder) if folder.is_dir() else ():
        try:
            found[language] = read_plans(folder, language)
        except LessonError as error:
            wrong.append(str(error))
    if not wrong and not any(found.values()):
        wrong.append(f"{folder}: here is no folder of a language with plans, such as {EXAMPLE}.")
    return found, wrong


def compared(plans: Plans) -> list[str]:
    """Return a sentence for each difference between the languages."""
    return [
        each
        for (_, ours), (language, its) in pairwise(plans.items())
        for each in _differences(ours, its, language)
    ]


def _differences(plans: Sequence[Plan], others: Sequence[Plan], language: str) -> Iterator[str]:
    ids, other_ids = [each.id for each in plans], [each.id for each in others]
    if ids != other_ids:
        yield f"{language}: the plans are {', '.join(other_ids)}; in the first language {', '.join(ids)}."
        return
    for plan, other in zip(plans, others, strict=True):
        if (plan.net, plan.picture) != (other.net, other.picture):
            yield f"{other.path}:1: net and picture are not those of {plan.path}."
        if len(plan.steps) != len(other.steps):
            yield f"{other.path}:1: it has {len(other.steps)} steps, and {plan.path} has {len(plan.steps)}."
            continue
        for step, its in zip(plan.steps, other.steps, strict=True):
            for name, value in _shared(step).items():
                if _shared(its)[name] != value:
                    yield f"{other.path}:{its.line}: {name} is not that of {plan.path}:{step.line}."


def _shared(step: PlanStep) -> dict[str, Any]:
    """Return a step's parts that must be equal in all languages."""
    question = step.question
    return {
        "the look": (step.look, step.net, step.picture),
        "the time": step.minutes,
        "the code": ast.dump(ast.parse(step.code)),
        "what is asked": question and (question.kind, question.answer, question.guess),
        "the choices": question and [choice.value for choice in question.choices],
    }


def nets_checked(plans: Sequence[Plan], nets: Sequence[str], pictures: Sequence[str]) -> list[str]:
    """Return a sentence for each step without a known model or picture."""
    known = (("net", nets, "the catalogue has no model"), ("picture", pictures, "there is no sample"))
    return [
        f"{plan.path}:{step.line}: {sentence} {said}."
        if said
        else f"{plan.path}:{step.line}: neither the step nor the plan has a header {name}."
        for plan in plans
        for step in plan.steps
        for name, names, sentence in known
        if (said := getattr(step, name) or getattr(plan, name)) not in names
    ]


def looks_checked(plans: Sequence[Plan], rows: Rows, lessons: Sequence[Lesson]) -> list[str]:
    """Return a sentence for each look that the net or course lacks."""
    return [
        f"{plan.path}:{step.line}: {why}"
        for plan in plans
        for step in plan.steps
        for why in (*look_wrong(step.look, rows(step.net or plan.net)), *_lesson_wrong(step.look, lessons))
    ]


def types_checked(plans: Sequence[Plan], rows: Rows) -> list[str]:
    """Return a sentence for each named layer type that no net has."""
    return [
        f"{plan.path}:{plan.steps[place].line}: no net of this plan has a layer {name}."
        for plan in plans
        for place, name in missing_types(
            [(" ".join(_sentences(step)), step.code) for step in plan.steps],
            {row.type for step in plan.steps for row in rows(step.net or plan.net)},
        )
    ]


def _sentences(step: PlanStep) -> Iterator[str]:
    """Return a step's texts for class and teacher."""
    yield from (step.title, *step.text, *step.note)
    if step.question:
        yield from (step.question.text, *step.question.why)
        yield from (text for choice in step.question.choices for text in (choice.words, choice.why))


def _lesson_wrong(text: str, lessons: Sequence[Lesson]) -> Iterator[str]:
    look, _ = look_from_query(text)
    if not look.lesson:
        return
    found = next((lesson for lesson in lessons if lesson.id == look.lesson), None)
    if found is None:
        yield f"the course has no lesson {look.lesson}."
    elif look.lesson_step and look.lesson_step > len(found.steps):
        yield f"the lesson {look.lesson} has {len(found.steps)} steps: there is no step {look.lesson_step}."


def answers_checked(plans: Sequence[Plan], picture: Callable[[str], str], each: Each) -> list[str]:
    """Return a sentence for each answer not borne out by its net.

    Args:
        plans: plans in one language.
        picture: a sample's name → its file.
        each: runs code, each in a fresh process.
    """
    steps = [(plan, step) for plan in plans for step in plan.steps if step.code or step.question]
    found = iter(each([alone(plan, step, step.code, picture) for plan, step in steps if step.code]))
    return [
        f"{plan.path}:{step.line}: {why}"
        for plan, step in steps
        for why in (_step_wrong(step, next(found)) if step.code else ("no code makes the right answer.",))
    ]


def noise_checked(plans: Sequence[Plan], noisy: Callable[[str], str], each: Each) -> list[str]:
    """Return a sentence for each answer that invisible noise changes.

    A number may be as far off as its guess may. Answers with scores have margins of their own.

    Args:
        plans: plans in one language.
        noisy: a sample's name → a file of it with noise.
        each: runs code, each in a fresh process.
    """
    steps = [(plan, step) for plan in plans for step in plan.steps if _may_be_narrow(step)]
    found = each([alone(plan, step, without_assertions(step.code), noisy) for plan, step in steps])
    return [
        f"{plan.path}:{step.line}: with noise that no eye sees, {why}"
        for (plan, step), came in zip(steps, found, strict=True)
        for why in _step_wrong(step, came, within=_within(step))
    ]


def alone(plan: Plan, step: PlanStep, code: str, picture: Callable[[str], str]) -> Alone:
    """Return a run of code on a step's net and picture."""
    return step.net or plan.net, StepRun(code), picture(step.picture or plan.picture)


def _may_be_narrow(step: PlanStep) -> bool:
    """Check whether an answer depends on the picture, without a score."""
    return step.question is not None and step.question.kind in ("choice", "number") and "picture" in step.code


def _within(step: PlanStep) -> float:
    return step.question.guess.within if step.question and step.question.guess else 0.0


def _step_wrong(step: PlanStep, found: StepResult, *, within: float = 0.0) -> Iterator[str]:
    if found.error:
        yield f"the code fails: {found.error}"
    elif step.question:
        yield from answer_wrong(step.question, "".join(found.printed[-1:]), within=within)
