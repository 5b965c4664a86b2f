"""Exercises as HTML for the browser, and answers' results in words."""

import html
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from ...answers.teaching.exercises import (
    AnswerFacts,
    AnswerProblem,
    ExerciseFacts,
    ExerciseGroup,
    ExerciseHelp,
    ExerciseList,
    ExerciseName,
    ShownValue,
    ValuePair,
)
from ...errors import RequestError
from ...exercises.exercise import Exercise
from ...exercises.folder import served
from ...exercises.subset.bounds import LONGEST_CODE
from ...sentences import Sentence
from ..locale.translated import translated
from .rendered import rendered


def exercise_list(language: str) -> ExerciseList:
    """Every exercise, in groups.

    Raises:
        ExerciseError: one of them cannot be read.
    """
    groups = groupby(served(language), key=lambda exercise: exercise.about)
    return ExerciseList(
        groups=tuple(
            ExerciseGroup(
                about=about, exercises=tuple(ExerciseName(id=each.id, title=each.title) for each in group)
            )
            for about, group in groups
        )
    )


def exercise_facts(exercise: Exercise, *, whole: bool) -> ExerciseFacts:
    """One exercise, without its hints and its solution."""
    return ExerciseFacts(
        id=exercise.id,
        title=exercise.title,
        task=tuple(map(rendered, exercise.task)),
        start=exercise.start,
        hints=len(exercise.hints),
        longest=LONGEST_CODE,
        whole=whole,
    )


def exercise_help(exercise: Exercise, step: int) -> ExerciseHelp:
    """A hint, counted from 0; after the last one comes the solution.

    Raises:
        RequestError: there is no more help.
    """
    if step < len(exercise.hints):
        return ExerciseHelp(text=rendered(exercise.hints[step]), code=None)
    if step > len(exercise.hints):
        raise RequestError("this exercise has {count} hints and a solution.", count=len(exercise.hints))
    return ExerciseHelp(text=rendered(exercise.why), code=exercise.solution)


def answer_found(exercise: Exercise, found: Mapping[str, Any], language: str) -> AnswerFacts:
    """Return the facts of an answer, from its process's report."""
    problems = tuple(
        AnswerProblem(text=said_in_html(Sentence.from_plain(each["says"]), language), line=each["line"])
        for each in found["problems"]
    )
    return AnswerFacts(
        right=not problems,
        problems=problems,
        advice=rendered(found["advice"]),
        why="" if problems else rendered(exercise.why),
        printed=tuple(found["printed"]),
        pairs=tuple(_pair(each) for each in found["pairs"]),
        guesses=tuple(found["guesses"]),
    )


def said_in_html(sentence: Sentence, language: str) -> str:
    """Return a sentence as HTML, with filled-in values as plain text."""
    values = sentence.values
    open_places = {name: f"{{{name}}}" for name in values} | {"count": values.get("count", 0)}
    template = Sentence.of_count(sentence.english, sentence.many, open_places if values else {})
    filled = {
        name: html.escape(str(translated(value, language) if isinstance(value, str) else value))
        for name, value in values.items()
    }
    return (
        rendered(translated(template, language)).format(**filled)
        if values
        else rendered(translated(template, language))
    )


def _pair(pair: Mapping[str, Any]) -> ValuePair:
    shown = {name: pair[name] and ShownValue(**pair[name]) for name in ("yours", "wanted")}
    return ValuePair(**{**pair, **shown})
