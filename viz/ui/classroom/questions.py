"""Questions, answers and nicknames of a class, with the right to each."""

from ...answers.teaching.asking import AskingOrder, ClassQuestion, QuizOnScreen
from ...errors import RequestError
from .asking import QuestionRound
from .classroom import Classroom, Student
from .plain_text import nickname_of


def ask(
    room: Classroom, visitor: str, question: ClassQuestion, now: float, quiz: QuizOnScreen | None = None
) -> QuestionRound:
    """Ask all of them a question.

    Raises:
        RequestError: it is not the teacher who asks, or the question cannot be answered.
    """
    room.check_teacher(visitor)
    made = room.asking.ask(question, now, quiz)
    room.ring()
    return made


def answer(room: Classroom, visitor: str, number: int, value: tuple[float, ...], now: float) -> None:
    """Note a student's answer to the question with this number.

    Raises:
        RequestError: the page is no student's, the question is closed, or this is no answer to it.
    """
    room.asking.answer(room.student(visitor).number, number, value, now)
    room.ring_teacher()


def obey(room: Classroom, visitor: str, order: AskingOrder) -> None:
    """Carry out the teacher's order about the question, or about nicknames.

    Raises:
        RequestError: it is not the teacher who asks, no question is open, or there is no such student.
    """
    room.check_teacher(visitor)
    match order.do:
        case "reveal":
            room.asking.reveal()
        case "close":
            room.asking.close()
        case "names" | "numbers":
            room.names = order.do == "names"
            room.asking.version += 1
        case "hide" | "unhide":
            _hide(room, order.student, hidden=order.do == "hide")
    room.ring()


def call_me(room: Classroom, visitor: str, typed: str) -> str:
    """Note a student's nickname, and return it as plain text.

    Raises:
        RequestError: the page is no student's, or the teacher does not ask for nicknames.
    """
    student = room.student(visitor)
    if not room.names:
        raise RequestError("Your teacher does not ask for nicknames.")
    student.nickname = nickname_of(typed)
    room.ring_teacher()
    return student.nickname


def name_of(room: Classroom, student: Student) -> str:
    """The nickname, if the teacher may read it; empty if not."""
    return student.nickname if room.names and not student.hidden else ""


def _hide(room: Classroom, number: int, *, hidden: bool) -> None:
    """Hide or show one nickname, or those of all students."""
    if number:
        room.numbered(number).hidden = hidden
        return
    room.nameless = hidden
    for student in (*room.students.values(), *room.gone.values()):
        student.hidden = hidden
