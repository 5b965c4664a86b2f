"""Checks that a question has one answer, which an eye can find."""

from collections.abc import Callable, Iterator
from itertools import combinations

from ..pictures.alike import look_alike
from ..request.look import Level
from .computing import computed, is_too_much
from .levels import QUESTIONS
from .question import Question
from .subjects import SIGNALS

LEVELS: tuple[Level, ...] = ("easy", "middle", "hard")
CHECKED = 4  # quizzes of each level: 96 questions, some of each kind about each net that has them


def checked_quizzes(
    ask: Callable[[int, int, Level], Question], of_signals: Callable[[str], bool]
) -> tuple[int, list[str]]:
    """Return the number of questions made, and a sentence per fault.

    Args:
        ask: (seed, number, level) → a question, made from real runs.
        of_signals: whether a net reads signals.
    """
    asked = [
        (seed, number, level) for level in LEVELS for seed in range(CHECKED) for number in range(QUESTIONS)
    ]
    faults = []
    for seed, number, level in asked:
        question = ask(seed, number, level)
        place = f"quiz {seed}, {level}, question {number + 1} ({question.kind} on {question.model})"
        wrong = (*question_wrong(question), *subject_wrong(question, of_signals=of_signals(question.model)))
        faults += [f"{place}: {why}" for why in wrong]
    return len(asked), faults


def question_wrong(question: Question) -> Iterator[str]:
    """Yield a sentence for each fault of a question's choices.

    Two choices may be the same, or two pictures may look alike. The right one may be another than what is
    shown makes, and what is easy may be too much.
    """
    for one, other in combinations(range(len(question.choices)), 2):
        if question.choices[one] == question.choices[other]:
            yield f"two choices are the same: {question.choices[one]}."
    right = computed(question)
    if right is not None and right != question.choices[question.right]:
        yield f"the answer is {right}, not {question.choices[question.right]}."
    if is_too_much(question):
        yield f"nobody works out {question.type} by looking and counting."
    yield from _pictures_wrong(question)


def subject_wrong(question: Question, *, of_signals: bool) -> Iterator[str]:
    """Yield a sentence if a net cannot read its picture."""
    if of_signals != (question.sample in SIGNALS):
        yield f"{question.model} does not read {question.sample}."


def _pictures_wrong(question: Question) -> Iterator[str]:
    drawn = [picture for picture in question.pictures if picture.small]
    if drawn and len(drawn) != len(question.choices):
        yield f"{len(drawn)} pictures belong to {len(question.choices)} choices."
        return
    for place, picture in enumerate(drawn):
        if place != question.right and look_alike(picture.png, drawn[question.right].png):
            yield f"the pictures of {question.choices[place]} and of the right answer look alike."
