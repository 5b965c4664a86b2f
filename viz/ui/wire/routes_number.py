"""Addresses of one number's breakdown, and of the weights that make one channel."""

import base64
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...number.breakdown_facts import breakdown_facts
from ...number.tasks import BreakdownTask, FilterTask
from ..locale.translated import in_each_language
from ..visit.service import engine
from ..visit.visit import MapSet
from .answers import PRIVATE, answered, number_in, wanted_in
from .threads import result_of


def number_routes() -> list[Route]:
    """The routes below one layer of a map set."""
    layer = "/maps/{token:str}-{layer:small}-{call:small}"
    return [
        Route(f"{layer}.cell.json", answered(_cell)),
        Route(f"{layer}.filter.json", answered(_filter)),
    ]


async def _cell(request: Request, map_set: MapSet) -> Response:
    """One number, at ``channel``, ``y`` and ``x`` of the maps; ``source`` is the input channel to show."""
    place = number_in(request, "channel"), number_in(request, "y"), number_in(request, "x")
    source = number_in(request, "source") if "source" in request.query_params else None
    asked = engine().do(
        BreakdownTask(wanted_in(request, map_set), map_set.photo, place, channel=source),
        visitor=map_set.visitor,
    )
    return JSONResponse(in_each_language(breakdown_facts(await result_of(asked))), headers=PRIVATE)


async def _filter(request: Request, map_set: MapSet) -> Response:
    """The weights that make ``channel``."""
    wanted, channel = wanted_in(request, map_set), number_in(request, "channel")
    found = await result_of(engine().do(FilterTask(wanted, map_set.photo, channel), visitor=map_set.visitor))
    png = base64.b64encode(found.png).decode()
    return JSONResponse(asdict(found) | {"png": png}, headers=PRIVATE)
