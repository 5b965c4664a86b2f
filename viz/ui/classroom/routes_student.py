"""Requests of students; events of a class, and the teacher's subject."""

from starlette.responses import Response, StreamingResponse

from ...answers.teaching.classroom import (
    ClassroomHeard,
    ClassroomJoined,
    JoinClassroom,
    SharedSubject,
    StudentSays,
)
from ...errors import RequestError
from ..stage.subject_facts import facts_of
from ..wire.answers import UNKEPT, PageQuery
from ..wire.questions import Question, SpokenQuestion
from ..wire.threads import in_thread
from .events import REMOVED, events
from .saying import LINES, SAYINGS, class_of, classrooms, count, said

EVENTS = "text/event-stream"
# A proxy that collects an answer before it passes it on would keep it for good.
UNCOLLECTED = UNKEPT | {"x-accel-buffering": "no"}


async def join(asked: PageQuery[Question]) -> ClassroomJoined:
    """Follow the class with a code."""
    told = await said(asked, JoinClassroom)
    room, student = classrooms.join(asked.subject.visitor, told.code, told.password, told.ticket)
    return ClassroomJoined(code=room.code, number=student.number, ticket=student.ticket)


async def leave(asked: PageQuery[Question]) -> ClassroomHeard:
    """Follow no longer."""
    classrooms.leave(asked.subject.visitor)
    return ClassroomHeard(version=0)


async def say(asked: PageQuery[Question]) -> ClassroomHeard:
    """Note whether a student follows, and whether they ask to lead."""
    count(SAYINGS, asked.subject.visitor)
    told, room = await said(asked, StudentSays), class_of(asked.subject)
    room.say(asked.subject.visitor, following=told.following, hand=told.hand)
    return ClassroomHeard(version=room.version)


async def subject_of_class(asked: PageQuery[SpokenQuestion]) -> SharedSubject:
    """Return the teacher's subject, at an address of this student's own."""
    room = class_of(asked.subject)
    student = room.student_of(asked.subject.visitor)
    if student is None:
        raise RequestError("You are not in this class; join it again.")
    entry, shared = student.lent.subject(room.subject), room.shared
    facts = await in_thread(asked.subject, facts_of, entry, asked.question.language)
    return SharedSubject(shared=shared, subject=facts)


async def events_of(asked: PageQuery[Question]) -> Response:
    """Open a line of events for a page of a class."""
    visitor, last = asked.subject.visitor, asked.request.headers.get("last-event-id", "")
    count(LINES, visitor)
    if classrooms.has_removed(visitor):  # while the page had no line
        return Response(REMOVED, media_type=EVENTS, headers=UNCOLLECTED)
    told = events(class_of(asked.subject), visitor, last)
    return StreamingResponse(told, media_type=EVENTS, headers=UNCOLLECTED)
