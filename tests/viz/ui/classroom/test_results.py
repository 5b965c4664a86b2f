"""The results as a table that the csv module reads, and in which no cell is a formula."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.answers.teaching.asking import AskingOrder, ClassQuestion
from viz.ui.classroom import questions
from viz.ui.classroom.classroom import AWAY_SECONDS, Classroom
from viz.ui.classroom.results import harmless, results_csv
from viz.ui.visit.visit import SubjectEntry


def read(written: bytes) -> list[list[str]]:
    """The rows, as a spreadsheet reads them."""
    return list(csv.reader(io.StringIO(written.decode("utf-8-sig"), newline="")))


def test_every_answer_has_its_row(room: Classroom, taught: SubjectEntry) -> None:
    """Of each kind of question; with the number of who has no nickname, or whose nickname is hidden."""
    for visitor in ("one", "two"):
        room.join(visitor, 0.0)
    asked = (
        (
            ClassQuestion(kind="choice", text='Say "which", now', choices=("a, b", "c"), right=(1,)),
            (0,),
            (1,),
        ),
        (ClassQuestion(kind="map", text="Map?", right=(3, 5), maps=64), (3,), (4,)),
        (ClassQuestion(kind="shape", text="Shape?", right=(64, 56, 56)), (64, 56, 56), (64, 28, 28)),
        (ClassQuestion(kind="number", text="Number?"), (0.5,), (12,)),
    )
    for number, (question, one, two) in enumerate(asked, 1):
        questions.ask(room, taught.visitor, question, 10.0)
        questions.answer(room, "one", number, one, 11.5)
        questions.answer(room, "two", number, two, 12.0)
    questions.obey(room, taught.visitor, AskingOrder(do="names"))
    questions.call_me(room, "one", "Ada")
    head, *rows = read(results_csv(room, "en"))
    assert head[:4] == ["no.", "question", "student", "answer"]
    assert rows == [
        ["1", 'Say "which", now', "Ada", "a, b", "c", "no", "1.5"],
        ["1", 'Say "which", now', "Student 2", "c", "c", "yes", "2.0"],
        ["2", "Map?", "Ada", "3", "3, 5", "yes", "1.5"],
        ["2", "Map?", "Student 2", "4", "3, 5", "no", "2.0"],
        ["3", "Shape?", "Ada", "64×56×56", "64×56×56", "yes", "1.5"],
        ["3", "Shape?", "Student 2", "64×28×28", "64×56×56", "no", "2.0"],
        ["4", "Number?", "Ada", "0.5", "", "", "1.5"],
        ["4", "Number?", "Student 2", "12", "", "", "2.0"],
    ]
    questions.obey(room, taught.visitor, AskingOrder(do="hide"))
    assert {row[2] for row in read(results_csv(room, "zh"))[1:]} == {"学生 1", "学生 2"}


def test_who_has_gone_keeps_their_name_in_the_results(room: Classroom, taught: SubjectEntry) -> None:
    """By leaving, by being away for long, or because the teacher removed them; unless it is hidden."""
    questions.obey(room, taught.visitor, AskingOrder(do="names"))
    names = ["Ada", "Bob", "Cyd"]
    for name in names:
        room.join(name, 0.0)
        questions.call_me(room, name, name)
    questions.ask(room, taught.visitor, ClassQuestion(kind="number", text="How many?"), 0.0)
    for name in names:
        questions.answer(room, name, 1, (1,), 1.0)
    questions.obey(room, taught.visitor, AskingOrder(do="close"))
    room.leave("Ada")
    room.remove(taught.visitor, 2)
    room.forget_absent(AWAY_SECONDS + 1)
    assert room.students == {}
    assert [row[2] for row in read(results_csv(room, "en"))[1:]] == names
    questions.obey(room, taught.visitor, AskingOrder(do="hide"))
    assert [row[2] for row in read(results_csv(room, "en"))[1:]] == ["Student 1", "Student 2", "Student 3"]


@pytest.mark.parametrize("typed", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\uff1d1+1"])
def test_no_cell_is_a_formula(room: Classroom, taught: SubjectEntry, typed: str) -> None:
    """Neither a nickname, nor a question, nor a choice."""
    room.join("student", 0.0)
    questions.ask(room, taught.visitor, ClassQuestion(kind="choice", text=typed, choices=(typed, "b")), 0.0)
    questions.answer(room, "student", 1, (0,), 1.0)
    questions.obey(room, taught.visitor, AskingOrder(do="names"))
    questions.call_me(room, "student", typed)
    _, row = read(results_csv(room, "en"))
    assert not any(cell.strip().startswith(tuple("=+-@\uff1d")) for cell in row)


@given(st.text(max_size=40))
def test_a_harmless_cell_is_the_same_text(cell: str) -> None:
    """At most with an apostrophe before it."""
    assert harmless(cell) in {cell, f"'{cell}"}
