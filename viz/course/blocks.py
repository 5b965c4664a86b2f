"""Blocks of a lesson's text, from headings to reasons."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from ..errors import VizError
from ..text_files import joined, text_of

FENCE = "```"
_HEADER = re.compile(r"([a-z]+):(?:\s+(.*))?")
Kind = Literal["lesson", "step", "header", "code", "question", "choice", "why", "after", "note", "text"]
Marks = Mapping[str, Kind]
"""Kinds of paragraphs that begin with a character and a space."""
MARKS: Marks = MappingProxyType({"?": "question", "!": "after"})


class LessonError(VizError, ValueError):
    """A fault in a lesson's file, with its place.

    The sentence begins with the file and the line.
    """

    def __init__(self, path: str, line: int, english: str, /, **values: str | int) -> None:
        """Put the place before the sentence."""
        super().__init__("{path}:{line}: " + english, path=path, line=line, **values)


@dataclass(frozen=True)
class TextBlock:
    """A block of a file: its kind, text, first line, and name.

    Only a header has a name.
    """

    kind: Kind
    text: str
    line: int
    name: str = ""


def blocks(text: str, path: str, marks: Marks = MARKS) -> Iterator[TextBlock]:
    """Yield the blocks of a lesson's file.

    Args:
        text: the whole file.
        path: the file, as errors name it.
        marks: the letters that say what a paragraph is; one without is text.

    Raises:
        LessonError: code begins and does not end.
    """
    rows = list(enumerate(text.splitlines(), 1))
    place, heading = 0, False
    while place < len(rows):
        line, row = rows[place]
        if not row.strip():
            place, heading = place + 1, False
        elif row.startswith("#"):
            yield _heading(row, line, path)
            place, heading = place + 1, True
        elif heading and (said := _HEADER.fullmatch(row.strip())):  # headers stand right below a heading
            yield TextBlock("header", (said[2] or "").strip(), line, said[1])
            place += 1
        elif row.startswith(FENCE):
            found, place = _code(rows, place, path)
            heading = False
            yield found
        else:
            found, place = _paragraph(rows, place, marks)
            heading = False
            yield found


def text_in(file: Path, path: str) -> str:
    """Return the text of a lesson's file.

    Raises:
        LessonError: it is not UTF-8.
    """
    return text_of(file, lambda line: LessonError(path, line, "this is not UTF-8: save the file as UTF-8."))


def check_python(code: TextBlock, path: str) -> None:
    """Check that a block of code is Python.

    Raises:
        LessonError: it cannot be parsed.
    """
    try:
        ast.parse(code.text)
    except SyntaxError as error:
        line = code.line + (error.lineno or 1) - 1
        raise LessonError(path, line, "this is not Python: {why}.", why=error.msg) from None


def _heading(row: str, line: int, path: str) -> TextBlock:
    marks = len(row) - len(row.lstrip("#"))
    if marks > 2:  # noqa: PLR2004  # a lesson, and its steps
        raise LessonError(
            path, line, "a heading has one # (the lesson) or two (a step), not {count}.", count=marks
        )
    title = row[marks:].strip()
    if not title:
        raise LessonError(path, line, "this heading has no text.")
    return TextBlock("lesson" if marks == 1 else "step", title, line)


def _code(rows: list[tuple[int, str]], place: int, path: str) -> tuple[TextBlock, int]:
    line, _ = rows[place]
    inside: list[str] = []
    for end in range(place + 1, len(rows)):
        if rows[end][1].startswith(FENCE):
            return TextBlock("code", "\n".join(inside), line + 1), end + 1
        inside.append(rows[end][1].rstrip())
    raise LessonError(
        path, line, "the code that begins here has no line with {fence} at its end.", fence=FENCE
    )


def _paragraph(rows: list[tuple[int, str]], place: int, marks: Marks) -> tuple[TextBlock, int]:
    """One paragraph, choice or reason, and the next row's place.

    A line that begins with ``-`` or is indented is a block of its own.
    """
    line, row = rows[place]
    if row.startswith("- "):
        return TextBlock("choice", row[2:].strip(), line), place + 1
    if row.startswith("  "):
        return TextBlock("why", row.strip(), line), place + 1
    mark = row[0] if row[:2].rstrip() in marks else ""
    parts = [row[len(mark) :].strip()]
    place += 1
    while place < len(rows) and _goes_on(rows[place][1], marks):
        parts.append(rows[place][1].strip())
        place += 1
    return TextBlock(marks.get(mark, "text"), joined(parts), line), place


def _goes_on(row: str, marks: Marks) -> bool:
    begins = ("- ", "  ", "#", FENCE, *(f"{mark} " for mark in marks))
    return bool(row.strip()) and not row.startswith(begins)
