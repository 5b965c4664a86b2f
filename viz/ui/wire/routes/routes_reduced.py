"""Routes about a layer as one picture: facts, numbers, files."""

from dataclasses import asdict

from starlette.responses import Response
from starlette.routing import Route

from ....answers.views.reduced import ReducedFacts
from ....maps.reduction.reduce import ReductionRequest
from ....request.look import Look
from ....take_home.forms import EXPORTS
from ....views.one_layer import Values
from ....views.reduced.reduced import reduced_facts, reduced_values
from ...locale.translated import in_each_language
from ..answers import PRIVATE, PageQuery, attachment, question, refused, wanted_in
from ..file_titles import model_said, plain_origin
from ..questions import LayerQuestion
from ..threads import in_thread


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("reduced.json", _facts, LayerQuestion),
        question("reduced", _values, LayerQuestion),
        question("reduced.{form:str}", _file, LayerQuestion),
    ]


def _reducing(look: Look) -> ReductionRequest:
    """Return the arguments of ``reduce_maps`` that go with a look's formula."""
    row, column, *_ = map(int, look.cell.split(",") if look.cell else (0, 0))
    return ReductionRequest(
        look.reduce,
        top=look.top if look.reduce == "top" else None,
        at=(row, column) if look.cell and look.reduce == "similar" else None,
    )


async def _facts(asked: PageQuery[LayerQuestion]) -> ReducedFacts:
    wanted, look = await wanted_in(asked), asked.look
    values = await asked.answer(Values(wanted, asked.subject.photo), urgent=asked.urgent)
    facts = await in_thread(asked.subject, reduced_facts, values, wanted, _reducing(look))
    return in_each_language(facts)


async def _values(asked: PageQuery[LayerQuestion]) -> Response:
    """Return the numbers as little-endian float32, row by row.

    The shape is (height, width); that of principal components is (height, width, 3).
    """
    wanted, look = await wanted_in(asked), asked.look
    values = await asked.answer(Values(wanted, asked.subject.photo))
    found = await in_thread(asked.subject, reduced_values, values, wanted, _reducing(look))
    return Response(found.astype("<f4").tobytes(), media_type="application/octet-stream", headers=PRIVATE)


async def _file(asked: PageQuery[LayerQuestion]) -> Response:
    form, wanted, look = asked.request.path_params["form"], await wanted_in(asked), asked.look
    if form not in EXPORTS:
        return refused(f"There is no download as {form}; choose {', '.join(EXPORTS)}.", 422)
    values = await asked.answer(Values(wanted, asked.subject.photo))
    data = await asked.apart(
        "take_home.reduced:export_reduced",
        form,
        values,
        wanted,
        asdict(_reducing(look)),
        origin=plain_origin(asked.subject),
        model=model_said(wanted),
    )
    name = f"{wanted.model}-{wanted.layer}-call{wanted.call + 1}-{look.reduce}.{form}"
    return Response(data, media_type=EXPORTS[form], headers=PRIVATE | attachment(name))
