"""Questions over a real server's lines: answers reach the teacher alone, and one student is one answer."""

import csv
import io
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.viz.ui.classroom.lines import Browser, allowed, newest
from viz.ui.classroom.events import ROSTER_SECONDS
from viz.ui.classroom.saying import ANSWERS, classrooms

Arrive = Callable[[], Browser]
CHOICE = {"kind": "choice", "text": "Which?", "choices": ["one", "two"], "right": [1], "explanation": "So."}


def begin(arrive: Arrive, count: int = 2) -> tuple[Browser, list[Browser]]:
    """A teacher with some students in the class."""
    teacher, students = arrive(), [arrive() for _ in range(count)]
    code = teacher.teach()
    for each in students:
        assert each.ask("class_join.json", {"code": code})[0] == 200
    return teacher, students


def ask(teacher: Browser, question: Any = CHOICE) -> int:
    """Ask, and return which question it is."""
    status, told = teacher.ask("class_ask.json", question)
    assert status == 200, told
    return int(told["asked"])


def answer(student: Browser, asked: int, value: Any) -> int:
    """Answer, and return the status."""
    return student.ask("class_answer.json", {"asked": asked, "value": value})[0]


def test_a_question_arrives_is_answered_and_shown(arrive: Arrive) -> None:
    """The teacher is told each answer; students how many gave which, once it is shown."""
    teacher, (one, two) = begin(arrive)
    own, line = teacher.listen(), one.listen()
    asked = ask(teacher)
    assert newest(line, "question").question.choices == ("one", "two")
    assert [answer(one, asked, [0]), answer(two, asked, [1]), answer(one, asked, [1])] == [200] * 3
    newest(own, "answers", lambda said: [each.value for each in said.given] == [(1.0,), (1.0,)])
    assert not line.named("answers")
    assert teacher.ask("class_asking.json", {"do": "reveal"})[0] == 200
    revealed = newest(line, "question", lambda said: said.question.revealed).question.revealed
    assert (revealed.right, revealed.explanation) == ((1.0,), "So.")
    assert [(each.value, each.count) for each in revealed.answers] == [((1.0,), 2)]
    assert answer(one, asked, [0]) == 422
    assert teacher.ask("class_asking.json", {"do": "close"})[0] == 200
    newest(line, "question", lambda said: said.question is None)


def test_who_comes_late_or_back_gets_the_question_and_their_own_answer(arrive: Arrive) -> None:
    """The mark of the last look does not keep it from them."""
    teacher, (one, two) = begin(arrive)
    asked = ask(teacher)
    answer(one, asked, [0])
    first = one.listen()
    first.wait(lambda line: bool(line.named("question")))
    first.close()
    answer(one, asked, [1])
    for student, mine in ((one, (1.0,)), (two, ())):
        line = student.listen(first.marks[-1])
        assert newest(line, "question").question.mine == mine


def test_five_hundred_answers_of_one_student_are_one(arrive: Arrive) -> None:
    """Most are refused as too many; another student's arrives meanwhile, and the teacher hears of few."""
    teacher, (flood, calm) = begin(arrive)
    own, asked, began = teacher.listen(), ask(teacher), time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: answer(flood, asked, [number % 2]), range(500)))
        assert answer(calm, asked, [0]) == 200
    assert set(found) <= {200, 429}
    assert found.count(200) <= allowed(ANSWERS, began)
    newest(own, "answers", lambda said: len(said.given) == 2)
    assert len(own.named("answers")) <= (time.monotonic() - began) / ROSTER_SECONDS + 3


def test_a_student_can_neither_read_answers_nor_show_them(arrive: Arrive) -> None:
    """By no route, with their own address or with the lent one."""
    teacher, (one, two) = begin(arrive)
    asked, line = ask(teacher), one.listen()
    answer(two, asked, [1])
    lent = one.ask("class_subject.json")[1]["subject"]["subject"]
    attempts: list[tuple[str, Any]] = [
        ("class_results.csv", None),
        ("class_ask.json", CHOICE),
        ("class_quiz.json", {"seed": 1, "level": "easy", "number": 0}),
        *(("class_asking.json", {"do": do}) for do in ("reveal", "close", "names", "hide")),
    ]
    for subject in ("", lent):
        for path, said in attempts:
            status, refusal = one.ask(path, said, subject)
            assert status == 422
            assert refusal["said"]["zh"]["error"] != refusal["error"]
    newest(line, "question")
    assert not line.named("answers")
    assert not line.named("roster")
    assert [each.question.revealed for each in line.named("question")] == [None]


