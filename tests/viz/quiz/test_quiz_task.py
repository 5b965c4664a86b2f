"""A question as a task: the same as asked step by step, made once for everybody."""

import pytest

from tests.viz.quiz.asking import EASY_NETS, NETS, PHOTOS, asked, engine
from tests.viz.random_tasks import bits
from viz.errors import RequestError
from viz.quiz import QUESTIONS, Question, QuizTask


def made(seed: int, number: int, visitor: str = "test") -> Question:
    """The engine's answer to the task."""
    return engine().do(QuizTask(seed, number, NETS, PHOTOS, EASY_NETS), visitor=visitor).result()


@pytest.mark.parametrize("number", range(QUESTIONS))
def test_one_task_asks_what_many_small_ones_ask(number: int) -> None:
    """The tests of the kinds ask for each run by itself; both questions are equal to the last pixel."""
    assert bits(made(77, number)) == bits(asked(77, number))


def test_a_class_shares_its_question() -> None:
    """Another visitor gets the very same object; another seed or number is another question."""
    assert made(77, 0) is made(77, 0, "somebody else")
    keys = {QuizTask(*said, NETS[:few], PHOTOS).key for said in ((77, 0), (77, 1), (78, 0)) for few in (2, 4)}
    assert len(keys) == 6
    levels = ("climb", "easy", "middle", "hard")
    assert len({QuizTask(77, 0, NETS, PHOTOS, EASY_NETS, level).key for level in levels}) == 4  # type: ignore[arg-type]


def test_a_question_knows_how_much_memory_it_takes() -> None:
    """Its pictures are most of it, so the engine can bound what it keeps."""
    found = next(made(77, number) for number in range(QUESTIONS) if made(77, number).pictures)
    pixels = sum(len(picture.png) for picture in found.pictures)
    assert pixels < found.bytes < pixels + 100_000


def test_there_is_no_question_after_the_last_one() -> None:
    """The error is the quiz's own, and it reaches whoever waits."""
    with pytest.raises(RequestError, match="seed from 0 to 999999"):
        made(77, QUESTIONS)
