"""The other side of a comparison: ``/maps/<left>/other.json?<look>``, and the models that it may have."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ....catalogue import models
from ....views.whole_model import Survey
from ...locale.translated import in_each_language, translated
from ...locale.words import say
from ...visit.visit import Rows
from ..answers import GONE, PRIVATE, Asked, question
from ..inspecting import inspection_of
from ..questions import Other, Question, Whole
from ..threads import in_thread
from .asking import Facts, asked_to_load
from .choices import model_beside
from .downloads import fetched
from .labels import labels_of
from .pictures import picture_beside
from .sides import Sides

UNKEPT = {"cache-control": "no-store"}  # a model may be loaded by the next time, or an own picture be here


def other_routes() -> list[Route]:
    """Their routes."""
    return [question("other.json", _other, Other), question("models.json", _models, Question)]


async def _models(_: Asked[Question]) -> Response:
    """The names of all models."""
    return JSONResponse(list(models.names()), headers=PRIVATE)


async def _other(asked: Asked[Other]) -> Response:
    """The other side: its subject, layers, labels and choices; or ``ask``, ``loading`` or ``problem``.

    Whatever keeps its model from being shown, its picture, model and weights can be chosen.
    """
    sides = await _sides(asked)
    rows = await _rows(asked, sides)
    if isinstance(rows, dict):
        return JSONResponse(sides.facts() | rows, headers=UNKEPT)
    subject, wanted = asked.subject, sides.wanted
    visit = subject.visit()
    beside = (sides.picture.photo, sides.model.model, sides.model.weights, rows)
    other = None if visit is None else visit.beside(subject, *beside)
    if other is None:
        return JSONResponse(in_each_language({"error": GONE}), status_code=410)
    theirs = await inspection_of(other, sides.look_beside(), Whole())
    labels = await labels_of((subject, other), (wanted, theirs), sides.titles, sides.language)
    return JSONResponse(sides.facts_with(rows) | {"subject": other.token, "labels": labels}, headers=UNKEPT)


async def _sides(asked: Asked[Other]) -> Sides:
    """What the look says, before the other side's model is there."""
    subject, look, language = asked.subject, asked.look, asked.question.language
    wanted = await inspection_of(subject, look, Whole())
    picture = await in_thread(subject, picture_beside, subject, look, language)
    return Sides(subject, look, language, wanted, picture, model_beside(subject, look, language))


async def _rows(asked: Asked[Other], sides: Sides) -> Rows | Facts:
    """Every layer of the other side's model; or what is asked, or loading, or why it cannot be loaded."""
    subject, language, agreed = asked.subject, sides.language, asked.question.agreed
    model, weights = sides.model.model, sides.model.weights
    rows = subject.rows
    if (model, weights) != (subject.model, subject.weights):
        ask = asked_to_load(model, language, agreed=agreed)
        if ask:
            return ask
        try:
            progress = await fetched(model) if weights == "pretrained" else None
        except models.ModelError as error:
            return {"problem": translated(str(error), language), "instead": _untrained(language)}
        if progress is not None:
            return {"loading": progress._asdict() | {"model": model}}
        rows = await asked.answer(Survey(model, weights))
    return rows


def _untrained(language: str) -> Facts:
    action = {"type": "other", "other": {"with_weights": "random"}}
    return {"label": say(language, "use_untrained"), "action": action}
