"""Messages of a classroom's pages, and their answers and events."""

from typing import Annotated, Literal

from msgspec import Meta

from ..message import Answer, Message
from ..subject import SubjectFacts

LookText = Annotated[
    str, Meta(max_length=36_000, title="LookText", description="A look, as an address says it.")
]
Secret = Annotated[str, Meta(max_length=100, title="Secret", description="A secret, or what was typed.")]
Caption = Annotated[str, Meta(max_length=1_000)]
Hides = Literal["", "figures", "sizes"]
"""Nothing; the figures that a page derives from what it shows; those and all sizes."""
OfMap = Annotated[float, Meta(ge=0, le=1)]


class OpenClassroom(Message, frozen=True, kw_only=True):
    """Request of the browser to open a classroom.

    Attributes:
        password: needed by anyone who joins; empty for none.
    """

    look: LookText
    password: Secret = ""


class TakeClassroom(Message, frozen=True, kw_only=True):
    """Request of the teacher's browser to return after a reload.

    ``right`` is the secret that it was given.
    """

    right: Secret


class ClassroomOpened(Answer, frozen=True, kw_only=True):
    """class_open.json, class_take.json: a classroom, for its teacher.

    Attributes:
        right: the secret that makes its bearer the teacher.
        addresses: where students find this page, the likeliest first; none if only this machine reaches it.
        command: starts the page again so that others reach it; told on this machine, and only if none does.
        password: whether one is needed.
        look: the look that the class sees.
    """

    code: str
    right: str
    addresses: tuple[str, ...]
    command: str
    password: bool
    look: str


class JoinClassroom(Message, frozen=True, kw_only=True):
    """Request of the browser to join a classroom.

    Attributes:
        ticket: the secret that the same page was told before a reload.
    """

    code: Secret
    password: Secret = ""
    ticket: Secret = ""


class ClassroomJoined(Answer, frozen=True, kw_only=True):
    """class_join.json: the student's number, and the secret that proves it.

    The secret is needed after a reload.
    """

    code: str
    number: int
    ticket: str


class ShowLook(Message, frozen=True, kw_only=True):
    """Message of the leader's browser: the look on screen.

    Attributes:
        caption: the text about it in the step of a lesson plan, in lines; empty for none.
        hides: what the plan's open question keeps hidden, and sizes if one to come asks for them.
    """

    look: LookText
    caption: Caption = ""
    hides: Hides = ""


class PointerPosition(Message, frozen=True, kw_only=True):
    """Position of the leader's pointer.

    Attributes:
        what: the maps that are pointed at.
        y: from the top of one of them, as a share of its height.
        x: from its left, as a share of its width.
    """

    what: Annotated[str, Meta(max_length=400)]
    y: OfMap
    x: OfMap


class Point(Message, frozen=True, kw_only=True):
    """Message of the leader's browser about its pointer, and event ``point``.

    ``at`` is null if the pointer is gone.
    """

    at: PointerPosition | None


class ClassroomOrder(Message, frozen=True, kw_only=True):
    """Order of the teacher about the classroom.

    Attributes:
        do: ``shut`` lets nobody else join, ``admit`` again whoever has the code; ``remove`` lets a student be
            in it no longer.
        student: the one who shall lead, or go; 0 for the teacher.
    """

    do: Literal["freeze", "thaw", "lead", "shut", "admit", "remove", "end"]
    student: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class StudentSays(Message, frozen=True, kw_only=True):
    """Message of a student's browser about following and leading.

    Attributes:
        following: whether they see the leader's look.
        hand: whether they ask to lead.
    """

    following: bool
    hand: bool


class ClassroomHeard(Answer, frozen=True, kw_only=True):
    """Confirmation that any other message has been heard."""

    version: int


class SharedSubject(Answer, frozen=True, kw_only=True):
    """class_subject.json: the teacher's subject, for this student.

    Attributes:
        shared: which of the teacher's subjects it is, counted.
    """

    shared: int
    subject: SubjectFacts


class ClassroomState(Message, frozen=True, kw_only=True):
    """The event ``look``: the look that all see.

    Attributes:
        caption: the text about it, in lines; empty for none.
        hides: what every screen hides.
        shared: the teacher's subject that it is about, counted.
        lead: the student who leads; 0 for the teacher.
    """

    version: int
    look: str
    caption: str
    hides: Hides
    shared: int
    model: str
    weights: str
    lead: int
    frozen: bool


class StudentState(Message, frozen=True, kw_only=True):
    """A student, as the teacher sees them.

    Attributes:
        here: whether the page is connected.
        nickname: plain text; empty if there is none, or the teacher does not ask for them, or has hidden it.
        hidden: whether the teacher has hidden it.
    """

    number: int
    following: bool
    hand: bool
    here: bool
    nickname: str
    hidden: bool


class ClassroomRoster(Message, frozen=True, kw_only=True):
    """The event ``roster``, for the teacher alone: the students in the class.

    Attributes:
        shut: whether nobody else may join.
        nameless: whether all nicknames are hidden, also of students who come later.
    """

    students: tuple[StudentState, ...]
    shut: bool
    nameless: bool
