"""One question at a time, one answer of each student, and nothing counts that is no answer."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.answers.teaching.asking import FEWEST_CHOICES, LONGEST_CHOICE, MOST_CHOICES, ClassQuestion
from viz.errors import RequestError
from viz.ui.classroom.asking import MOST_QUESTIONS, QuestionRounds, check, is_right
from viz.ui.locale.words import BROWSER_WORDS

QUESTIONS = json.loads(Path("tests/plan_vectors.json").read_text(encoding="utf-8"))["questions"]

CHOICE = ClassQuestion(kind="choice", text="Which?", choices=("one", "two", "three"), right=(1,))
MAP = ClassQuestion(kind="map", text="Which map?", right=(3, 17), maps=64)
NUMBER = ClassQuestion(kind="number", text="How much?", right=(0.3,), within=0.1)
SHAPE = ClassQuestion(kind="shape", text="Which shape?", right=(64, 56, 56))


@pytest.fixture
def asking() -> QuestionRounds:
    """A class that has been asked to choose, at 100 seconds."""
    made = QuestionRounds()
    made.ask(CHOICE, 100.0)
    return made


def test_the_last_answer_of_a_student_counts(asking: QuestionRounds) -> None:
    """Once, with the time at which they made up their mind."""
    for value, now in (((0,), 101.0), ((2,), 103.5), ((2,), 110.0)):
        asking.answer(7, 1, value, now)
    asking.answer(8, 1, (2,), 104.0)
    assert asking.now
    assert asking.now.tally() == [((2.0,), 2)]
    assert asking.now.answers[7].seconds == 3.5
    assert (asking.mine(7), asking.mine(9)) == ((2.0,), ())


def test_nobody_answers_after_it_was_shown_or_taken_away(asking: QuestionRounds) -> None:
    """Nor the question before."""
    asking.answer(7, 1, (0,), 101.0)
    asking.reveal()
    with pytest.raises(RequestError, match="closed"):
        asking.answer(7, 1, (1,), 102.0)
    asking.ask(MAP, 200.0)
    with pytest.raises(RequestError, match="closed"):
        asking.answer(7, 1, (1,), 201.0)
    asking.close()
    with pytest.raises(RequestError, match="closed"):
        asking.answer(7, 2, (1,), 202.0)
    with pytest.raises(RequestError, match="No question"):
        asking.reveal()
    assert [list(each.answers) for each in asking.asked] == [[7]]


def test_a_question_that_nobody_answered_is_in_no_result(asking: QuestionRounds) -> None:
    """The numbers go on, so that a late answer to it never counts for the next one."""
    again = asking.ask(CHOICE, 200.0)
    assert (again.number, asking.asked) == (2, [again])


def test_students_who_leave_take_the_answer_to_the_open_question_along(asking: QuestionRounds) -> None:
    """So nobody answers twice by joining twice; what was shown stays."""
    asking.answer(7, 1, (0,), 101.0)
    asking.withdraw(7)
    assert asking.now
    assert asking.now.answers == {}
    asking.answer(8, 1, (0,), 101.0)
    asking.reveal()
    asking.withdraw(8)
    assert list(asking.now.answers) == [8]


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (CHOICE, [(1,)], [(0,), (2,)]),
        (MAP, [(3,), (17,)], [(4,)]),
        (NUMBER, [(0.2,), (0.4,), (0.3,)], [(0.41,), (-0.3,)]),
        (SHAPE, [(64, 56, 56)], [(64, 56), (56, 56, 64)]),
    ],
)
def test_what_is_right(
    question: ClassQuestion, right: list[tuple[float, ...]], wrong: list[tuple[float, ...]]
) -> None:
    """One of several maps; a number as near as was said; a shape in its order."""
    assert all(is_right(question, value) for value in right)
    assert not any(is_right(question, value) for value in wrong)


def test_the_batch_of_one_may_be_written_or_not() -> None:
    """Both count as the same answer."""
    asking = QuestionRounds()
    asked = asking.ask(SHAPE, 0.0)
    asking.answer(1, 1, (1, 64, 56, 56), 1.0)
    asking.answer(2, 1, (64, 56, 56), 1.0)
    asking.answer(3, 1, (1, 56, 56), 1.0)
    assert asked.tally() == [((1, 56, 56), 1), ((64, 56, 56), 2)]


def test_without_right_or_wrong_nothing_is_either() -> None:
    """It is an opinion."""
    assert is_right(ClassQuestion(kind="choice", text="Clear?", choices=("yes", "no")), (0,)) is None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (CHOICE, (3,)),
        (CHOICE, (-1,)),
        (CHOICE, (0.5,)),
        (CHOICE, ()),
        (CHOICE, (0, 1)),
        (MAP, (64,)),
        (MAP, (1, 2)),
        (NUMBER, (float("nan"),)),
        (NUMBER, (float("inf"),)),
        (SHAPE, ()),
        (SHAPE, (1.5, 2)),
        (SHAPE, (1,) * 9),
    ],
)
def test_what_is_no_answer_is_refused(question: ClassQuestion, value: tuple[float, ...]) -> None:
    """And leaves no trace."""
    asking = QuestionRounds()
    asked = asking.ask(question, 0.0)
    with pytest.raises(RequestError, match="no answer"):
        asking.answer(1, 1, value, 1.0)
    assert not asked.answers


@pytest.mark.parametrize(
    "question",
    [
        ClassQuestion(kind="choice", text="Which?", choices=("only",)),
        ClassQuestion(kind="choice", text="Which?", choices=("one", "  ")),
        ClassQuestion(kind="number", text="How much?", choices=("one", "two")),
        ClassQuestion(kind="choice", text="Which?", choices=("one", "two"), right=(2,)),
        ClassQuestion(kind="map", text="Which?", right=(64,), maps=64),
        ClassQuestion(kind="number", text="How much?", right=(1, 2)),
        ClassQuestion(kind="number", text=" \n"),
    ],
)
def test_a_question_that_nobody_could_answer_is_refused(question: ClassQuestion) -> None:
    """The one before stays open."""
    asking = QuestionRounds()
    first = asking.ask(CHOICE, 0.0)
    with pytest.raises(RequestError):
        asking.ask(question, 1.0)
    assert asking.now is first


@pytest.mark.parametrize("case", QUESTIONS, ids=lambda case: str(case["typed"]))
def test_the_class_refuses_in_the_words_of_the_forms(case: dict[str, Any]) -> None:
    """The forms' own tests show that this is what they post, and that a lesson's form says the same."""
    with pytest.raises(RequestError) as refusal:
        check(msgspec.convert(case["asked"], ClassQuestion))
    assert str(refusal.value) == str(BROWSER_WORDS[case["word"]]).format(
        fewest=FEWEST_CHOICES, most=MOST_CHOICES
    )


@pytest.mark.parametrize("letter", ["x", "图", "😀"])
def test_a_choice_is_as_long_as_a_class_may_be_told(letter: str) -> None:
    """In characters, whatever their bytes; the refusal names how many."""
    check(ClassQuestion(kind="choice", text="Which?", choices=("a", letter * LONGEST_CHOICE)))
    with pytest.raises(RequestError, match=f"at most {LONGEST_CHOICE} characters"):
        check(ClassQuestion(kind="choice", text="Which?", choices=("a", letter * (LONGEST_CHOICE + 1))))


def test_a_class_has_a_bounded_number_of_questions() -> None:
    """As many as a day at school has."""
    asking = QuestionRounds()
    for number in range(MOST_QUESTIONS):
        asking.answer(1, asking.ask(CHOICE, 0.0).number, (0,), float(number))
    with pytest.raises(RequestError, match="at most"):
        asking.ask(CHOICE, 0.0)


Steps = st.lists(
    st.one_of(
        st.tuples(st.just("answer"), st.integers(1, 4), st.integers(0, 3)),
        st.tuples(st.sampled_from(["ask", "reveal", "close"]), st.just(0), st.just(0)),
        st.tuples(st.just("withdraw"), st.integers(1, 4), st.just(0)),
    ),
    max_size=40,
)


@given(Steps)
def test_whatever_happens_answers_change_only_while_a_question_is_open(
    steps: list[tuple[str, int, int]],
) -> None:
    """After it is shown, its answers stay as they are; each version is a new one."""
    asking, shown = QuestionRounds(), dict[int, dict[int, object]]()
    for what, student, place in steps:
        version = asking.version
        try:
            if what == "answer":
                asking.answer(student, asking.now.number if asking.now else 1, (place,), 1.0)
            elif what == "withdraw":
                asking.withdraw(student)
            elif what == "ask":
                asking.ask(CHOICE, 0.0)
            else:
                getattr(asking, what)()
        except RequestError:
            assert asking.version == version
        for each in asking.asked:
            if each.shown:
                assert shown.setdefault(each.number, dict(each.answers)) == each.answers