def test_a_question_of_the_quiz_is_known_to_be_right_by_the_server(arrive: Arrive) -> None:
    """The students' question has its choices, and not the right one; afterwards it is that of the quiz."""
    teacher, (one, _) = begin(arrive)
    line = one.listen()
    status, told = teacher.ask("class_quiz.json?lang=en", {"seed": 7, "level": "easy", "number": 0})
    assert (status, told["asked"]) == (200, 1)
    question = newest(line, "question").question
    shown = one.ask("quiz.json?seed=7&level=easy&question=0&lang=en")[1]
    assert question.choices == tuple(each["text"] for each in shown["choices"])
    assert question.revealed is None
    teacher.ask("class_asking.json", {"do": "reveal"})
    revealed = newest(line, "question", lambda said: said.question.revealed).question.revealed
    facts = one.ask("quiz_answer.json?seed=7&level=easy&question=0&choice=0&lang=en")[1]
    assert revealed.right == (float(facts["answer"]),)


def test_a_hostile_nickname_is_plain_text_that_the_teacher_alone_is_told(arrive: Arrive) -> None:
    """Markup stays text, turned text is turned back, and ten thousand characters are none."""
    teacher, (one, two) = begin(arrive)
    own, line = teacher.listen(), two.listen()
    assert one.ask("class_name.json", {"nickname": "Ada"})[0] == 422
    teacher.ask("class_asking.json", {"do": "names"})
    name = "class_name.json"
    assert one.ask(name, {"nickname": "<img onerror=x>"})[1]["nickname"] == "<img onerror=x>"
    newest(own, "roster", lambda said: said.students[0].nickname == "<img onerror=x>")
    assert one.ask(name, {"nickname": "\u202eadA\u0000"})[1]["nickname"] == "adA"
    assert one.ask(name, {"nickname": "x" * 10_000})[0] == 422
    newest(own, "roster", lambda said: said.students[0].nickname == "adA")
    newest(line, "question", lambda said: said.names)
    assert "adA" not in str(line.all)
    teacher.ask("class_asking.json", {"do": "hide", "student": 1})
    assert newest(own, "roster", lambda said: said.students[0].hidden).students[0].nickname == ""


def test_the_results_are_a_file_for_the_teacher(arrive: Arrive) -> None:
    """It is read by the csv module, and kept by no browser."""
    teacher, (one, _) = begin(arrive)
    answer(one, ask(teacher, CHOICE | {"text": "=1+1"}), [1])
    status, written = teacher.ask("class_results.csv?lang=en")
    assert status == 200
    rows = list(csv.reader(io.StringIO(written.decode("utf-8-sig"), newline="")))
    assert rows[1][:6] == ["1", "'=1+1", "Student 1", "two", "two", "yes"]


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"kind": "essay", "text": "Why?"},
        {"kind": "choice", "text": "x" * 401, "choices": ["a", "b"]},
        {"kind": "choice", "text": "Which?", "choices": ["a"] * 7},
        {"kind": "choice", "text": "Which?", "choices": ["a", "b"], "right": [5]},
        {"kind": "number", "text": "\u202e"},
        {"kind": "number", "text": "How?", "within": -1},
    ],
)
def test_what_is_no_question_is_refused(arrive: Arrive, said: Any) -> None:
    """In a sentence; nobody is asked."""
    teacher, _ = begin(arrive, 1)
    assert teacher.ask("class_ask.json", said)[0] == 422
    room = classrooms.of(teacher.subject.visitor)
    assert room
    assert room.asking.now is None


def test_students_who_leave_and_join_again_have_one_answer(arrive: Arrive) -> None:
    """As the same student, whose answer to the open question goes as they leave."""
    teacher, (one, _) = begin(arrive)
    room = classrooms.of(teacher.subject.visitor)
    assert room
    asked = ask(teacher)
    for _ in range(3):
        assert answer(one, asked, [0]) == 200
        one.ask("class_leave.json", {})
        assert one.ask("class_join.json", {"code": room.code})[0] == 200
    assert answer(one, asked, [1]) == 200
    assert room.asking.now
    assert room.asking.now.tally() == [((1.0,), 1)]


def test_a_hundred_answers_are_a_few_messages_for_the_teacher_and_none_for_students(arrive: Arrive) -> None:
    """All are there in the end; a line in the class hears of the question once."""
    teacher, students = begin(arrive, 100)
    own, line = teacher.listen(), students[0].listen()
    asked, began = ask(teacher), time.monotonic()
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(lambda each: answer(each, asked, [1]), students)) == {200}
    newest(own, "answers", lambda said: len(said.given) == 100)
    at_most = (time.monotonic() - began) / ROSTER_SECONDS + 3
    assert len(own.named("answers")) <= at_most
    assert len(line.named("question")) == 1
    assert not line.named("answers")
