"""Routes of the course and the quiz, with answers apart."""

import base64
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as with_more
from starlette.routing import Route

from .....answers.teaching.learning import (
    DescribedPicture,
    LessonFacts,
    LessonLiveFacts,
    LessonNumbers,
    QuizAnswerFacts,
    QuizQuestionFacts,
)
from .....errors import RequestError
from .....lessons.course import lesson
from .....lessons.tasks import CanvasTask, LessonTask
from .....profile.cost import budget, graph_cost
from .....profile.event import Event
from .....quiz import Question as Quizzed
from .....quiz.subjects import quiz_task
from .....request.inspection import Inspection
from .....views.hook_tasks import MemoryTask, TimelineTask
from .....views.one_layer import View
from .....views.whole_model import Predict
from ....learning.course_facts import course_facts, lines_facts
from ....learning.lesson_names import source_number
from ....learning.live_facts import events_of, kept_facts, live_facts
from ....learning.quiz_facts import answer_facts, question_facts
from ....learning.sizes import PICTURE_WIDTH, enlarged
from ....locale.words import say
from ...answers import PageQuery, question, wanted_in
from ...questions import LessonLiveQuestion, LessonPartQuestion, QuizAnswer, QuizQuestion, SpokenQuestion
from ...threads import in_thread

DRAWS_CANVAS = "index"  # the part of a lesson that puts every layer of its net on one canvas
SHOWS_MEMORY, SHOWS_MAPS = 0, 1  # lessons that look at more of the visitor's layer than its hooks
VIEWPORT = (800, 600)  # pixels of the screen: the picture is part of the text


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("course.json", _course, SpokenQuestion),
        question("lesson.json", _lesson, LessonPartQuestion),
        question("lesson_live.json", _live, LessonLiveQuestion),
        question("quiz.json", _question, QuizQuestion),
        question("quiz_answer.json", _answer, QuizAnswer),
    ]


async def _course(asked: PageQuery[SpokenQuestion]) -> LessonFacts:
    return course_facts(source_number(asked.look.lesson), asked.question.language)


async def _lesson(asked: PageQuery[LessonPartQuestion]) -> LessonNumbers:
    """Compute a part's numbers; one part also draws a canvas."""
    number, part = source_number(asked.look.lesson), asked.question.part
    language = asked.question.language
    given = lesson(number).read(asked.request.query_params)
    lines = await asked.answer(LessonTask(number, part, tuple(given.items())), urgent=False)
    if part != DRAWS_CANVAS:
        return lines_facts(lines, language)
    png = await asked.answer(CanvasTask(given["net"]), urgent=False)
    text = say(language, "course_canvas", net=given["net"])
    return lines_facts(lines, language, DescribedPicture(png=_text(png), text=text))


async def _live(asked: PageQuery[LessonLiveQuestion]) -> LessonLiveFacts:
    """Return the lesson's facts about the look's layer: hooks, memory or maps."""
    number = source_number(asked.look.lesson)
    lesson(number)
    wanted, language = replace(await wanted_in(asked), gradient=None), asked.question.language
    events = await _events(asked, wanted)
    facts = live_facts(events, wanted, language)
    if events and number == SHOWS_MEMORY:
        kept = kept_facts(await asked.answer(MemoryTask(wanted, asked.subject.photo)))
        return with_more(facts, kept=kept)
    if events and number == SHOWS_MAPS:
        hot = replace(wanted, colormap="hot", viewport=VIEWPORT)
        view = await asked.answer(View(hot, asked.subject.photo))
        width, height = enlarged(view.png, (PICTURE_WIDTH, 0))
        text = say(language, "course_live_hot", layer=wanted.layer)
        maps = DescribedPicture(png=_text(view.png), text=text, width=width, height=height)
        return with_more(facts, maps=maps)
    return facts


async def _events(asked: PageQuery[LessonLiveQuestion], wanted: Inspection) -> list[Event]:
    """Return the call's events, with the backward pass where possible."""
    subject = asked.subject
    found = await asked.answer(Predict(subject.photo, subject.model, subject.weights))
    if found.classes and graph_cost(subject.rows) <= budget().ask:
        wanted = replace(wanted, gradient=found.classes[0])
    return events_of(await asked.answer(TimelineTask(wanted, subject.photo)), wanted)


async def _question(asked: PageQuery[QuizQuestion]) -> QuizQuestionFacts:
    language = asked.question.language
    return await in_thread(asked.subject, question_facts, await _quizzed(asked), language)


async def _answer(asked: PageQuery[QuizAnswer]) -> QuizAnswerFacts:
    language, choice = asked.question.language, _said("choice", asked.question.choice)
    return await in_thread(asked.subject, answer_facts, await _quizzed(asked), choice, language)


async def _quizzed(asked: PageQuery[Any]) -> Quizzed:
    """Return the question with its answer, by seed and level."""
    seed = _said("seed", asked.look.seed)
    task = quiz_task(seed, asked.question.question, asked.look.level)
    return await asked.answer(task, urgent=asked.urgent)


def _said(name: str, value: int | None) -> int:
    if value is None:
        raise RequestError("this address does not say {name}; open the page again.", name=name)
    return value


def _text(png: bytes) -> str:
    return base64.b64encode(png).decode()
