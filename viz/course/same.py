"""Comparison of a lesson in two languages.

Only words may differ, not steps, code and looks.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from .lesson import Lesson, Step


def differences(lessons: Sequence[Lesson], others: Sequence[Lesson], language: str) -> Iterator[str]:
    """Yield a sentence for each difference between the lessons of two languages.

    Args:
        lessons: those that the others are compared with.
        others: the same lessons in another language.
        language: the language of the others.
    """
    ids, other_ids = [each.id for each in lessons], [each.id for each in others]
    if ids != other_ids:
        yield f"{language}: the lessons are {', '.join(other_ids)}; in the first language {', '.join(ids)}."
        return
    for lesson, other in zip(lessons, others, strict=True):
        for name in ("net", "minutes", "exercises"):
            if getattr(lesson, name) != getattr(other, name):
                yield f"{other.path}:1: the header {name} is not that of {lesson.path}."
        if len(lesson.steps) != len(other.steps):
            counts = f"{len(other.steps)} steps, and {lesson.path} has {len(lesson.steps)}"
            yield f"{other.path}:1: it has {counts}."
            continue
        for step, its in zip(lesson.steps, other.steps, strict=True):
            for name in _unlike(step, its):
                yield f"{other.path}:{its.line}: {name} is not that of {lesson.path}:{step.line}."


def _unlike(step: Step, other: Step) -> list[str]:
    """Return the names of parts in which two steps wrongly differ."""
    ours, theirs = _shared(step), _shared(other)
    return [name for name, value in ours.items() if theirs[name] != value]


def _shared(step: Step) -> dict[str, Any]:
    return {
        "the look": step.look,
        "the code": ast.dump(ast.parse(step.code)),  # comments may differ
        "the lit line": step.lit,
        "what is drawn": [shown.expression for shown in step.draw],
        "the maps to choose among": [shown.expression for shown in step.maps],
        "the guess": step.guess and (step.guess.least, step.guess.most, step.guess.within),
        "the answer": step.answer,
        "what holds": step.holds,
        "the choices": [choice.value for choice in step.choices],
        "whether something is asked": bool(step.question),
    }
