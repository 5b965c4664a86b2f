"""The question of a plan's step, checked against its right answer."""

import re

from ..answers.teaching.asking import MOST_CHOICES
from ..course.blocks import LessonError, TextBlock
from ..course.lesson import Choice, Guess
from ..course.predictions import NUMBER, choices_in, guess_in
from .parts import Part, plain
from .plan import Asking, PlanQuestion

CHANNELS = re.compile(r"[0-9]{1,5}(?:, [0-9]{1,5})*")
SHAPE = re.compile(r"\([0-9]{1,7}(?:, [0-9]{1,7})*,?\)")


def asked(part: Part, path: str) -> PlanQuestion | None:
    """Return a step's question; None without one.

    Raises:
        LessonError: a part of the question is missing, or does not fit the others.
    """
    questions = part.of("question")
    if len(questions) > 1:
        raise LessonError(path, questions[1].line, "a step has one question, and this is the second.")
    choices, guess = _choices(part, path), guess_in(part.header("guess"), path)
    kinds = _kinds(part, choices, guess, path)
    if not questions:
        _check_no_answers(part, kinds, path)
        return None
    line = questions[0].line
    if not kinds:
        ways = "this question has no way to answer: give it choices (- …), a guess, or ask: map or shape."
        raise LessonError(path, line, ways)
    if len(kinds) > 1:
        raise LessonError(path, line, "a question has choices, a guess, a map or a shape: one of the four.")
    right, why = part.header("answer"), _why(part)
    if right is None:
        raise LessonError(path, line, "this question has no right answer: say it in a header answer.")
    if not why:
        raise LessonError(
            path, line, "this question has no explanation: say why in a line that begins with !."
        )
    found = PlanQuestion(kinds[0], plain(questions[0].text), right.text, why, choices, guess)
    _check_right(found, right, path)
    return found


def _kinds(part: Part, choices: tuple[Choice, ...], guess: Guess | None, path: str) -> list[Asking]:
    """The ways in which a step lets the class answer."""
    kinds: list[Asking] = [*(["choice"] if choices else []), *(["number"] if guess else [])]  # type: ignore[list-item]
    said = part.header("ask")
    if said is None:
        return kinds
    if said.text == "map":
        return [*kinds, "map"]
    if said.text == "shape":
        return [*kinds, "shape"]
    raise LessonError(path, said.line, "ask says map or shape, not {text}.", text=said.text)


def _check_no_answers(part: Part, kinds: list[Asking], path: str) -> None:
    answer = part.header("answer")
    if kinds or answer or part.of("after"):
        raise LessonError(
            path, part.heading.line, "here is an answer, but no question: a line that begins with ?."
        )


def _why(part: Part) -> tuple[str, ...]:
    first = next((block.line for block in part.of("after")), None)
    if first is None:
        return ()
    return tuple(plain(block.text) for block in part.of("after", "text") if block.line >= first)


def _choices(part: Part, path: str) -> tuple[Choice, ...]:
    found = choices_in(part.of("choice", "why"), part.heading.line, path)
    if len(found) == 1:
        raise LessonError(path, part.heading.line, "a single choice is none: give at least two.")
    if len(found) > MOST_CHOICES:
        raise LessonError(
            path, part.heading.line, "a question has at most {most} choices.", most=MOST_CHOICES
        )
    return found


def _check_right(question: PlanQuestion, right: TextBlock, path: str) -> None:
    """Check that the right answer is one that can be given."""
    answer, guess = right.text, question.guess
    if question.kind == "choice" and answer not in [choice.value for choice in question.choices]:
        raise LessonError(path, right.line, "the answer {answer} is none of the choices.", answer=answer)
    if question.kind == "map" and not CHANNELS.fullmatch(answer):
        sentence = "the answer is a channel, counted from 0, or several with commas, not {answer}."
        raise LessonError(path, right.line, sentence, answer=answer)
    if question.kind == "shape" and not SHAPE.fullmatch(answer):
        sentence = "a shape is written like (1, 32, 112, 112), not {answer}."
        raise LessonError(path, right.line, sentence, answer=answer)
    if guess and not (NUMBER.fullmatch(answer) and guess.least <= float(answer) <= guess.most):
        least, most = f"{guess.least:g}", f"{guess.most:g}"
        sentence = "the answer {answer} is no number from {least} to {most}."
        raise LessonError(path, right.line, sentence, answer=answer, least=least, most=most)
