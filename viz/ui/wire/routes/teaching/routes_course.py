"""Routes of the course: contents, lessons, steps' runs, lesson plans."""

from dataclasses import replace

from msgspec.structs import replace as with_more
from starlette.routing import Route

from .....answers.teaching.learning import CourseContents, LessonText, StepFacts, StepMaps, StepPicture
from .....answers.teaching.plans import LessonPlan, LessonPlans
from .....course.found import StepResult
from .....course.lesson import Lesson, Step
from .....course.tasks import StepTask, run_of
from .....plans.folder import served as served_plans
from .....request.edit_request import edits_from
from .....request.inspection import Inspection
from .....request.look import look_from_query
from .....views.one_layer import View
from ....learning.step_facts import (
    contents_facts,
    drawn_picture,
    found_facts,
    lesson_facts,
    maps_facts,
    step_in,
)
from ...answers import PageQuery, question
from ...questions import SpokenQuestion

WEIGHTS = "pretrained"  # a lesson is about a net that knows something
VIEWPORT = (560, 420)  # pixels of a picture: it stands beside text


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("contents.json", _contents, SpokenQuestion),
        question("lesson_text.json", _lesson, SpokenQuestion),
        question("step.json", _step, SpokenQuestion),
        question("step_maps.json", _maps, SpokenQuestion),
        question("plans.json", _plans, SpokenQuestion),
    ]


async def _contents(asked: PageQuery[SpokenQuestion]) -> CourseContents:
    return contents_facts(asked.question.language)


async def _lesson(asked: PageQuery[SpokenQuestion]) -> LessonText:
    return lesson_facts(asked.look.lesson, asked.question.language)


async def _step(asked: PageQuery[SpokenQuestion]) -> StepFacts:
    """Run a step on the visitor's picture, in the lesson's net."""
    language = asked.question.language
    lesson, step = step_in(asked.look.lesson, asked.look.lesson_step, language)
    found = await _found(asked, lesson, step) if step.code else StepResult()
    facts = found_facts(step, found, language)
    if step.draw or found.error:
        return facts
    picture = await _looked_at(asked, lesson, step)
    return with_more(facts, pictures=(picture,) if picture else ())


async def _maps(asked: PageQuery[SpokenQuestion]) -> StepMaps:
    language = asked.question.language
    lesson, step = step_in(asked.look.lesson, asked.look.lesson_step, language)
    return maps_facts(await _found(asked, lesson, step), language)


async def _plans(asked: PageQuery[SpokenQuestion]) -> LessonPlans:
    """Return the lesson plans in the form that teachers write."""
    known = served_plans(asked.question.language)
    return LessonPlans(plans=tuple(LessonPlan(id=name, text=text) for name, text in known))


async def _found(asked: PageQuery[SpokenQuestion], lesson: Lesson, step: Step) -> StepResult:
    task = StepTask(lesson.net, WEIGHTS, run_of(step), asked.subject.photo)
    return await asked.answer(task, urgent=asked.urgent)


async def _looked_at(asked: PageQuery[SpokenQuestion], lesson: Lesson, step: Step) -> StepPicture | None:
    """Return the layer of the step's look; None without one."""
    look, _ = look_from_query(step.look)
    if look.view != "layer" or not look.layer:
        return None
    photo = asked.subject.photo
    wanted = Inspection(photo.fingerprint, lesson.net, WEIGHTS, look.layer, look.call, viewport=VIEWPORT)
    wanted = replace(wanted, colormap=look.colormap, scale=look.scale, order=look.order)
    wanted = replace(wanted, edits=edits_from(look.edit))
    view = await asked.answer(View(wanted, photo))
    return drawn_picture(view.png, look.layer, asked.question.language)
