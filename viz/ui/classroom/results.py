"""The results of a class as CSV: a row for each answer.

Source: RFC 4180, Common Format and MIME Type for CSV Files.
"""

import csv
import io
from typing import Final

from ..locale.words import say
from .asking import QuestionRound
from .classroom import Classroom
from .questions import name_of

COLUMNS = ("number", "question", "student", "answer", "right", "correct", "seconds")
# A spreadsheet takes a cell that begins with one of these for a formula; an apostrophe makes it a text.
_FORMULAS: Final = (*"=+-@\t\r", *"\uff1d\uff0b\uff0d\uff20")  # and their wide forms
_MARK = "\ufeff"  # by which spreadsheets know UTF-8


def results_csv(room: Classroom, language: str) -> bytes:
    """Return a class's answers and the right ones, as UTF-8 CSV."""
    written = io.StringIO(newline="")
    rows = csv.writer(written)
    rows.writerow([say(language, f"results_{each}") for each in COLUMNS])
    for asked in room.asking.asked:
        for number in sorted(asked.answers):
            rows.writerow([harmless(cell) for cell in _row(room, asked, number, language)])
    return (_MARK + written.getvalue()).encode()


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULAS) else cell


def in_words(asked: QuestionRound, value: tuple[float, ...]) -> str:
    """Return an answer as text, such as ``64×56×56`` for a shape."""
    if not value:
        return ""
    if asked.question.kind == "choice":
        return asked.question.choices[int(value[0])]
    if asked.question.kind == "map":
        return ", ".join(f"{each:g}" for each in value)
    return "×".join(f"{each:.10g}" for each in value)


def _row(room: Classroom, asked: QuestionRound, number: int, language: str) -> list[str]:
    given = asked.answers[number]
    student = room.ever(number)
    name = name_of(room, student) if student else ""
    is_right = asked.is_right(given.value)
    return [
        str(asked.number),
        asked.question.text,
        name or say(language, "results_called", number=number),
        in_words(asked, given.value),
        in_words(asked, asked.question.right),
        "" if is_right is None else say(language, "results_yes" if is_right else "results_no"),
        f"{given.seconds:.1f}",
    ]
