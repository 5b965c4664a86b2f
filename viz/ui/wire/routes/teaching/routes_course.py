"""The course: its contents, a lesson, a step's run on the visitor's picture; lesson plans."""

from dataclasses import replace

from msgspec.structs import replace as with_more
from starlette.routing import Route

from .....answers.teaching.learning import CourseContents, LessonText, StepFacts, StepMaps, StepPicture
from .....answers.teaching.plans import LessonPlan, LessonPlans
from .....course.found import StepFound
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
from ...questions import Spoken

WEIGHTS = "pretrained"  # a lesson is about a net that knows something
VIEWPORT = (560, 420)  # pixels of a picture: it stands beside text


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("contents.json", _contents, Spoken),
        question("lesson_text.json", _lesson, Spoken),
        question("step.json", _step, Spoken),
        question("step_maps.json", _maps, Spoken),
        question("plans.json", _plans, Spoken),
    ]


async def _contents(asked: PageQuery[Spoken]) -> CourseContents:
    return contents_facts(asked.question.language)


async def _lesson(asked: PageQuery[Spoken]) -> LessonText:
    return lesson_facts(asked.look.lesson, asked.question.language)


async def _step(asked: PageQuery[Spoken]) -> StepFacts:
    """The run on the visitor's picture, in the lesson's net, whatever model is on screen."""
    language = asked.question.language
    lesson, step = step_in(asked.look.lesson, asked.look.lesson_step, language)
    found = await _found(asked, lesson, step) if step.code else StepFound()
    facts = found_facts(step, found, language)
    if step.draw or found.error:
        return facts
    picture = await _looked_at(asked, lesson, step)
    return with_more(facts, pictures=(picture,) if picture else ())


async def _maps(asked: PageQuery[Spoken]) -> StepMaps:
    language = asked.question.language
    lesson, step = step_in(asked.look.lesson, asked.look.lesson_step, language)
    return maps_facts(await _found(asked, lesson, step), language)


async def _plans(asked: PageQuery[Spoken]) -> LessonPlans:
    """Plans of lessons; the browser reads them as it reads those that teachers write themselves."""
    known = served_plans(asked.question.language)
    return LessonPlans(plans=tuple(LessonPlan(id=name, text=text) for name, text in known))


async def _found(asked: PageQuery[Spoken], lesson: Lesson, step: Step) -> StepFound:
    task = StepTask(lesson.net, WEIGHTS, run_of(step), asked.subject.photo)
    return await asked.answer(task, urgent=asked.urgent)


async def _looked_at(asked: PageQuery[Spoken], lesson: Lesson, step: Step) -> StepPicture | None:
    """The layer of the step's look, where the step itself draws nothing; None without a look at a layer."""
    look, _ = look_from_query(step.look)
    if look.view != "layer" or not look.layer:
        return None
    photo = asked.subject.photo
    wanted = Inspection(photo.fingerprint, lesson.net, WEIGHTS, look.layer, look.call, viewport=VIEWPORT)
    wanted = replace(wanted, colormap=look.colormap, scale=look.scale, order=look.order)
    wanted = replace(wanted, edits=edits_from(look.edit))
    view = await asked.answer(View(wanted, photo))
    return drawn_picture(view.png, look.layer, asked.question.language)
