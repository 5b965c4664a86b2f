"""The sections of an exercise's file: headings, headers, paragraphs and code."""

import re
from dataclasses import dataclass, field

from ..sentences import Sentence
from ..text_files import joined
from .refusal import ExerciseError

FENCE = "```"
_HEADER = re.compile(r"([a-z]+):\s+(.*\S)")


@dataclass
class Section:
    """A part of a file.

    Attributes:
        heading: its text; the first section's is the exercise's title.
        line: where it begins, counted from 1.
        headers: name → value and line, of the lines right below the heading.
        paragraphs: its text.
        code: its code, without the fences; None if it has none.
        code_line: where the code begins.
    """

    heading: str
    line: int
    headers: dict[str, tuple[str, int]] = field(default_factory=dict)
    paragraphs: list[str] = field(default_factory=list)
    code: str | None = None
    code_line: int = 0


def sections(text: str, path: str) -> list[Section]:
    """Return the sections of an exercise's file.

    Raises:
        ExerciseError: it does not begin with a heading, or its code does not end.
    """
    found: list[Section] = []
    rows = list(enumerate(text.splitlines(), 1))
    place = 0
    while place < len(rows):
        line, row = rows[place]
        if row.startswith("#"):
            found.append(_headed(row, line, found, path))
        elif row.strip() and not found:
            raise ExerciseError(path, line, Sentence("a file begins with # and the exercise's title."))
        elif row.startswith(FENCE):
            place = _read_code(found[-1], rows, place, path)
        elif row.strip():
            place = _read_text(found[-1], rows, place)
        place += 1
    if not found:
        raise ExerciseError(path, 1, Sentence("this file is empty."))
    return found


def _headed(row: str, line: int, before: list[Section], path: str) -> Section:
    marks, title = len(row) - len(row.lstrip("#")), row.lstrip("#").strip()
    if not title or marks != (2 if before else 1):
        raise ExerciseError(
            path,
            line,
            Sentence("a title begins with one #, every other heading with two, and a word follows."),
        )
    return Section(title, line)


def _read_code(section: Section, rows: list[tuple[int, str]], place: int, path: str) -> int:
    """Put code into its section; return its last fence's place."""
    if section.code is not None:
        raise ExerciseError(path, rows[place][0], Sentence("a section has one piece of code: join them."))
    inside: list[str] = []
    for end in range(place + 1, len(rows)):
        if rows[end][1].startswith(FENCE):
            section.code, section.code_line = "\n".join(inside) + "\n", rows[place][0] + 1
            return end
        inside.append(rows[end][1].rstrip())
    raise ExerciseError(
        path,
        rows[place][0],
        Sentence("the code that begins here has no line {fence} at its end.", fence=FENCE),
    )


def _read_text(section: Section, rows: list[tuple[int, str]], place: int) -> int:
    """Put a header or paragraph into its section; return its end."""
    line, row = rows[place]
    said = _HEADER.fullmatch(row.rstrip())
    if said and not section.paragraphs and section.code is None:
        section.headers[said[1]] = (said[2], line)
        return place
    parts = [row.strip()]
    while (
        place + 1 < len(rows)
        and rows[place + 1][1].strip()
        and not rows[place + 1][1].startswith(("#", FENCE))
    ):
        place += 1
        parts.append(rows[place][1].strip())
    section.paragraphs.append(joined(parts))
    return place
