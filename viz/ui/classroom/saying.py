"""What pages say to a classroom: read, bounded in length and in number, and handed to the right one."""

import asyncio
from typing import Any, TypeVar

import msgspec

from ...answers.message import Message
from ...errors import RateError, RequestError
from ...request.look import look_from_query, look_to_query
from ..door.counting import Rates
from ..visit.visit import SubjectEntry
from ..wire.answers import Asked
from .classroom import Classroom
from .classrooms import ENDED, Classrooms

MOST_BYTES = 60_000  # of JSON: the longest look, with its signs escaped
LOOKS, POINTS = (20.0, 60), (20.0, 40)  # a second, and at once; the browser sends a few less
ANSWERS = (1.0, 10)  # of one student, who changes their mind; the teacher's questions likewise
SAYINGS, LINES = (2.0, 20), (1.0, 20)  # of one page, whose line may break often
SWEEP_SECONDS = 5.0

Said = TypeVar("Said", bound=Message)
_looks, _points, _answers = Rates(*LOOKS), Rates(*POINTS), Rates(*ANSWERS)
_sayings, _lines = Rates(*SAYINGS), Rates(*LINES)
classrooms = Classrooms()


async def watch_classrooms() -> None:
    """End what is over, for as long as the server runs."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        classrooms.sweep()


async def said(asked: Asked[Any], kind: type[Said]) -> Said:
    """What was posted.

    Raises:
        RequestError: it is too long, or something else.
    """
    data = bytearray()
    async for chunk in asked.request.stream():
        data += chunk
        if len(data) > MOST_BYTES:
            raise RequestError("This is longer than a page of a class has to say.")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RequestError("The server does not understand this page; open it again.") from error


def class_of(subject: SubjectEntry) -> Classroom:
    """The classroom that a page is in.

    Raises:
        RequestError: it is in none, or that one has ended.
    """
    classrooms.sweep()
    found = classrooms.of(subject.visitor)
    if found is None:
        raise RequestError(ENDED)
    return found


def plain_look(text: str) -> str:
    """A look's text with nothing but a look in it: what else an address says is nobody else's."""
    return look_to_query(look_from_query(text)[0])


def count_look(visitor: str) -> None:
    """Count a look that is shown.

    Raises:
        RateError: they come too fast.
    """
    _count(_looks, visitor)


def count_point(visitor: str) -> None:
    """Count a move of the pointer.

    Raises:
        RateError: they come too fast.
    """
    _count(_points, visitor)


def count_answer(visitor: str) -> None:
    """Count an answer, a nickname, a question, or an order about them.

    Raises:
        RateError: they come too fast.
    """
    _count(_answers, visitor)


def count_saying(visitor: str) -> None:
    """Count what a student says of themselves.

    Raises:
        RateError: it comes too fast.
    """
    _count(_sayings, visitor)


def count_line(visitor: str) -> None:
    """Count a line that a page opens.

    Raises:
        RateError: they come too fast.
    """
    _count(_lines, visitor)


def _count(rates: Rates, visitor: str) -> None:
    if rates.take(visitor):
        raise RateError("This page says more than a class can follow.")
