"""Routes about attribution to a class: its map and its script."""

from dataclasses import replace

from starlette.responses import Response
from starlette.routing import Route

from ....answers.attribution import ExplanationFacts
from ....errors import LayoutError, RequestError
from ....request.inspection import Inspection
from ....request.look import Look
from ....request.method import OF_LAYERS, STEPS, Method
from ....script.attribution.code import attribution_script
from ....script.attribution.facts import Attribute
from ....views.classes.explain import ClassLayer, explaining
from ....views.classes.explanation_facts import explanation_facts
from ....views.drawing import draw_view
from ...visit.catalogue.known import describe
from ..answers import PRIVATE, PageQuery, attachment, question, wanted_in
from ..questions import LayerQuestion
from ..threads import in_thread


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("attribution.json", _explained, LayerQuestion, kept=False),
        question("attribution.py", _code, LayerQuestion),
    ]


async def _explained(asked: PageQuery[LayerQuestion]) -> ExplanationFacts:
    """Do a slice of work, and return the map so far."""
    wanted, method = await _wanted(asked), method_of(asked.look)
    found = await asked.answer(explaining(wanted, asked.subject.photo, method))
    return await in_thread(asked.subject, explanation_facts, found, wanted.layer, method, asked.look.lay)


async def _code(asked: PageQuery[LayerQuestion]) -> Response:
    """The method as a script of plain PyTorch."""
    wanted, method = await _wanted(asked), method_of(asked.look)
    found = await asked.answer(Attribute(wanted, asked.subject.photo, method))
    view = await in_thread(asked.subject, draw_view, found.layer, wanted) if found.layer else None
    card, crop = describe(wanted.model), asked.subject.photo.crop
    text = attribution_script(method, wanted, card, found, view, crop=crop)
    disposition = attachment(f"{wanted.model}-{method.name}-class{wanted.gradient}.py")
    return Response(text, media_type="text/x-python", headers=PRIVATE | disposition)


def method_of(look: Look) -> Method:
    """The method that a look says, with its settings."""
    return Method(look.method, look.steps or STEPS, look.window or 0, look.stride or 0)


async def _wanted(asked: PageQuery[LayerQuestion]) -> Inspection:
    """Return the request, moved to the class layer unless chosen otherwise."""
    wanted = await wanted_in(asked)
    if wanted.gradient is None:
        raise RequestError("what counts for a class is told of a class: choose one first.")
    if asked.look.method not in OF_LAYERS or asked.look.at == "layer":
        return wanted
    layer, call = await asked.answer(ClassLayer(wanted, asked.subject.photo))
    if not layer:
        raise LayoutError(
            "this model has no layer with maps, in which a class could be looked for; choose the layer on "
            "screen, or another method."
        )
    return replace(wanted, layer=layer, call=call)
