"""A lesson for the browser: its text, and its steps' results."""

import base64
import html
import io
from collections.abc import Mapping

from PIL import Image

from ...answers.teaching.learning import (
    CourseContents,
    LessonEntry,
    LessonText,
    NumberRange,
    StepBar,
    StepFacts,
    StepMaps,
    StepPicture,
    StepText,
)
from ...course.folder import find, served
from ...course.found import PaintedValue, StepResult
from ...course.lesson import Lesson, Step
from ...course.setup import setup_code
from ...course.values import filled
from ...errors import RequestError
from ..locale.words import say
from .rendered import rendered

NEARLY = 1000  # how many times smaller a number is that looks like zero on a scale
_CODE = ("(", "[", "{")  # what begins like this is a value of Python, and is shown as code


def contents_facts(language: str) -> CourseContents:
    """The lessons of the course."""
    return CourseContents(
        lessons=tuple(
            LessonEntry(
                id=lesson.id,
                title=lesson.title,
                about=rendered(lesson.about),
                minutes=lesson.minutes,
                steps=len(lesson.steps),
            )
            for lesson in served(language)
        )
    )


def lesson_facts(identity: str, language: str) -> LessonText:
    """Return a lesson, without its right answers.

    Raises:
        RequestError: there is no such lesson.
    """
    lesson = find(served(language), identity)
    return LessonText(
        id=lesson.id,
        title=lesson.title,
        net=lesson.net,
        setup=setup_code(lesson.net),
        exercises=lesson.exercises,
        steps=tuple(map(_step_text, lesson.steps)),
    )


def step_in(identity: str, number: int | None, language: str) -> tuple[Lesson, Step]:
    """A lesson, and its step with this number, from 1.

    Raises:
        RequestError: there is no such lesson, or no such step.
    """
    lesson = find(served(language), identity)
    if number is None or not 1 <= number <= len(lesson.steps):
        raise RequestError(
            "the lesson {lesson} has steps 1 to {last}, so there is no step {step}.",
            lesson=lesson.id,
            last=len(lesson.steps),
            step=str(number),
        )
    return lesson, lesson.steps[number - 1]


def found_facts(step: Step, found: StepResult, language: str) -> StepFacts:
    """Return a step's results, with its sentences about them."""
    values = dict(found.values)
    places = {choice.value: place for place, choice in enumerate(step.choices)}
    return StepFacts(
        printed=found.printed,
        ran=found.ran,
        answer=_answer(step, found, language),
        right=found.place if step.maps else places.get(found.answer),
        alike=found.alike,
        within=step.guess.within if step.guess else None,
        whys=tuple(rendered(choice.why) for choice in step.choices),
        after=() if found.error else tuple(_said(text, values) for text in step.after),
        shown=tuple(rendered(shown.caption) for shown in step.maps),
        pictures=tuple(
            _picture(painted, shown.caption, language)
            for painted, shown in zip(found.draw, step.draw, strict=False)
        ),
        failed=found.error,
    )


def maps_facts(found: StepResult, language: str) -> StepMaps:
    """The maps to choose among."""
    return StepMaps(
        maps=tuple(
            _picture(painted, say(language, "step_map", number=place), language)
            for place, painted in enumerate(found.maps, 1)
        )
    )


def drawn_picture(png: bytes, layer: str, language: str) -> StepPicture:
    """Return a picture of the look's layer."""
    size = Image.open(io.BytesIO(png)).size
    return _picture(PaintedValue(png, *size, photo=True), say(language, "step_looked", layer=layer), language)


def _step_text(step: Step) -> StepText:
    guess = step.guess
    return StepText(
        title=step.title,
        text=tuple(map(rendered, step.text)),
        look=step.look,
        code=step.code,
        lit=step.lit,
        question=rendered(step.question),
        choices=tuple(_choice(choice.words) for choice in step.choices),
        maps=len(step.maps),
        guess=NumberRange(least=guess.least, most=guess.most, unit=guess.unit) if guess else None,
    )


def _choice(words: str) -> str:
    return rendered(f"`{words}`" if words.startswith(_CODE) else words)


def _answer(step: Step, found: StepResult, language: str) -> str:
    if not step.guess:
        return next((c.words for c in step.choices if c.value == found.answer), found.answer)
    if step.guess.unit == "%":
        return say(language, "step_per_cent", number=found.answer)
    return f"{found.answer} {step.guess.unit}".strip()


def _said(text: str, values: Mapping[str, str]) -> str:
    """A sentence as HTML, with values that are never Markdown.

    The values may be anybody's.
    """
    marks: dict[str, str] = {}

    def marked(value: str) -> str:
        mark = f"\ue000{len(marks)}\ue001"  # letters that no text has
        marks[mark] = html.escape(value)
        return mark

    said = rendered(filled(text, values, marked))
    for mark, value in marks.items():
        said = said.replace(mark, value)
    return said


def _picture(painted: PaintedValue, caption: str, language: str) -> StepPicture:
    scaled = bool(painted.png) and not painted.photo
    low, high = _ends(painted)
    alt = caption.replace("`", "")
    if painted.bars:
        alt = say(language, "step_bars", caption=alt)
    return StepPicture(
        png=base64.b64encode(painted.png).decode(),
        text=alt,
        title=rendered(caption),
        width=painted.width,
        height=painted.height,
        low=low if scaled else "",
        high=high if scaled else "",
        colours=painted.colours,
        bars=tuple(StepBar(name=name, value=value) for name, value in painted.bars),
    )


def _ends(painted: PaintedValue) -> tuple[str, str]:
    """The numbers at both ends of a scale, tiny ones as zero."""
    most = max(abs(painted.low), abs(painted.high))

    def number(value: float, sign: str, *, beyond: bool) -> str:
        if 0 < abs(value) < most / NEARLY:
            return "≈ 0"
        return sign * beyond + f"{value:.3g}".replace("-", "−")

    below, above = painted.beyond
    return number(painted.low, "≤ ", beyond=below), number(painted.high, "≥ ", beyond=above)
