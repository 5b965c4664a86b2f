"""The teacher alone asks and shows; students answer, and are called what they want if they are asked."""

import pytest

from viz.answers.teaching.asking import AskingOrder, ClassQuestion
from viz.errors import RequestError
from viz.ui.classroom import questions
from viz.ui.classroom.classroom import AWAY_SECONDS, Classroom
from viz.ui.classroom.events import roster_of
from viz.ui.visit.visit import SubjectEntry

QUESTION = ClassQuestion(kind="number", text="How many?", right=(6,))


def test_a_student_cannot_ask_show_close_or_ask_for_names(room: Classroom, taught: SubjectEntry) -> None:
    """Nothing changes; the same is true of a stranger."""
    room.join("student", 0.0)
    questions.ask(room, taught.visitor, QUESTION, 0.0)
    before = (room.asking.version, room.asking.now, room.names)
    for visitor in ("student", "nobody"):
        with pytest.raises(RequestError, match="Only the teacher"):
            questions.ask(room, visitor, QUESTION, 1.0)
        for order in ("reveal", "close", "names", "numbers", "hide", "unhide"):
            with pytest.raises(RequestError, match="Only the teacher"):
                questions.obey(room, visitor, AskingOrder(do=order))
    assert (room.asking.version, room.asking.now, room.names) == before


def test_who_is_not_in_the_class_cannot_answer(room: Classroom, taught: SubjectEntry) -> None:
    """Nor can the teacher."""
    questions.ask(room, taught.visitor, QUESTION, 0.0)
    for visitor in ("nobody", taught.visitor):
        with pytest.raises(RequestError, match="not in this class"):
            questions.answer(room, visitor, 1, (6,), 1.0)


def test_a_student_comes_back_to_their_own_answer(room: Classroom, taught: SubjectEntry) -> None:
    """With the ticket, from another page: it is still one answer."""
    student = room.join("before", 0.0)
    questions.ask(room, taught.visitor, QUESTION, 0.0)
    questions.answer(room, "before", 1, (5,), 1.0)
    again = room.join("after", 2.0, student.ticket)
    assert room.asking.mine(again.number) == (5,)
    questions.answer(room, "after", 1, (6,), 3.0)
    assert room.asking.now
    assert room.asking.now.tally() == [((6,), 1)]


def test_a_hundred_answers_wake_the_teacher_alone(room: Classroom, taught: SubjectEntry) -> None:
    """A message to all wakes all."""
    woken = {"teacher": 0, "student": 0}
    room.hang_up(lambda: woken.update(teacher=woken["teacher"] + 1), teachers=True)
    room.hang_up(lambda: woken.update(student=woken["student"] + 1))
    room.join("student", 0.0)
    questions.ask(room, taught.visitor, QUESTION, 0.0)
    before = dict(woken)
    for number in range(100):
        questions.answer(room, "student", 1, (number,), 1.0)
    assert woken == {"teacher": before["teacher"] + 100, "student": before["student"]}
    questions.obey(room, taught.visitor, AskingOrder(do="reveal"))
    assert woken["student"] == before["student"] + 1


def test_nicknames_are_read_only_while_the_teacher_asks_for_them(
    room: Classroom, taught: SubjectEntry
) -> None:
    """Each can be hidden, and all at once."""
    ada, bob = room.join("ada", 0.0), room.join("bob", 0.0)
    with pytest.raises(RequestError, match="does not ask"):
        questions.call_me(room, "ada", "Ada")
    questions.obey(room, taught.visitor, AskingOrder(do="names"))
    assert questions.call_me(room, "ada", " Ada\u202e\n") == "Ada"
    questions.call_me(room, "bob", "Bob")
    assert [questions.name_of(room, each) for each in (ada, bob)] == ["Ada", "Bob"]
    questions.obey(room, taught.visitor, AskingOrder(do="hide", student=ada.number))
    assert [questions.name_of(room, each) for each in (ada, bob)] == ["", "Bob"]
    questions.obey(room, taught.visitor, AskingOrder(do="hide"))
    assert [questions.name_of(room, each) for each in (ada, bob)] == ["", ""]
    questions.obey(room, taught.visitor, AskingOrder(do="unhide", student=bob.number))
    questions.obey(room, taught.visitor, AskingOrder(do="numbers"))
    assert questions.name_of(room, bob) == ""
    with pytest.raises(RequestError, match="no student"):
        questions.obey(room, taught.visitor, AskingOrder(do="hide", student=99))


def test_all_names_stay_hidden_for_who_comes_later_or_again(room: Classroom, taught: SubjectEntry) -> None:
    """Until all are shown: somebody new, who leaves and joins again, and who comes back after long."""
    first = room.join("first", 0.0)
    questions.obey(room, taught.visitor, AskingOrder(do="names"))
    questions.call_me(room, "first", "Rude")
    questions.obey(room, taught.visitor, AskingOrder(do="hide"))
    room.leave("first")
    again = room.join("first", 1.0)
    other = room.join("reloaded", 1.0)
    for visitor in ("first", "reloaded"):
        assert questions.call_me(room, visitor, "Rude") == "Rude"
    assert [questions.name_of(room, each) for each in (first, again, other)] == [""] * 3
    assert roster_of(room).nameless
    questions.obey(room, taught.visitor, AskingOrder(do="unhide"))
    assert [questions.name_of(room, each) for each in (again, other, room.join("new", 2.0))] == [
        "Rude",
        "Rude",
        "",
    ]


def test_one_hidden_name_stays_hidden_as_its_student_leaves_and_joins_again(
    room: Classroom, taught: SubjectEntry
) -> None:
    """From the same page; the others' names are read as before."""
    room.join("rude", 0.0)
    questions.obey(room, taught.visitor, AskingOrder(do="names"))
    questions.obey(room, taught.visitor, AskingOrder(do="hide", student=1))
    room.leave("rude")
    again = room.join("rude", 1.0)
    questions.call_me(room, "rude", "Rude")
    assert questions.name_of(room, again) == ""


def test_who_was_away_for_long_has_the_same_answer(room: Classroom, taught: SubjectEntry) -> None:
    """One for each student is what the bars count: the answer waits for who comes back with the ticket."""
    ticket = room.join("before", 0.0).ticket
    questions.ask(room, taught.visitor, QUESTION, 0.0)
    questions.answer(room, "before", 1, (5,), 1.0)
    room.forget_absent(AWAY_SECONDS + 1)
    assert room.students == {}
    again = room.join("after", AWAY_SECONDS + 2, ticket)
    assert (again.number, room.asking.mine(again.number)) == (1, (5,))
    questions.answer(room, "after", 1, (6,), AWAY_SECONDS + 3)
    assert room.asking.now
    assert room.asking.now.tally() == [((6,), 1)]


def test_answers_die_with_the_class(room: Classroom, taught: SubjectEntry) -> None:
    """Nothing of them is kept."""
    room.join("student", 0.0)
    questions.ask(room, taught.visitor, QUESTION, 0.0)
    questions.answer(room, "student", 1, (6,), 1.0)
    room.end(taught.visitor)
    assert (room.asking.now, room.asking.asked) == (None, [])
