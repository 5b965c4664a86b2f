"""Nobody is told what is right, or what others answered, before the teacher shows it."""

from viz.answers.message import as_json
from viz.answers.teaching.asking import AskingOrder, ClassQuestion, Tally
from viz.ui.classroom import questions
from viz.ui.classroom.classroom import Classroom
from viz.ui.classroom.telling import answers_of, asking_of
from viz.ui.visit.visit import SubjectEntry

QUESTION = ClassQuestion(
    kind="map", text="Which?", right=(48_151,), explanation="Because of 62342.", maps=60_000
)


def test_before_it_is_shown_a_student_is_told_the_question_and_their_own_answer(
    room: Classroom, taught: SubjectEntry
) -> None:
    """The message has neither what is right, nor why, nor what another one has answered."""
    for visitor in ("one", "two"):
        room.join(visitor, 0.0)
    questions.ask(room, taught.visitor, QUESTION, 0.0)
    questions.answer(room, "one", 1, (31_415,), 1.0)
    questions.answer(room, "two", 1, (27_182,), 1.0)
    told = asking_of(room, "one")
    assert told.question
    assert told.question.mine == (31_415,)
    for visitor in ("one", "two", taught.visitor):
        text = as_json(asking_of(room, visitor)).decode()
        assert not any(secret in text for secret in ("48151", "62342"))
        assert ("27182" in text) == (visitor == "two")
    assert [(each.number, each.right) for each in answers_of(room).given] == [(1, None), (2, None)]


def test_afterwards_all_are_told_how_many_gave_which_answer(room: Classroom, taught: SubjectEntry) -> None:
    """Without names or numbers of students; the teacher is told who was right."""
    for visitor in ("one", "two", "three"):
        room.join(visitor, 0.0)
    questions.obey(room, taught.visitor, AskingOrder(do="names"))
    questions.call_me(room, "one", "Ada")
    questions.ask(room, taught.visitor, QUESTION, 0.0)
    for visitor, channel in (("one", 48_151), ("two", 7), ("three", 7)):
        questions.answer(room, visitor, 1, (channel,), 1.0)
    questions.obey(room, taught.visitor, AskingOrder(do="reveal"))
    told = asking_of(room, "two")
    assert told.question
    assert told.question.revealed
    assert told.question.revealed.answers == (Tally(value=(7,), count=2), Tally(value=(48_151,), count=1))
    assert told.question.revealed.explanation == "Because of 62342."
    assert "Ada" not in as_json(told).decode()
    assert [each.right for each in answers_of(room).given] == [True, False, False]


def test_the_teacher_is_told_that_there_are_results(room: Classroom, taught: SubjectEntry) -> None:
    """Once an answered question is shown or closed; not while it is open, nor if nobody has answered."""
    room.join("one", 0.0)
    found = []
    for answered, orders in ((False, ("reveal", "close")), (True, ("reveal", "close"))):
        questions.ask(room, taught.visitor, QUESTION, 0.0)
        if answered:
            questions.answer(room, "one", 2, (7,), 1.0)
        found.append(answers_of(room).results)
        for order in orders:
            questions.obey(room, taught.visitor, AskingOrder(do=order))
            found.append(answers_of(room).results)
    assert found == [False, False, False, False, True, True]


def test_without_a_question_nothing_is_told_but_whether_names_are_asked_for(room: Classroom) -> None:
    """And nobody's answers."""
    assert asking_of(room, "nobody").question is None
    assert answers_of(room).given == ()
