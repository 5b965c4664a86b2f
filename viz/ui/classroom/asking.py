"""Questions to a class, one at a time, with students' answers."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...answers.teaching.asking import (
    FEWEST_CHOICES,
    LONGEST_CHOICE,
    MOST_CHOICES,
    ClassQuestion,
    QuizOnScreen,
)
from ...errors import RequestError

MOST_QUESTIONS = 300  # of a class: one a minute and a half for eight hours; the results hold all of them
MOST_MAPS = 65_536
LONGEST_SHAPE = 8  # sizes
Value = tuple[float, ...]


@dataclass(frozen=True)
class GivenAnswer:
    """An answer of a student.

    Attributes:
        value: see ``viz.answers.teaching.asking``.
        seconds: after the question was asked; of the last answer, if they changed their mind.
    """

    value: Value
    seconds: float


@dataclass(eq=False)
class QuestionRound:
    """A question that was asked, with its answers.

    Attributes:
        number: of the class's questions, counted from 1.
        question: as it was asked.
        since: when, in seconds of the class's clock.
        quiz: which question of the quiz it is; None for one of the teacher's own.
        shown: whether everybody has been told what is right.
        answers: by the students' numbers.
    """

    number: int
    question: ClassQuestion
    since: float
    quiz: QuizOnScreen | None = None
    shown: bool = False
    answers: dict[int, GivenAnswer] = field(default_factory=dict, repr=False)

    def is_right(self, value: Value) -> bool | None:
        """Return whether an answer is right; None if none can be."""
        return is_right(self.question, value)

    def tally(self) -> list[tuple[Value, int]]:
        """Return each different answer with its count, in order."""
        return sorted(Counter(each.value for each in self.answers.values()).items())


@dataclass
class QuestionRounds:
    """The questions of one class.

    Attributes:
        now: the one that is open, or shown with what is right; None if there is none.
        version: counts what everybody is told.
        answered: counts what only the teacher is told.
    """

    asked: list[QuestionRound] = field(default_factory=list, repr=False)
    now: QuestionRound | None = None
    version: int = 0
    answered: int = 0
    _count: int = 0

    @property
    def has_results(self) -> bool:
        """True if a question that is open no more has answers."""
        return any(each.answers and (each.shown or each is not self.now) for each in self.asked)

    def ask(self, question: ClassQuestion, now: float, quiz: QuizOnScreen | None = None) -> QuestionRound:
        """Ask the next question, in place of one that is still open.

        Raises:
            RequestError: it cannot be answered, or there were too many.
        """
        check(question)
        self.close()
        if len(self.asked) >= MOST_QUESTIONS:
            raise RequestError("A class is asked {most} questions at most.", most=MOST_QUESTIONS)
        self._count += 1
        self.now = QuestionRound(self._count, question, now, quiz)
        self.asked.append(self.now)
        self._changed()
        return self.now

    def reveal(self) -> None:
        """Reveal the right answer; nobody can answer any more.

        Raises:
            RequestError: nothing is asked.
        """
        if self.now is None:
            raise RequestError("No question is open.")
        self.now.shown = True
        self._changed()

    def close(self) -> None:
        """Take the question away; one that nobody has answered is forgotten."""
        if self.now is None:
            return
        if not self.now.answers:
            self.asked.remove(self.now)
        self.now = None
        self._changed()

    def answer(self, student: int, number: int, value: Value, now: float) -> None:
        """Note a student's answer, in place of the one before.

        Raises:
            RequestError: the question is not open any more, or this is no answer to it.
        """
        asked = self.now
        if asked is None or asked.number != number or asked.shown:
            raise RequestError("This question is closed; what you answered before counts.")
        fitting = as_answer(asked.question, value)
        before = asked.answers.get(student)
        if before is None or before.value != fitting:
            asked.answers[student] = GivenAnswer(fitting, now - asked.since)
            self.answered += 1

    def withdraw(self, student: int) -> None:
        """Forget a student's answer to the open question, as they leave."""
        if self.now and not self.now.shown and self.now.answers.pop(student, None):
            self.answered += 1

    def mine(self, student: int) -> Value:
        """Return a student's answer to the current question; empty without one."""
        found = self.now.answers.get(student) if self.now else None
        return found.value if found else ()

    def clear(self) -> None:
        """Forget everything, as the class ends."""
        self.asked.clear()
        self.now = None
        self._changed()

    def _changed(self) -> None:
        self.version += 1
        self.answered += 1


def check(question: ClassQuestion) -> None:
    """Return if a question can be answered.

    Raises:
        RequestError: why it cannot.
    """
    if not question.text.strip():
        raise RequestError("Type a question first.")
    if question.kind == "choice":
        said = [each for each in question.choices if each.strip()]
        if not FEWEST_CHOICES <= len(said) == len(question.choices) <= MOST_CHOICES:
            raise RequestError(
                "Type {fewest} to {most} choices, one a line.", fewest=FEWEST_CHOICES, most=MOST_CHOICES
            )
        if max(map(len, said)) > LONGEST_CHOICE:
            raise RequestError(
                "A choice has at most {most} characters: shorten the longest.", most=LONGEST_CHOICE
            )
    elif question.choices:
        raise RequestError("Only a question to choose has choices.")
    parts: Iterable[Value] = (
        [(each,) for each in question.right] if question.kind == "map" else [question.right]
    )
    if not all(_is_answer(question, part) for part in parts if part):
        raise RequestError("The right answer does not fit the question; look at its form, or leave it empty.")


def as_answer(question: ClassQuestion, value: Value) -> Value:
    """The value as an answer to the question.

    Raises:
        RequestError: it is none.
    """
    if not _is_answer(question, value):
        raise RequestError("This is no answer to the question.")
    if question.kind == "shape" and value[0] == 1 and len(value) == len(question.right) + 1:
        value = value[1:]  # the batch of one, which people may write or not
    return tuple(float(each) for each in value)


def is_right(question: ClassQuestion, value: Value) -> bool | None:
    """Return whether an answer is right; None if none can be."""
    if not question.right:
        return None
    if question.kind == "map":
        return value[0] in question.right
    if question.kind == "number":
        near = abs(value[0] - question.right[0])
        return near <= question.within or math.isclose(near, question.within, rel_tol=1e-9)
    return value == question.right


def _is_answer(question: ClassQuestion, value: Value) -> bool:
    if not all(math.isfinite(each) for each in value):
        return False
    if question.kind == "number":
        return len(value) == 1
    if not all(each >= 0 and each == int(each) for each in value):
        return False
    if question.kind == "shape":
        return 0 < len(value) <= LONGEST_SHAPE
    ends = {"choice": len(question.choices), "map": question.maps or MOST_MAPS}
    return len(value) == 1 and value[0] < ends[question.kind]
