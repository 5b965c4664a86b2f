"""Routes about a class's questions, answers and results."""

import re
from html import unescape
from time import localtime, monotonic, strftime

from msgspec.structs import replace
from starlette.responses import Response

from ...answers.teaching.asking import (
    LONGEST_CHOICE,
    AskedHeard,
    AskingOrder,
    ClassQuestion,
    Nickname,
    NicknameHeard,
    QuizOnScreen,
    StudentAnswers,
)
from ...quiz import Question as Quizzed
from ...quiz.subjects import quiz_task
from ..learning.quiz_facts import question_facts
from ..wire.answers import UNKEPT, PageQuery, attachment
from ..wire.questions import Question, SpokenQuestion
from ..wire.threads import in_thread
from . import questions
from .classroom import Classroom
from .plain_text import plain
from .results import results_csv
from .saying import ANSWERS, class_of, count, said

_TAG = re.compile("<[^>]*>")  # of our own Markdown: emphasis and code


async def ask(asked: PageQuery[Question]) -> AskedHeard:
    """The teacher asks a question of their own."""
    told, room = await said(asked, ClassQuestion), class_of(asked.subject)
    count(ANSWERS, asked.subject.visitor)
    question = replace(
        told,
        text=plain(told.text),
        choices=tuple(plain(each) for each in told.choices),
        explanation=plain(told.explanation),
        layer=plain(told.layer),
    )
    questions.ask(room, asked.subject.visitor, question, monotonic())
    return _heard(room)


async def ask_quiz(asked: PageQuery[SpokenQuestion]) -> AskedHeard:
    """Ask the class a question of the quiz, for the teacher."""
    told, room = await said(asked, QuizOnScreen), class_of(asked.subject)
    count(ANSWERS, asked.subject.visitor)
    room.check_teacher(asked.subject.visitor)
    found: Quizzed = await asked.answer(quiz_task(told.seed, told.number, told.level))
    facts = await in_thread(asked.subject, question_facts, found, asked.question.language)
    question = ClassQuestion(
        kind="choice",
        text=unescape(_TAG.sub("", facts.text)),
        choices=tuple(each.text[:LONGEST_CHOICE] for each in facts.choices),
        right=(float(found.right),),
    )
    questions.ask(room, asked.subject.visitor, question, monotonic(), told)
    return _heard(room)


async def obeyed(asked: PageQuery[Question]) -> AskedHeard:
    """Carry out the teacher's order about the question, or about nicknames."""
    told, room = await said(asked, AskingOrder), class_of(asked.subject)
    questions.obey(room, asked.subject.visitor, told)
    return _heard(room)


async def answer(asked: PageQuery[Question]) -> AskedHeard:
    """Take a student's answer."""
    visitor = asked.subject.visitor
    count(ANSWERS, visitor)  # before it is read: whoever floods is not listened to
    told, room = await said(asked, StudentAnswers), class_of(asked.subject)
    questions.answer(room, visitor, told.asked, told.value, monotonic())
    return _heard(room)


async def name(asked: PageQuery[Question]) -> NicknameHeard:
    """Take a student's nickname."""
    visitor = asked.subject.visitor
    count(ANSWERS, visitor)
    told, room = await said(asked, Nickname), class_of(asked.subject)
    return NicknameHeard(nickname=questions.call_me(room, visitor, told.nickname))


async def results(asked: PageQuery[SpokenQuestion]) -> Response:
    """Return all questions' answers as a table, for the teacher alone."""
    room = class_of(asked.subject)
    room.check_teacher(asked.subject.visitor)
    made = results_csv(room, asked.question.language)
    named = attachment(f"layerglass-class-{strftime('%Y-%m-%d-%H%M', localtime())}.csv")
    return Response(made, media_type="text/csv; charset=utf-8", headers=UNKEPT | named)


def _heard(room: Classroom) -> AskedHeard:
    return AskedHeard(asked=room.asking.now.number if room.asking.now else 0)
