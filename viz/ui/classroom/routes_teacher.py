"""Requests of a teacher: open, show, point, order, and QR codes."""

from typing import Annotated

from msgspec import Meta
from starlette.responses import Response
from streamlit import config

from ...answers.teaching.classroom import (
    ClassroomHeard,
    ClassroomOpened,
    ClassroomOrder,
    OpenClassroom,
    Point,
    ShowLook,
    TakeClassroom,
)
from ...errors import RequestError
from ...reach.addresses import page_addresses
from ...reach.qr import LONGEST, qr_svg
from ...reach.restart import public_command
from ..visit.direct import direct_address, is_of_this_machine
from ..wire.answers import PRIVATE, PageQuery
from ..wire.page_path import page_path
from ..wire.questions import Question
from ..wire.threads import in_thread
from .classroom import Classroom
from .classrooms import ENDED
from .plain_text import plain
from .saying import LOOKS, POINTS, class_of, classrooms, count, plain_look, said


class QrQuestion(Question, frozen=True, kw_only=True):
    """The address that a QR code holds."""

    address: Annotated[str, Meta(max_length=LONGEST, pattern="^https?://")] = "http://"


async def open_classroom(asked: PageQuery[Question]) -> ClassroomOpened:
    """A new classroom about the subject on screen."""
    told = await said(asked, OpenClassroom)
    made = classrooms.open(asked.subject, plain_look(told.look), told.password)
    return await _opened(asked, made)


async def take_classroom(asked: PageQuery[Question]) -> ClassroomOpened:
    """The classroom that the teacher's page had before a reload."""
    told = await said(asked, TakeClassroom)
    found = classrooms.take_over(asked.subject, told.right)
    if found is None:
        raise RequestError(ENDED)
    return await _opened(asked, found)


async def show(asked: PageQuery[Question]) -> ClassroomHeard:
    """Show the leader's look to all from now on."""
    told, room = await said(asked, ShowLook), class_of(asked.subject)
    count(LOOKS, asked.subject.visitor)
    own = asked.subject if asked.subject.visitor == room.teacher else None
    look, caption = plain_look(told.look), plain(told.caption)
    room.show(asked.subject.visitor, look, own, caption=caption, hides=told.hides)
    return ClassroomHeard(version=room.version)


async def point(asked: PageQuery[Question]) -> ClassroomHeard:
    """Move the leader's pointer."""
    told, room = await said(asked, Point), class_of(asked.subject)
    count(POINTS, asked.subject.visitor)
    room.point(asked.subject.visitor, told.at)
    return ClassroomHeard(version=room.version)


async def order(asked: PageQuery[Question]) -> ClassroomHeard:
    """Carry out the teacher's order: lead, remove, shut, freeze, end."""
    told, room, visitor = await said(asked, ClassroomOrder), class_of(asked.subject), asked.subject.visitor
    match told.do:
        case "lead":
            room.hand_over(visitor, told.student)
        case "remove":
            room.remove(visitor, told.student)
        case "shut" | "admit":
            room.shut_door(visitor, shut=told.do == "shut")
        case "freeze" | "thaw":
            room.freeze(visitor, frozen=told.do == "freeze")
        case "end":
            classrooms.end(visitor)
    return ClassroomHeard(version=room.version)


async def qr(asked: PageQuery[QrQuestion]) -> Response:
    """Draw the QR code with which phones join."""
    picture = await in_thread(asked.subject, qr_svg, asked.question.address)
    return Response(picture, media_type="image/svg+xml", headers=PRIVATE)


async def _opened(asked: PageQuery[Question], room: Classroom) -> ClassroomOpened:
    scope = asked.request.scope
    listening, port = str(config.get_option("server.address") or ""), scope["server"][1]
    if direct_address(scope) is None:  # by way of a proxy, which alone can be reached
        listening = "localhost"
    origin = asked.request.headers.get("origin", "")
    found = await in_thread(
        asked.subject, page_addresses, listening, port, page_path(), None, origin[:LONGEST]
    )
    return ClassroomOpened(
        code=room.code,
        right=room.right,
        addresses=found,
        command="" if found or not is_of_this_machine(scope) else public_command(),
        password=room.needs_password,
        look=room.look,
    )
