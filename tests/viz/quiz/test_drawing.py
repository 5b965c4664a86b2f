"""From seed and level to the question: the same for the same, and nothing else."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.viz.quiz.asking import ABOUT, NETS, asked, runs
from tests.viz.random_tasks import bits
from viz.errors import RequestError
from viz.quiz import CHOICES, QUESTIONS, SEEDS, Level, Question, Runs, Subjects, question
from viz.quiz.levels import due

SEVERAL = (1, 2, 77, 4711)
LEVELED: tuple[Level, ...] = ("climb", "easy", "middle", "hard")


@pytest.mark.parametrize("level", LEVELED)
@pytest.mark.parametrize("seed", SEVERAL)
def test_every_quiz_has_the_questions_that_are_due(seed: int, level: Level) -> None:
    """In the order of its level; each question has four different answers."""
    quiz = [asked(seed, number, level) for number in range(QUESTIONS)]
    assert [found.kind for found in quiz] == [each.kind for each in due(seed, level)]
    assert all(len(set(found.choices)) == len(found.choices) == CHOICES for found in quiz)
    assert all(0 <= found.right < CHOICES for found in quiz)


@pytest.mark.parametrize("level", LEVELED[1:])
@pytest.mark.parametrize("seed", SEVERAL)
def test_a_kind_that_comes_again_is_about_another_net(seed: int, level: Level) -> None:
    """So the same question never comes twice in a quiz."""
    quiz = [asked(seed, number, level) for number in range(QUESTIONS)]
    assert len({(found.kind, found.model) for found in quiz}) == QUESTIONS


def test_the_order_of_kinds_and_the_place_of_the_right_answer_vary() -> None:
    """So they cannot be learned by heart."""
    quizzes = [[asked(seed, number) for number in range(QUESTIONS)] for seed in SEVERAL]
    assert len({tuple(found.kind for found in quiz) for quiz in quizzes}) == len(SEVERAL)
    assert {found.right for quiz in quizzes for found in quiz} == set(range(CHOICES))
    assert {found.model for quiz in quizzes for found in quiz} >= set(NETS) - {"signalnet"}


def test_every_place_is_right_about_as_often_as_any_other() -> None:
    """In the easy kinds too, whose choices are made in a fixed order."""
    places = Counter(asked(seed, number, "easy").right for seed in SEVERAL for number in range(QUESTIONS))
    assert max(places.values()) <= 16


@pytest.mark.parametrize("level", LEVELED)
def test_the_same_seed_and_level_ask_the_same_questions(level: Level) -> None:
    """Made again from the engine's answers, they are the same to the last pixel; another seed asks others."""
    for number in range(QUESTIONS):
        assert bits(question(77, number, ABOUT, runs(), level)) == bits(asked(77, number, level))
    assert [asked(1, number, level) for number in range(QUESTIONS)] != [
        asked(2, number, level) for number in range(QUESTIONS)
    ]


@pytest.mark.parametrize(("seed", "number"), [(-1, 0), (SEEDS, 0), (0, QUESTIONS), (0, -1)])
def test_there_are_no_other_quizzes(seed: int, number: int) -> None:
    """Refused before anything is computed."""
    with pytest.raises(RequestError, match="a quiz has a seed from 0 to 999999 and 8 questions"):
        question(seed, number, ABOUT, silent())


def test_nets_that_allow_no_such_question_are_named_as_the_reason() -> None:
    """A net for signals has no convolution of maps; it is tried a bounded number of times, without a run."""
    number = [each.kind for each in due(1, "middle")].index("channel")
    only_rows = replace(silent(), rows=runs().rows)
    with pytest.raises(RequestError, match="allow no question of the kind 'channel'"):
        question(1, number, Subjects(("signalnet",), ABOUT.photos), only_rows, "middle")


def silent() -> Runs:
    """Fails if anything is asked."""

    def ask(_: object) -> Question:
        pytest.fail("nothing needs to be asked")

    return Runs(ask, ask, ask, ask, ask, ask)  # type: ignore[arg-type]  it never answers
