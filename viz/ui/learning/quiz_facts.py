"""A quiz question for the browser, and apart from it the answer."""

import base64

from msgspec import UNSET

from ...answers.teaching.learning import DescribedPicture, QuizAnswerFacts, QuizChoice, QuizQuestionFacts
from ...errors import RequestError
from ...quiz import Picture, Question, level_of
from ..locale.words import say
from .quiz_lessons import lesson_of
from .quiz_sentences import (
    alternative_in_words,
    asked_in_words,
    choice_in_words,
    grid_of,
    title_in_words,
    why_in_words,
)
from .rendered import rendered
from .sizes import PICTURE_WIDTH, enlarged

BESIDE, SMALL = 280, 224  # screen pixels: a picture with choices beside it, and the picture of a choice
# Screen pixels, width and height, of heads beside each other, and of channels with a row each.
WIDE = {"attention": (800, 0), "signals": (800, 260)}


def question_facts(asked: Question, language: str) -> QuizQuestionFacts:
    """The question, its pictures and its choices.

    Nothing in it depends on which choice is right.
    """
    return QuizQuestionFacts(
        level=say(language, f"quiz_of_level_{level_of(asked.kind)}"),
        text=rendered(asked_in_words(asked, language)),
        choices=_choices(asked, language),
        pictures=tuple(_picture_facts(asked, each, language) for each in asked.pictures if not each.small),
        numbers=asked.numbers or UNSET,
    )


def answer_facts(asked: Question, choice: int, language: str) -> QuizAnswerFacts:
    """Check a choice; return the right one and the reason, too.

    Choices are counted from 0.

    Raises:
        RequestError: the question has no such choice.
    """
    if choice >= len(asked.choices):
        raise RequestError(
            "choices are counted from 0: the last one is {last}, so there is no choice {choice}.",
            last=len(asked.choices) - 1,
            choice=choice,
        )
    lesson, title = lesson_of(asked.kind, language)
    return QuizAnswerFacts(
        right=choice == asked.right,
        answer=asked.right,
        why=rendered(why_in_words(asked, language)),
        lesson=lesson,
        lesson_title=title,
    )


def viewport(asked: Question, picture: Picture) -> tuple[int, int]:
    """The screen pixels (width, height) for a picture; 0 for any height."""
    beside = any(each.small for each in asked.pictures)
    width = SMALL if picture.small else BESIDE if beside else PICTURE_WIDTH
    return WIDE.get(picture.role, (width, 0))


def _choices(asked: Question, language: str) -> tuple[QuizChoice, ...]:
    pictures = [_picture_facts(asked, picture, language) for picture in asked.pictures if picture.small]
    return tuple(
        QuizChoice(
            text=choice_in_words(asked, place, language),
            picture=pictures[place] if pictures else UNSET,
            numbers=grid_of(asked, place) or UNSET,
        )
        for place in range(len(asked.choices))
    )


def _picture_facts(asked: Question, picture: Picture, language: str) -> DescribedPicture:
    width, height = enlarged(picture.png, viewport(asked, picture))
    return DescribedPicture(
        png=base64.b64encode(picture.png).decode(),
        text=alternative_in_words(asked, picture, language),
        title=title_in_words(asked, picture, language),
        width=width,
        height=height,
    )
