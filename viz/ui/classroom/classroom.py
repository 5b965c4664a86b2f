"""One classroom: its students, their shared view, and its leader."""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import scrypt

from msgspec.structs import replace

from ...answers.teaching.classroom import Hides, PointerPosition
from ...errors import RequestError
from ...request.look import Look, look_from_query
from ...sentences import Sentence
from ..visit.own_pictures import OwnPictures
from ..visit.visit import SubjectEntry
from .asking import QuestionRounds
from .codes import Passes
from .lent import StudentAccess, share_donors

MOST_STUDENTS = 250  # as many pages as one network address may open
AWAY_SECONDS = 300.0  # after which a student without a line is in the list no longer; their ticket stays good
MOST_GONE = 1_000  # students who are remembered for when they come back, and for the results
_TEACHER = 0  # in place of a student's number
MOVED_TEACHER = Sentence("Another page leads this class now; go on there, or by yourself here.")
MOVED_STUDENT = Sentence("Another page follows this class in your place; go on there, or join again here.")
_Bell = Callable[[], None]


@dataclass(eq=False)
class Student:
    """A student of a class.

    Attributes:
        number: what the teacher calls them, counted from 1.
        visitor: whose page it is.
        ticket: lets the same page come back after a reload, as long as the class lives.
        following: whether the page shows what the teacher looks at.
        hand: whether they ask to lead.
        here: whether the page has a line open.
        away: since when it has none, in seconds.
        nickname: what they want to be called, plain text; the teacher alone is told.
        hidden: whether the teacher wants the number in its place.
        removed: whether the teacher has shown them out: their ticket opens nothing any more.
        lent: the teacher's subject in this student's hands.
    """

    number: int
    visitor: str
    lent: StudentAccess = field(repr=False)
    ticket: str = field(repr=False)
    following: bool = True
    hand: bool = False
    here: bool = False
    away: float = 0.0
    nickname: str = ""
    hidden: bool = False
    removed: bool = False


