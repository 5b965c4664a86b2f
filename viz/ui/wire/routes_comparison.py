"""The addresses of two sides beside each other: ``/maps/<left>.pair.json?with=<right>``.

Each is token-layer-call. Both tokens must belong to the same visit; otherwise the answer is "gone".
"""

import re
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...errors import RequestError
from ...request.inspection import LayerView
from ...take_home.exports import colour_bar_svg
from ...views.comparison import SIDES, Comparison, ComparisonView
from ..locale.translated import in_each_language
from ..visit.service import engine
from ..visit.visit import MapSet, find_map_set
from .answers import GONE, PRIVATE, answered, number_in, wanted_in
from .threads import in_thread, result_of

BAR = 1.6  # inches: as high as a channel in the figure, so that its labels can be read
OTHER = re.compile("([0-9a-f]{1,64})-([0-9]{1,9})-([0-9]{1,9})")


def comparison_routes() -> list[Route]:
    """Every route that serves two sides beside each other."""
    layer = "/maps/{token:str}-{layer:small}-{call:small}"
    return [
        Route(f"{layer}.pair.json", answered(_facts)),
        Route(f"{layer}.pair.{{side:str}}.png", answered(_mosaic)),
        Route(f"{layer}.pair.{{side:str}}.bar.svg", answered(_bar)),
    ]


async def _facts(request: Request, map_set: MapSet) -> Response:
    facts = (await _comparison(request, map_set)).facts()
    return JSONResponse(in_each_language(facts), headers=PRIVATE)


async def _mosaic(request: Request, map_set: MapSet) -> Response:
    return Response((await _side(request, map_set)).png, media_type="image/png", headers=PRIVATE)


async def _bar(request: Request, map_set: MapSet) -> Response:
    view, ink = await _side(request, map_set), request.query_params.get("ink", "808080")
    low, high = view.limits(0)
    svg = await in_thread(map_set, colour_bar_svg, low, high, view.colormap, ink, view.ends, height=BAR)
    return Response(svg, media_type="image/svg+xml", headers=PRIVATE)


async def _side(request: Request, map_set: MapSet) -> LayerView:
    """One of the three views.

    Raises:
        RequestError: there is no such side, or this pair does not have it.
    """
    side = request.path_params["side"]
    view: LayerView | None = getattr(await _comparison(request, map_set), side) if side in SIDES else None
    if view is None:
        raise RequestError(
            "there is no {side} to be shown of this pair; open the page again.", side=repr(side[:20])
        )
    return view


async def _comparison(request: Request, map_set: MapSet) -> ComparisonView:
    """Both sides.

    Raises:
        RequestError: the address names no second side of this visit.
    """
    asked = OTHER.fullmatch(request.query_params.get("with", ""))
    other = find_map_set(asked.group(1)) if asked else None
    if asked is None or other is None or other.visitor != map_set.visitor:
        raise RequestError(GONE)
    left = wanted_in(request, map_set)
    right = other.inspection(
        int(asked.group(2)),
        int(asked.group(3)),
        columns=number_in(request, "with_columns"),
        viewport=left.viewport,
    )
    urgent = "x-layerglass-prefetch" not in request.headers
    only = number_in(request, "only") if "only" in request.query_params else None
    alike = replace(right, colormap=left.colormap, scale=left.scale, order=left.order)
    task = Comparison(left, alike, (map_set.photo, other.photo), whole=not urgent, only=only)
    found: ComparisonView = await result_of(engine().do(task, visitor=map_set.visitor, urgent=urgent))
    return found
