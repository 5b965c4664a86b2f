"""Parsing of predictions before a run: choices, or a number."""

import re
from collections.abc import Iterable

from .blocks import LessonError, TextBlock
from .lesson import Choice, Guess

NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
GUESS = re.compile(rf"({NUMBER.pattern}) to ({NUMBER.pattern}) within ({NUMBER.pattern})(?: (\S+))?")


def choices_in(blocks: Iterable[TextBlock], line: int, path: str) -> tuple[Choice, ...]:
    """Return a step's choices, each with its reason if it has one.

    A reason is the indented lines below a choice.

    Args:
        blocks: of one step; those that are no part of a choice are passed over.
        line: where the step begins.
        path: the file, as errors name it.

    Raises:
        LessonError: a reason stands below no choice, or two choices are the same.
    """
    found: list[Choice] = []
    for block in blocks:
        if block.kind == "choice":
            value, equals, words = block.text.partition(" = ")
            found.append(Choice(value.strip(), words.strip() if equals else value.strip()))
        elif block.kind == "why":
            if not found:
                where = "an indented line says why not: it stands below a choice (- …)."
                raise LessonError(path, block.line, where)
            last = found[-1]
            found[-1] = Choice(last.value, last.words, f"{last.why} {block.text}".strip())
    values = [choice.value for choice in found]
    twice = next((value for value in values if values.count(value) > 1), None)
    if twice is not None:
        raise LessonError(path, line, "two choices are the same: {value}.", value=twice)
    return tuple(found)


def guess_in(block: TextBlock | None, path: str) -> Guess | None:
    """Return the number to guess; None without one.

    It is written as ``guess: 0 to 100 within 10 %``.

    Raises:
        LessonError: it is not written like that.
    """
    if block is None:
        return None
    said = GUESS.fullmatch(block.text)
    if said is None or float(said[1]) >= float(said[2]):
        raise LessonError(
            path, block.line, "write a guess like 0 to 100 within 10 %, not {text}.", text=block.text
        )
    return Guess(float(said[1]), float(said[2]), float(said[3]), said[4] or "")