@dataclass(eq=False)
class Classroom:
    """One teacher's view, shared with everybody who follows.

    Nothing here knows of pages or connections: whoever wants to hear of changes hangs up a bell.

    Attributes:
        code: what students type.
        teacher: the visitor who opened it.
        subject: what it is about, one of the teacher's own subjects.
        look: what is on screen, as a query; beside it ``caption`` is what a lesson plan says about it, and
            ``hides`` what its questions hide.
        version: counts the changes that students see.
        shared: counts the subjects.
        right: the secret by which the teacher's page takes the classroom up again after a reload; a new one
            each time.
        lead: the number of the student who leads; 0 while the teacher does.
        frozen: whether what students see stays as it is, whatever the teacher looks at.
        pointer: where the leader points.
        away: since when the teacher has no line, in seconds; None while there is one.
        pictures: those of the teacher's own pictures that looks of this class took values from.
        asking: its questions, and what students have answered.
        names: whether the teacher asks for nicknames.
        nameless: whether all nicknames are hidden, also those of later students.
        shut: whether nobody else may join.
        gone: students who have left, or were away for long; they may come back as the same ones.
    """

    code: str
    teacher: str
    subject: SubjectEntry = field(repr=False)
    opened: float
    password: str = field(default="", repr=False)
    look: str = ""
    caption: str = ""
    hides: Hides = ""
    version: int = 1
    shared: int = 1
    right: str = field(default="", repr=False)
    lead: int = 0
    frozen: bool = False
    pointer: PointerPosition | None = None
    pointed: int = 0
    away: float | None = None
    ended: bool = False
    students: dict[int, Student] = field(default_factory=dict, repr=False)
    pictures: OwnPictures = field(default_factory=OwnPictures, repr=False)
    asking: QuestionRounds = field(default_factory=QuestionRounds, repr=False)
    names: bool = False
    nameless: bool = False
    shut: bool = False
    gone: dict[int, Student] = field(default_factory=dict, repr=False)
    _numbers: int = 0
    _passes: Passes = field(default_factory=Passes, repr=False)
    _moved: dict[str, Sentence] = field(default_factory=dict, repr=False)
    _salt: bytes = field(default_factory=lambda: secrets.token_bytes(16), repr=False)
    _lines: dict[str, object] = field(default_factory=dict, repr=False)
    _bells: set[_Bell] = field(default_factory=set, repr=False)
    _teachers: set[_Bell] = field(default_factory=set, repr=False)

    def __post_init__(self) -> None:
        """Keep nothing of the password but its digest."""
        self.away = self.opened
        self.right = self._passes.give(_TEACHER)
        self._locked = self._digest(self.password) if self.password else None
        self.password = ""
        self._share_donors()

    # --- Students -------------------------------------------------------------------------------------------

    @property
    def needs_password(self) -> bool:
        """True if joining takes a password."""
        return self._locked is not None

    def opens_with(self, password: str) -> bool:
        """Return whether a password is the right one, or none is needed."""
        return self._locked is None or hmac.compare_digest(self._locked, self._digest(password))

    def student_of(self, visitor: str) -> Student | None:
        """The student with this page."""
        return next((each for each in self.students.values() if each.visitor == visitor), None)

    def student(self, visitor: str) -> Student:
        """The student with this page.

        Raises:
            RequestError: there is none.
        """
        found = self.student_of(visitor)
        if found is None:
            raise RequestError("You are not in this class; join it again.")
        return found

    def numbered(self, number: int) -> Student:
        """The student with this number, who is in it.

        Raises:
            RequestError: there is none.
        """
        if number not in self.students:
            raise RequestError("There is no student {number} in this class.", number=number)
        return self.students[number]

    def check_teacher(self, visitor: str) -> None:
        """Return if this page is the teacher's.

        Raises:
            RequestError: it is not.
        """
        if visitor != self.teacher:
            raise RequestError("Only the teacher of this class can do that.")

    def knows(self, ticket: str) -> bool:
        """Return whether a ticket belongs to a student who was not removed.

        Raises:
            RequestError: its student has come back since then, on another page.
        """
        if self._passes.is_spent(ticket):
            raise RequestError(MOVED_STUDENT)
        number = self._passes.holder(ticket) or 0
        student = self.ever(number)
        return student is not None and not student.removed

    def ever(self, number: int) -> Student | None:
        """The student with this number, also one who has gone."""
        return self.students.get(number) or self.gone.get(number)

    def has_removed(self, visitor: str) -> bool:
        """Return whether the teacher has removed the student with this page."""
        return any(each.removed and each.visitor == visitor for each in self.gone.values())

    def join(self, visitor: str, now: float, ticket: str = "") -> Student:
        """Let a page join, as the student of its ticket if any.

        Raises:
            RequestError: the classroom is full or shut, the teacher has removed this student, or the page is
                the teacher's.
        """
        if visitor == self.teacher:
            raise RequestError(
                "You teach this class; open its link in another browser to see what students see."
            )
        known = self.student_of(visitor)
        if known:
            return known
        number = self._passes.holder(ticket) or 0
        student = self.students.get(number) or self._enter(visitor, number, now)
        student.ticket = self._passes.give(student.number, ticket)
        if student.visitor == visitor:
            self.ring_teacher()
        else:
            self._move(student, visitor, now)
        return student

    def leave(self, visitor: str) -> None:
        """Let a student go, without their answer to the open question."""
        found = self.student_of(visitor)
        if found:
            self.asking.withdraw(found.number)
            self._let_go(found)

    def take_over(self, subject: SubjectEntry, right: str) -> bool:
        """Make another page the teacher's, if it knows the secret.

        The page that was the teacher's is none any more.

        Raises:
            RequestError: another page has taken it over with this secret.
        """
        if self._passes.is_spent(right):
            raise RequestError(MOVED_TEACHER)
        if self._passes.holder(right) != _TEACHER:
            return False
        self.leave(subject.visitor)
        self.right = self._passes.give(_TEACHER, right)
        if subject.visitor != self.teacher:  # or else the answer to this page was lost
            self._replaced(self.teacher, MOVED_TEACHER)
            self.teacher = subject.visitor
        self._share(self._seen_beside(subject) if self.frozen else subject)
        self.ring()
        return True

    # --- The shared view ------------------------------------------------------------------------------------

    def leads(self, visitor: str) -> bool:
        """Return whether this page leads the class."""
        if self.lead == 0:
            return visitor == self.teacher
        return self.students[self.lead].visitor == visitor

    def show(
        self,
        visitor: str,
        look: str,
        subject: SubjectEntry | None = None,
        *,
        caption: str = "",
        hides: Hides = "",
    ) -> None:
        """Show the leader's look to everybody, unless the view is frozen.

        Args:
            visitor: who wants it.
            look: as a query.
            subject: the teacher's; a student who leads shows the teacher's as it is.
            caption: what is said about it; nobody but the teacher writes on every screen.
            hides: what is hidden; nobody but the teacher hides anything.

        Raises:
            RequestError: another one leads.
        """
        if not self.leads(visitor):
            raise RequestError("You do not lead this class.")
        if self.frozen:
            return
        if visitor != self.teacher:
            caption, hides = "", self.hides
        if subject is not None and self.lead == 0:
            self._share(subject)
        if (look, caption, hides) != (self.look, self.caption, self.hides):
            if _maps_of(look) != _maps_of(self.look):
                self.pointer = None
            self.look, self.caption, self.hides = look, caption, hides
            self._share_donors()
            self._changed()

    def point(self, visitor: str, pointer: PointerPosition | None) -> None:
        """Let everybody see where the leader points.

        Raises:
            RequestError: another one leads.
        """
        if not self.leads(visitor):
            raise RequestError("You do not lead this class.")
        if self.frozen or pointer == self.pointer:
            return
        self.pointer = pointer
        self.pointed += 1
        self.ring()

    def freeze(self, visitor: str, *, frozen: bool) -> None:
        """Freeze the students' view, or let it go on.

        Raises:
            RequestError: it is not the teacher who asks.
        """
        self.check_teacher(visitor)
        if frozen != self.frozen:
            self.frozen = frozen
            self._changed()

    def hand_over(self, visitor: str, number: int) -> None:
        """Let a student lead, or with 0 the teacher again.

        Raises:
            RequestError: it is not the teacher who asks, or there is no such student.
        """
        self.check_teacher(visitor)
        if number:
            student = self.numbered(number)
            student.hand, student.following = False, True
        if number != self.lead:
            self.lead, self.frozen, self.pointer = number, False, None
            self._changed()

    def shut_door(self, visitor: str, *, shut: bool) -> None:
        """Shut the class to new students, or open it again.

        Its students may always come back.

        Raises:
            RequestError: it is not the teacher who asks.
        """
        self.check_teacher(visitor)
        self.shut = shut
        self.ring_teacher()

    def remove(self, visitor: str, number: int) -> None:
        """Remove a student, and withdraw their answer to the open question.

        Raises:
            RequestError: it is not the teacher who asks, or there is no such student.
        """
        self.check_teacher(visitor)
        student = self.numbered(number)
        student.removed = True
        self.asking.withdraw(number)
        self._lines.pop(student.visitor, None)
        self._let_go(student)

    def end(self, visitor: str) -> None:
        """End it: nobody can join or follow any more.

        Raises:
            RequestError: it is not the teacher who asks.
        """
        self.check_teacher(visitor)
        self.close()

    def close(self) -> None:
        """End the class."""
        self.ended = True
        for student in self.students.values():
            student.lent.end()
        self.pictures.clear()
        self.gone.clear()
        self.asking.clear()
        self._changed()

    # --- Students' messages ---------------------------------------------------------------------------------

    def say(self, visitor: str, *, following: bool | None = None, hand: bool | None = None) -> None:
        """Note whether a student follows, and whether they ask to lead.

        Raises:
            RequestError: the page is not in this class.
        """
        student = self.student(visitor)
        student.following = student.following if following is None else following
        student.hand = student.hand if hand is None else hand
        self.ring_teacher()

    # --- Lines ----------------------------------------------------------------------------------------------

    def connected(self, visitor: str) -> object:
        """Open a page's line in place of its last; return a handle."""
        replaces = visitor in self._lines
        line = self._lines[visitor] = object()
        self._moved.pop(visitor, None)
        student = self.student_of(visitor)
        if student:
            student.here = True
            self._passes.arrived(student.number)
        elif visitor == self.teacher:
            self.away = None
            self._passes.arrived(_TEACHER)
        if replaces:
            self.ring()  # the line of before is none any more
        else:
            self.ring_teacher()
        return line

    def is_open(self, visitor: str, line: object) -> bool:
        """Return whether a line is a page's current one in this class."""
        inside = visitor == self.teacher or self.student_of(visitor) is not None
        return inside and not self.ended and self._lines.get(visitor) is line

    def has_moved(self, visitor: str) -> Sentence | None:
        """Return the message for a replaced page; None for any other."""
        return self._moved.get(visitor)

    def disconnected(self, visitor: str, line: object, now: float) -> None:
        """Note that a line is gone, unless another has replaced it."""
        if self._lines.get(visitor) is not line:
            return
        del self._lines[visitor]
        self._moved.pop(visitor, None)
        student = self.student_of(visitor)
        if student:
            student.here, student.away = False, now
        elif visitor == self.teacher:
            self.away = now
        self.ring_teacher()

    def forget_absent(self, now: float) -> None:
        """Let students go who have been without a line for long.

        Their answers wait for them.
        """
        for student in list(self.students.values()):
            if not student.here and now - student.away > AWAY_SECONDS:
                self._let_go(student)

    def forget_gone(self) -> None:
        """Forget who went first, with the ticket."""
        first = next(iter(self.gone))
        del self.gone[first]
        self._passes.forget(first)

    def hang_up(self, bell: _Bell, *, teachers: bool = False) -> Callable[[], None]:
        """Call the bell at each change, until the returned function is called.

        Args:
            bell: to call.
            teachers: whether it is called for what only the teacher is told, too.
        """
        self._bells.add(bell)
        if teachers:
            self._teachers.add(bell)

        def take_down() -> None:
            self._bells.discard(bell)
            self._teachers.discard(bell)

        return take_down

    def ring(self) -> None:
        """Let all lines look for news."""
        for bell in list(self._bells):
            bell()

    def ring_teacher(self) -> None:
        """Let the teacher's line alone look for news."""
        for bell in list(self._teachers):
            bell()

    def _enter(self, visitor: str, number: int, now: float) -> Student:
        """Let a student in, who is new or comes back."""
        if len(self.students) >= MOST_STUDENTS:
            raise RequestError("This class is full: {most} students follow.", most=MOST_STUDENTS)
        came = self._who_was(visitor, number) or self._another()
        came.visitor, came.lent, came.away = visitor, StudentAccess(visitor, self.pictures), now
        self.students[came.number] = came
        self.gone.pop(came.number, None)
        return came

    def _move(self, student: Student, visitor: str, now: float) -> None:
        """Put another page in the place of a student's."""
        self._replaced(student.visitor, MOVED_STUDENT)
        student.lent.end()
        student.visitor, student.lent = visitor, StudentAccess(visitor, self.pictures)
        student.here, student.away = False, now  # until this page has a line
        self.ring()

    def _replaced(self, visitor: str, told: Sentence) -> None:
        """Note the message for a replaced page, if it has a line."""
        if visitor in self._lines:
            self._moved[visitor] = told

    def _seen_beside(self, subject: SubjectEntry) -> SubjectEntry:
        """Return the shared subject as an entry of the new subject's visit."""
        seen, stay = self.subject, subject.visit()
        found = stay.beside(subject, seen.photo, seen.model, seen.weights, seen.rows) if stay else None
        return found or subject

    def _share(self, subject: SubjectEntry) -> None:
        if subject.token == self.subject.token:
            return
        self.subject, self.pointer = subject, None
        self.shared += 1
        self._changed()

    def _share_donors(self) -> None:
        share_donors(self.pictures, self.subject, look_from_query(self.look)[0])

    def _let_go(self, student: Student) -> None:
        student.lent.end()
        student.here = student.hand = False
        student.following = True
        self.gone[student.number] = self.students.pop(student.number)
        if len(self.gone) > MOST_GONE:
            self.forget_gone()
        if self.lead == student.number:
            self.lead, self.pointer = 0, None
            self._changed()
        self.ring()

    def _another(self) -> Student:
        """Return a new student, unless the class is shut."""
        if self.shut:
            raise RequestError("The teacher lets nobody else into this class.")
        self._numbers += 1
        return Student(self._numbers, "", StudentAccess("", self.pictures), "", hidden=self.nameless)

    def _who_was(self, visitor: str, number: int) -> Student | None:
        """Find a student who comes back, by the ticket or the page."""
        gone = (each for each in self.gone.values() if each.visitor == visitor and not each.removed)
        found = self.gone.get(number) or next(gone, None)
        if found and found.removed:
            raise RequestError("The teacher has removed you from this class.")
        return found

    def _digest(self, password: str) -> bytes:
        return scrypt(password.encode(), salt=self._salt, n=1 << 10, r=8, p=1)

    def _changed(self) -> None:
        self.version += 1
        self.ring()


def _maps_of(look: str) -> Look:
    """A look without its cell and sections, which move no map."""
    first = Look()
    unfolded = {"filter": first.filter, "exemplars": first.exemplars, "optimised": first.optimised}
    return replace(look_from_query(look)[0], cell="", **unfolded)
