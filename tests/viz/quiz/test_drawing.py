"""From the seed to the question: the same for the same seed, one of each kind, and nothing else."""

import pytest

from tests.viz.quiz.asking import ABOUT, NETS, asked, runs
from viz.errors import RequestError
from viz.quiz import CHOICES, KINDS, QUESTIONS, SEEDS, Question, Runs, Subjects, question

SEVERAL = (1, 2, 77, 4711)


@pytest.mark.parametrize("seed", SEVERAL)
def test_every_quiz_has_one_question_of_each_kind(seed: int) -> None:
    """Each quiz has its own order; each question has four different answers."""
    quiz = [asked(seed, number) for number in range(QUESTIONS)]
    assert sorted(found.kind for found in quiz) == sorted(KINDS)
    assert all(len(set(found.choices)) == len(found.choices) == CHOICES for found in quiz)
    assert all(0 <= found.right < CHOICES for found in quiz)


def test_the_order_of_kinds_and_the_place_of_the_right_answer_vary() -> None:
    """So they cannot be learned by heart."""
    quizzes = [[asked(seed, number) for number in range(QUESTIONS)] for seed in SEVERAL]
    assert len({tuple(found.kind for found in quiz) for quiz in quizzes}) == len(SEVERAL)
    assert {found.right for quiz in quizzes for found in quiz} == set(range(CHOICES))
    assert {found.model for quiz in quizzes for found in quiz} == set(NETS)


def test_the_same_seed_asks_the_same_questions() -> None:
    """Made again from the engine's answers, it is the same to the last pixel; another seed asks others."""
    for number in range(QUESTIONS):
        assert question(77, number, ABOUT, runs()) == asked(77, number)
    assert [asked(1, number) for number in range(QUESTIONS)] != [
        asked(2, number) for number in range(QUESTIONS)
    ]


@pytest.mark.parametrize(("seed", "number"), [(-1, 0), (SEEDS, 0), (0, QUESTIONS), (0, -1)])
def test_there_are_no_other_quizzes(seed: int, number: int) -> None:
    """Refused before anything is computed."""
    with pytest.raises(RequestError, match="a quiz has a seed from 0 to 999999 and 8 questions"):
        question(seed, number, ABOUT, silent())


def test_nets_that_allow_no_such_question_are_named_as_the_reason() -> None:
    """A net for signals has no convolution of maps; it is tried a bounded number of times, without a run."""
    number = [asked(1, place).kind for place in range(QUESTIONS)].index("channel")
    only_rows = Runs(runs().rows, silent().values, silent().events, silent().fates)
    with pytest.raises(RequestError, match="allow no question of the kind 'channel'"):
        question(1, number, Subjects(("signalnet",), ABOUT.photos), only_rows)


def silent() -> Runs:
    """Fails if anything is asked."""

    def ask(_: object) -> Question:
        pytest.fail("nothing needs to be asked")

    return Runs(ask, ask, ask, ask)  # type: ignore[arg-type]  it never answers
