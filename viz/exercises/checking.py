"""Checks of exercises: readable, equal in all languages, and solved."""

import ast
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from ..errors import VizError
from ..text_files import languages
from .exercise import Exercise
from .folder import read_exercise
from .refusal import ExerciseError

Judged = Callable[[Exercise, str], tuple[str, ...]]
"""An exercise and an answer → what is wrong with the answer, in sentences."""


def faults(folder: Path, judged: Judged) -> Iterator[str]:
    """Yield the faults of a folder's exercises, with file and line."""
    spoken = languages(folder) if folder.is_dir() else []
    found: list[tuple[str, Exercise]] = []
    for language in spoken:
        for file in sorted((folder / language).glob("*.md")):
            try:
                found.append((language, read_exercise(file)))
            except ExerciseError as error:
                yield str(error)
    if not found:
        yield f"{folder}: here is no folder of a language with exercises, such as en/1-keep.md."
    found.sort(key=lambda each: each[1].id)
    for _, group in groupby(found, key=lambda each: each[1].id):
        told = dict(group)
        first, *others = told.values()
        yield from (f"{first.path}:1: it is missing in {each}/." for each in spoken if each not in told)
        for other in others:
            yield from _unlike(first, other)
        yield from _unsolved(first, judged)


def _unlike(first: Exercise, other: Exercise) -> Iterator[str]:
    """Yield forbidden differences between an exercise's languages."""
    for what in ("net", "picture", "gradients", "goal"):
        if getattr(first, what) != getattr(other, what):
            yield f"{other.path}:1: its headers say something else than those of {first.path} ({what})."
    pairs = [("Start", first.start, other.start), ("Solution", first.solution, other.solution)]
    pairs += [("Mistake", a.code, b.code) for a, b in zip(first.mistakes, other.mistakes, strict=False)]
    for what, ours, theirs in pairs:
        if ast.dump(ast.parse(ours)) != ast.dump(ast.parse(theirs)):
            yield f"{other.path}:1: its code below ## {what} does something else than that of {first.path}."
    if len(first.mistakes) != len(other.mistakes):
        numbers = len(other.mistakes), len(first.mistakes)
        yield f"{other.path}:1: it has {numbers[0]} mistakes, {first.path} has {numbers[1]}."


def _unsolved(exercise: Exercise, judged: Judged) -> Iterator[str]:
    """Yield wrong solutions, and beginnings or mistakes that are right."""
    try:
        for problem in judged(exercise, exercise.solution):
            yield f"{exercise.path}:1: its solution is not right: {problem}"
        if not judged(exercise, exercise.start):
            yield f"{exercise.path}:1: the code to begin with is right already."
        for mistake in exercise.mistakes:
            if not judged(exercise, mistake.code):
                yield f"{exercise.path}:{mistake.line}: this mistake is a right answer."
    except VizError as error:
        yield f"{exercise.path}:1: {error}"
