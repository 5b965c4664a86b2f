"""Checks that a question has one answer that an eye can find."""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from ..pictures.alike import look_alike
from ..request.look import Level
from .levels import QUESTIONS
from .question import Question

LEVELS: tuple[Level, ...] = ("easy", "middle", "hard")
CHECKED = 4  # quizzes of each level: 96 questions, some of each kind about each net that has them


def checked_quizzes(ask: Callable[[int, int, Level], Question]) -> tuple[int, list[str]]:
    """Return the number of questions made, and a sentence per fault.

    Args:
        ask: (seed, number, level) → a question, made from real runs.
    """
    asked = [
        (seed, number, level) for level in LEVELS for seed in range(CHECKED) for number in range(QUESTIONS)
    ]
    return len(asked), list(_faults(ask, asked))


def _faults(
    ask: Callable[[int, int, Level], Question], asked: Iterable[tuple[int, int, Level]]
) -> Iterator[str]:
    for seed, number, level in asked:
        question = ask(seed, number, level)
        for why in question_wrong(question):
            yield f"quiz {seed}, {level}, question {number + 1} ({question.kind} on {question.model}): {why}"


def question_wrong(question: Question) -> Iterator[str]:
    """Yield a sentence for each fault of a question's choices.

    Two choices may be the same, or two pictures may look alike.
    """
    for one, other in combinations(range(len(question.choices)), 2):
        if question.choices[one] == question.choices[other]:
            yield f"two choices are the same: {question.choices[one]}."
    drawn = [picture for picture in question.pictures if picture.small]
    if drawn and len(drawn) != len(question.choices):
        yield f"{len(drawn)} pictures belong to {len(question.choices)} choices."
        return
    for place, picture in enumerate(drawn):
        if place != question.right and look_alike(picture.png, drawn[question.right].png):
            yield f"the pictures of {question.choices[place]} and of the right answer look alike."
