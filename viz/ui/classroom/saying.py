"""Messages from pages to a classroom, bounded in length and number."""

import asyncio
from typing import Any, TypeVar

import msgspec

from ...answers.message import Message
from ...errors import RateError, RequestError
from ...request.look import look_from_query, look_to_query
from ...sentences import Sentence
from ..door.counting import Rates
from ..visit.visit import SubjectEntry
from ..wire.answers import PageQuery
from .classroom import Classroom
from .classrooms import ENDED, Classrooms

MOST_BYTES = 60_000  # of JSON: the longest look, with its signs escaped
SWEEP_SECONDS = 5.0
# A second in the long run, and at once, of one visitor:
LOOKS, POINTS = Rates(20.0, 60), Rates(20.0, 40)  # the browser sends a few less
ANSWERS = Rates(1.0, 10)  # and nicknames of students, who change their minds; and a teacher's questions
SAYINGS, LINES = Rates(2.0, 20), Rates(1.0, 20)  # what students say of themselves; lines may break often
_NO_PAGE = Sentence("The server does not understand this page; open it again.")

Said = TypeVar("Said", bound=Message)
classrooms = Classrooms()


async def watch_classrooms() -> None:
    """End classrooms that are over, for as long as the server runs."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        classrooms.sweep()


async def said(asked: PageQuery[Any], kind: type[Said]) -> Said:
    """Read the posted message.

    Raises:
        RequestError: it is too long, of another kind, or not from the page's own address.
    """
    _check_own(asked.subject)
    data = bytearray()
    async for chunk in asked.request.stream():
        data += chunk
        if len(data) > MOST_BYTES:
            raise RequestError("This is longer than a page of a class has to say.")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RequestError(_NO_PAGE) from error


def class_of(subject: SubjectEntry) -> Classroom:
    """The classroom that a page is in.

    Raises:
        RequestError: it is in none, that one has ended, or the address is not the page's own.
    """
    _check_own(subject)
    classrooms.sweep()
    found = classrooms.of(subject.visitor)
    if found is None:
        raise RequestError(ENDED)
    return found


def plain_look(text: str) -> str:
    """Return a text's look alone: the rest may be private."""
    return look_to_query(look_from_query(text)[0])


def count(rates: Rates, visitor: str) -> None:
    """Count a message of a visitor's page against a rate.

    Raises:
        RateError: such messages come too fast.
    """
    if rates.take(visitor):
        raise RateError("This page says more than a class can follow.")


def _check_own(subject: SubjectEntry) -> None:
    """Refuse an address that a class has lent: it outlives its page.

    The door counts pages, and so bounds the codes that are tried and the students that are present.
    """
    if subject.lent:
        raise RequestError(_NO_PAGE)
