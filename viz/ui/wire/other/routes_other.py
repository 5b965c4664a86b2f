"""Routes of a comparison's other side: ``/maps/<left>/other.json?<look>``, and its models."""

from collections.abc import Sequence

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import Route

from ....answers.other import ModelOffer, OtherFacts
from ....catalogue import models
from ....views.whole_model import Survey
from ...locale.translated import translated
from ...visit.visit import Rows
from ...visit.weights_words import needs_in_words
from ..answers import GONE, PageQuery, question, refused
from ..inspecting import inspection_of
from ..questions import ModelQuestion, OtherQuestion, SpokenQuestion
from ..threads import in_thread
from .asking import asked_to_load, loading_of
from .choices import model_beside
from .labels import labels_of
from .pictures import picture_beside
from .sides import Sides


def questions() -> list[Route]:
    """Their routes."""
    # The other side is not kept: a model may be loaded by the next time, or an own picture be here.
    return [
        question("other.json", _other, OtherQuestion, kept=False),
        question(
            "models.json", _models, SpokenQuestion, kept=False
        ),  # what needs a download today is here tomorrow
    ]


async def _models(asked: PageQuery[SpokenQuestion]) -> Sequence[ModelOffer]:
    """Every model, those that are ready first."""
    needs = await in_thread(asked.subject, needs_in_words, asked.question.language)
    return [ModelOffer(name=name, needs=said) for name, said in needs.items()]


async def _other(asked: PageQuery[OtherQuestion]) -> OtherFacts | Response:
    """Return the other side's facts, or ``ask`` or ``loading``.

    Whatever keeps its model from being shown, its picture, model and weights can be chosen. If its trained
    weights cannot be had, it is shown untrained.
    """
    sides = await _sides(asked)
    try:
        rows = await _rows(asked, sides)
    except (models.WeightsUnavailableError, models.WeightsDamagedError) as error:
        sides = sides.untrained(translated(str(error), sides.language))
        rows = await _rows(asked, sides)
    if isinstance(rows, OtherFacts):
        return rows
    subject, wanted = asked.subject, sides.wanted
    visit = subject.visit()
    beside = (sides.picture.photo, sides.model.model, sides.model.weights, rows)
    other = None if visit is None else await in_thread(subject, visit.beside, subject, *beside)
    if other is None:
        return refused(GONE, 410)
    theirs = await inspection_of(other, sides.look_beside(), ModelQuestion())
    labels = await labels_of((subject, other), (wanted, theirs), sides.titles, sides.language)
    return replace(await in_thread(subject, sides.facts_with, rows), subject=other.token, labels=labels)


async def _sides(asked: PageQuery[OtherQuestion]) -> Sides:
    """Return both sides of a look, before the other's model is loaded."""
    subject, look, language = asked.subject, asked.look, asked.question.language
    wanted = await inspection_of(subject, look, ModelQuestion())
    picture = await in_thread(subject, picture_beside, subject, look, language)
    model = await in_thread(subject, model_beside, subject, look, language)
    return Sides(subject, look, language, wanted, picture, model)


async def _rows(asked: PageQuery[OtherQuestion], sides: Sides) -> Rows | OtherFacts:
    """Return the other side's layers, or a question or progress instead.

    Raises:
        WeightsUnavailableError: its trained weights cannot be had.
        WeightsDamagedError: they are not what they should be.
    """
    subject, language, agreed = asked.subject, sides.language, asked.question.agreed
    model, weights = sides.model.model, sides.model.weights
    if (model, weights) == (subject.model, subject.weights):
        return subject.rows
    ask = await in_thread(subject, asked_to_load, model, language, agreed=agreed)
    if ask:
        return replace(await in_thread(subject, sides.facts), **ask._asdict())
    if loading := await loading_of(model, weights):
        return replace(await in_thread(subject, sides.facts), loading=loading)
    return await asked.answer(Survey(model, weights))
