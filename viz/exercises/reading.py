"""Reading of an exercise's file, whose faults are refused with their line."""

import ast
from collections.abc import Mapping, Sequence
from typing import cast

from ..sentences import Sentence
from .exercise import DEFAULT_NET, HINTS, YOURS, Exercise, Goal, Guess, Mistake
from .refusal import ExerciseError
from .sections import Section, sections

HEADERS = ("about", "net", "picture", "same", "draw", "hooks", "uses", "guess", "runs", "gradients")
SECTIONS = ("Start", "Hint", "Mistake", "Solution")
_GUESSES = ("changed", "same")
Parts = Mapping[str, Sequence[Section]]


def exercise_from(text: str, identity: str, path: str) -> Exercise:
    """Return the exercise that a file's text says.

    Args:
        text: the whole file.
        identity: the exercise's id, which its file's name says.
        path: the file, as errors name it.

    Raises:
        ExerciseError: the text says something that cannot be.
    """
    first, *others = sections(text, path)
    _check_headers(first, others, path)
    parts = {name: [part for part in others if part.heading == name] for name in SECTIONS}
    _check_parts(first, parts, path)
    (start,), (solution,) = parts["Start"], parts["Solution"]
    return Exercise(
        id=identity,
        title=first.heading,
        about=_said(first, "about", path),
        net=_said(first, "net", path, DEFAULT_NET),
        picture=_said(first, "picture", path, YOURS),
        gradients=_said(first, "gradients", path, "no") == "yes",
        goal=_goal(first, path),
        task=tuple(first.paragraphs),
        start=_code(start, path),
        hints=tuple(_text(hint, path) for hint in parts["Hint"]),
        mistakes=tuple(Mistake(_text(each, path), _code(each, path), each.line) for each in parts["Mistake"]),
        solution=_code(solution, path),
        why=_text(solution, path),
        path=path,
    )


def _check_parts(first: Section, parts: Parts, path: str) -> None:
    """Refuse a file with missing or surplus sections, or no task."""
    hints = len(parts["Hint"])
    for name in ("Start", "Solution"):
        count = len(parts[name])
        if count != 1:
            line = parts[name][1].line if parts[name] else first.line
            raise ExerciseError(
                path,
                line,
                Sentence("there are {count} sections ## {name}; write one.", count=count, name=name),
            )
    if hints != HINTS:
        raise ExerciseError(
            path,
            first.line,
            Sentence("there are {count} sections ## Hint; write {most}.", count=hints, most=HINTS),
        )
    if not first.paragraphs:
        raise ExerciseError(path, first.line, Sentence("write the task below the title."))


def _check_headers(first: Section, others: list[Section], path: str) -> None:
    for name, (_, line) in first.headers.items():
        if name not in HEADERS:
            raise ExerciseError(
                path,
                line,
                Sentence(
                    "there is no header {name}; there are {names}.", name=name, names=", ".join(HEADERS)
                ),
            )
    for part in others:
        if part.heading not in SECTIONS:
            raise ExerciseError(
                path,
                part.line,
                Sentence(
                    "there is no section {name}; there are {names}.",
                    name=part.heading,
                    names=", ".join(SECTIONS),
                ),
            )
        for _, line in part.headers.values():
            raise ExerciseError(path, line, Sentence("headers stand below the title alone."))


def _said(first: Section, name: str, path: str, otherwise: str | None = None) -> str:
    if name in first.headers:
        return first.headers[name][0]
    if otherwise is None:
        raise ExerciseError(path, first.line, Sentence("the header {name} is missing.", name=f"{name}:"))
    return otherwise


def _text(section: Section, path: str) -> str:
    if not section.paragraphs:
        raise ExerciseError(path, section.line, Sentence("this section needs a sentence."))
    return " ".join(section.paragraphs)


def _code(section: Section, path: str) -> str:
    if section.code is None:
        raise ExerciseError(
            path, section.line, Sentence("this section needs code between lines of {fence}.", fence="```")
        )
    try:
        ast.parse(section.code)
    except SyntaxError as error:
        line = section.code_line + (error.lineno or 1) - 1
        raise ExerciseError(
            path, line, Sentence("Python cannot read this line: `{said}`.", said=error.msg)
        ) from None
    return section.code


def _goal(first: Section, path: str) -> Goal:
    same = _names(first, "same", path)
    guess = _guess(first, path)
    if not same and guess is None:
        raise ExerciseError(
            path, first.line, Sentence("say what an answer must reach, by the header same: or guess:")
        )
    return Goal(
        same=same,
        draw=_names(first, "draw", path) or same[:1],
        hooks=_count(first, "hooks", path),
        uses=_names(first, "uses", path),
        guess=guess,
        runs=_count(first, "runs", path),
    )


def _names(first: Section, header: str, path: str) -> tuple[str, ...]:
    value, line = first.headers.get(header, ("", 0))
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    for name in names:
        if not name.isidentifier():
            raise ExerciseError(
                path,
                line,
                Sentence("{header}: names such as maps, kept; not {name}.", header=header, name=name),
            )
    return names


def _count(first: Section, header: str, path: str) -> int:
    value, line = first.headers.get(header, ("0", 0))
    if not (value.isascii() and value.isdigit()):
        raise ExerciseError(
            path, line, Sentence("{header}: a whole number, not {value}.", header=header, value=value)
        )
    return int(value)


def _guess(first: Section, path: str) -> tuple[str, Guess] | None:
    value, line = first.headers.get("guess", ("", 0))
    if not value:
        return None
    name, _, what = value.partition(" ")
    if what not in _GUESSES or not name.isidentifier():
        raise ExerciseError(
            path, line, Sentence("guess: a name and changed or same, such as guess: scores changed.")
        )
    return name, cast("Guess", what)
