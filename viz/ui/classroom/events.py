"""Server-sent events for the pages of a class: the newest state alone.

Source: HTML Living Standard, section 9.2, Server-sent events.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from ...answers.message import Answer, Message, as_json
from ...answers.teaching.classroom import ClassroomRoster, ClassroomState, Point, StudentState
from ..locale.translated import in_each_language
from ..visit.own_weights import is_own_weights
from .classroom import Classroom
from .questions import name_of
from .telling import answers_of, asking_of

BEAT_SECONDS = 10.0  # a page without a word for three times as long asks anew
ROSTER_SECONDS = 0.25  # a class that joins at once is told to its teacher in a few messages
RETRY_MS = 1_000
END = b"event: end\ndata: {}\n\n"
REMOVED = b'event: end\ndata: {"removed":true}\n\n'  # for one page alone
BEAT = b"event: beat\ndata: {}\n\n"
HELLO = f"retry: {RETRY_MS}\n\n".encode()


def event(name: str, message: Message, last: str = "") -> bytes:
    """Return an event with a message, and a mark for reconnection.

    A browser that loses its line sends ``last`` again.
    """
    mark = f"id: {last}\n" if last else ""
    return f"{mark}event: {name}\ndata: ".encode() + as_json(message) + b"\n\n"


def state_of(room: Classroom) -> ClassroomState:
    """Return the state that all pages of a class see."""
    weights = room.subject.weights
    return ClassroomState(
        version=room.version,
        look=room.look,
        caption=room.caption,
        hides=room.hides,
        shared=room.shared,
        model=room.subject.model,
        weights="" if is_own_weights(weights) else weights,
        lead=room.lead,
        frozen=room.frozen,
    )


def roster_of(room: Classroom) -> ClassroomRoster:
    """Return the students of a class, as the teacher sees them."""
    return ClassroomRoster(
        students=tuple(
            StudentState(
                number=each.number,
                following=each.following,
                hand=each.hand,
                here=each.here,
                nickname=name_of(room, each),
                hidden=each.hidden,
            )
            for _, each in sorted(room.students.items())
        ),
        shut=room.shut,
        nameless=room.nameless,
    )


@dataclass
class News:
    """The news of a class for one line, which gets nothing twice.

    Attributes:
        visitor: whose line it is.
        last: the mark of the last state that the browser had.
        told: time of the last news about students, on the teacher's line.
        heard: time of the last event on the line.
    """

    room: Classroom
    visitor: str
    last: str = ""
    pointed: int = 0
    asked: int = 0
    answered: int = 0
    roster: ClassroomRoster | None = None
    told: float = float("-inf")
    heard: float = float("-inf")

    @property
    def teacher(self) -> bool:
        """True if it is the teacher's line."""
        return self.visitor == self.room.teacher

    def take(self, now: float) -> list[bytes]:
        """Take the events that are due, or a beat after a pause."""
        due = self._of_class() + self._of_students(now)
        if not due and now - self.heard >= BEAT_SECONDS:
            due.append(BEAT)
        if due:
            self.heard = now
        return due

    def _of_class(self) -> list[bytes]:
        """Take any page's due events: the look, the pointer, the question."""
        room, due = self.room, list[bytes]()
        mark = f"{room.code}.{room.version}"
        if mark != self.last:
            self.last = mark
            due.append(event("look", state_of(room), mark))
        if room.pointed != self.pointed:
            self.pointed = room.pointed
            due.append(event("point", Point(at=room.pointer)))
        if room.asking.version != self.asked:
            self.asked = room.asking.version
            due.append(event("question", asking_of(room, self.visitor)))
        return due

    def _of_students(self, now: float) -> list[bytes]:
        """Take the teacher's due events: the students and their answers."""
        if not self.teacher or now - self.told < ROSTER_SECONDS:
            return []
        due, found = list[bytes](), roster_of(self.room)
        if found != self.roster:
            self.roster = found
            due.append(event("roster", found))
        if self.room.asking.answered != self.answered:
            self.answered = self.room.asking.answered
            due.append(event("answers", answers_of(self.room)))
        if due:
            self.told = now
        return due

    def wait(self, now: float) -> float:
        """The seconds until something may be due without a bell."""
        late = self.teacher and self.told + ROSTER_SECONDS > now
        due = self.told + ROSTER_SECONDS if late else self.heard + BEAT_SECONDS
        return max(0.01, due - now)


async def events(
    room: Classroom, visitor: str, last: str, clock: Callable[[], float] = monotonic
) -> AsyncIterator[bytes]:
    """Yield a page's events until the class or its line ends.

    Args:
        room: the class.
        visitor: whose page it is.
        last: the mark of the last state that the browser had; empty for none.
        clock: seconds that only go up.
    """
    bell = asyncio.Event()
    take_down = room.hang_up(bell.set, teachers=visitor == room.teacher)
    line, student = room.connected(visitor), room.student_of(visitor)
    news = News(room, visitor, last)
    try:
        yield HELLO
        while room.is_open(visitor, line):
            bell.clear()
            now = clock()
            for each in news.take(now):
                yield each
            with suppress(TimeoutError):
                async with asyncio.timeout(news.wait(now)):
                    await bell.wait()
        moved = room.has_moved(visitor)
        if room.ended:
            yield END
        elif student and student.removed:
            yield REMOVED
        elif moved:
            yield event("moved", in_each_language(Answer(error=moved)))
    finally:
        take_down()
        room.disconnected(visitor, line, clock())
