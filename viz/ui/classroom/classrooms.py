"""All classrooms of this server; none outlives its teacher's visit."""

from collections.abc import Callable
from time import monotonic

from ...errors import RateError, RequestError
from ...sentences import Sentence
from ..door.counting import Rates
from ..visit.visit import GRACE_SECONDS, SubjectEntry
from .classroom import Classroom, Student
from .codes import new_code, read_code

MOST_GONE_OF_ALL = 100_000  # students who are remembered, 1 kB each
LONGEST_SECONDS = 8 * 3600.0  # a day at school
LONGEST_PASSWORD = 100  # characters
TRIES = 5  # wrong codes and passwords of a page at once, and then one a minute
OF_CLASS = 30  # wrong passwords of a class a minute, of all pages after each one's first
ENDED = Sentence("This class has ended.")
_NO_CLASS = Sentence("There is no class with this code; look at the code once more.")


class Classrooms:
    """The classrooms; used by the server's loop alone, so nothing is locked.

    Their number has no limit of its own. A page teaches one, and the door counts pages, by address and in
    all, as the operator has set; a class is 4 kB beside a page's megabyte. So no class gives way to another,
    and none keeps a teacher out whom the door lets in. A smaller limit would have to refuse teachers or end
    classes in use, since a stranger's page behind the same router looks like a teacher's. With pages that
    have gone, of which Streamlit keeps 128, there are at most 628 unless the operator sets more.

    What remains is time: each request of a class looks through all of them, which takes 0.3 ms where 250 have
    a student each.

    Args:
        clock: seconds that only go up.
        codes: makes a code.
    """

    def __init__(self, clock: Callable[[], float] = monotonic, codes: Callable[[], str] = new_code) -> None:
        self._clock, self._codes = clock, codes
        self._tried = Rates(1 / 60, TRIES, clock)
        self._first = Rates(1 / LONGEST_SECONDS, 1, clock)
        self._further = Rates(OF_CLASS / 60, OF_CLASS, clock)
        self._opened = Rates(1 / 60, 6, clock)
        self._open: dict[str, Classroom] = {}

    def open(self, subject: SubjectEntry, look: str, password: str = "") -> Classroom:
        """Open a classroom about the teacher's subject, and end the one before.

        Raises:
            RateError: this page has opened too many.
            RequestError: the password is too long.
        """
        self.sweep()
        if len(password) > LONGEST_PASSWORD:
            raise RequestError("A password has at most {most} characters.", most=LONGEST_PASSWORD)
        if self._opened.take(subject.visitor):
            raise RateError("You have opened many classes; wait a minute.")
        before = self.taught_by(subject.visitor)
        if before:
            self._drop(before)
        self.leave(subject.visitor)
        code = next(code for code in iter(self._codes, None) if code not in self._open)
        made = Classroom(code, subject.visitor, subject, self._clock(), password, look)
        self._open[code] = made
        return made

    def join(self, visitor: str, typed: str, password: str, ticket: str = "") -> tuple[Classroom, Student]:
        """Return the classroom with this code, and the page's student there.

        Whoever has a ticket guesses nothing: a hall whose network was gone comes back at once.

        A page's tries are its own, and a right one without a ticket does not count. A limit that pages share
        would let one who guesses keep a school out; and if right codes passed it, it would limit nothing. So
        guessing takes pages: the door lets in five a second of an address, each good for eight tries until it
        is forgotten, which is 144,000 an hour. In eight hours they find a given class one time in 14,700, and
        any of a hundred one time in 147. The pages of a hundred addresses, at 50 ms of this server's time
        each, make 576,000 an hour: one in 3,700.

        Whoever knows the code has fewer tries at the password: 19,800 an hour from one address, and 73,800
        from a hundred. Each page's first is looked at, whatever others try, so that these keep nobody out who
        has the right one; further ones wait, right or wrong, while the class has had thirty in a minute. From
        one address all passwords of four digits take half an hour, those of six fifty hours.

        Raises:
            RateError: this page has tried too many codes, or all pages this class's password.
            RequestError: there is no such class, or its password is another one.
        """
        found = self._open.get(read_code(typed) or "")
        back = bool(ticket) and found is not None and found.knows(ticket)
        if not back and self._tried.take(visitor):
            raise RateError("This page has tried many codes; wait a minute, and ask for the code.")
        self.sweep()
        if found is None or found.ended:
            raise RequestError(ENDED if ticket else _NO_CLASS)
        if not back and found.needs_password:
            self._check_password(found, visitor, password)
        student = found.join(visitor, self._clock(), ticket)
        if not ticket:
            self._tried.give_back(visitor)  # a school day has many classes
        for other in self._open.values():  # only now: a class that is full leaves the page where it was
            if other is not found:
                other.leave(visitor)
        self._forget_gone()
        return found, student

    def take_over(self, subject: SubjectEntry, right: str) -> Classroom | None:
        """Return the classroom of a teacher's page that was loaded again.

        None if no classroom has this secret.

        Raises:
            RequestError: another page has taken it over with this secret.
        """
        self.sweep()
        return next((each for each in self._open.values() if each.take_over(subject, right)), None)

    def taught_by(self, visitor: str) -> Classroom | None:
        """The classroom that this visitor teaches."""
        return next((each for each in self._open.values() if each.teacher == visitor), None)

    def of(self, visitor: str) -> Classroom | None:
        """Return the visitor's classroom, as its teacher or as a student."""
        taught = self.taught_by(visitor)
        return taught or next((each for each in self._open.values() if each.student_of(visitor)), None)

    def has_removed(self, visitor: str) -> bool:
        """Return whether a teacher has removed this page, now without a class."""
        return self.of(visitor) is None and any(each.has_removed(visitor) for each in self._open.values())

    def leave(self, visitor: str) -> None:
        """Take a student out of the classroom that they are in."""
        for each in self._open.values():
            each.leave(visitor)

    def end(self, visitor: str) -> None:
        """End the classroom that this visitor teaches.

        Raises:
            RequestError: the visitor teaches none.
        """
        found = self.of(visitor)
        if found is None:
            raise RequestError("You are not in this class; join it again.")
        found.end(visitor)
        self.sweep()

    def close(self) -> None:
        """End all of them, as the server does."""
        for each in list(self._open.values()):
            self._drop(each)

    def sweep(self) -> None:
        """End classes that are over, and forget students who have gone."""
        now = self._clock()
        for each in list(self._open.values()):
            each.forget_absent(now)
            if each.ended or self._is_over(each, now):
                self._drop(each)

    def _check_password(self, found: Classroom, visitor: str, password: str) -> None:
        """Return if a class's password is right.

        Raises:
            RateError: it has to wait, right or wrong.
            RequestError: it is wrong.
        """
        counted, key = self._first, visitor
        if counted.take(key):
            counted, key = self._further, found.code
            if counted.take(key):
                self._tried.give_back(visitor)  # nothing was learned
                raise RateError(
                    "This class has had many wrong passwords; wait a minute, or load this page again."
                )
        if not found.opens_with(password[: LONGEST_PASSWORD + 1]):
            raise RequestError("This is not the password of the class.")
        counted.give_back(key)

    def _forget_gone(self) -> None:
        """Forget a student who has gone, if too many are remembered.

        It is one of the class that remembers the most: a stranger's, whose pages go through many classes.
        """
        if sum(len(each.gone) for each in self._open.values()) > MOST_GONE_OF_ALL:
            max(self._open.values(), key=lambda each: len(each.gone)).forget_gone()

    def _is_over(self, each: Classroom, now: float) -> bool:
        visit = each.subject.visit()
        if now - each.opened > LONGEST_SECONDS or visit is None or visit.ended:
            return True
        return each.away is not None and now - each.away > GRACE_SECONDS

    def _drop(self, each: Classroom) -> None:
        del self._open[each.code]
        if not each.ended:
            each.close()
