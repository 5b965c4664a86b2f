"""The addresses of two sides beside each other: ``/maps/<left>.pair.json?with=<right>``, each book-page-call.

Both books' tokens are needed, and both must be of one visit: whoever lacks one of them gets "gone".
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
from ..locale.translated import translated
from ..visit.service import engine
from ..visit.visit import Book, find_book
from .answers import GONE, PRIVATE, answered, number_in, result_of, wanted_in
from .threads import in_thread

BAR = 1.6  # inches: as high as a channel is large there, so that its labels can be read
OTHER = re.compile("([0-9a-f]{1,64})-([0-9]{1,9})-([0-9]{1,9})")


def comparison_routes() -> list[Route]:
    """Every route that serves two sides beside each other."""
    page = "/maps/{token:str}-{page:small}-{call:small}"
    return [
        Route(f"{page}.pair.json", answered(_facts)),
        Route(f"{page}.pair.{{side:str}}.png", answered(_mosaic)),
        Route(f"{page}.pair.{{side:str}}.bar.svg", answered(_bar)),
    ]


async def _facts(request: Request, book: Book) -> Response:
    facts = (await _comparison(request, book)).facts()
    chinese = [translated(problem, "zh") for problem in facts["problems"]]
    return JSONResponse(facts | {"problems_zh": chinese}, headers=PRIVATE)


async def _mosaic(request: Request, book: Book) -> Response:
    return Response((await _side(request, book)).png, media_type="image/png", headers=PRIVATE)


async def _bar(request: Request, book: Book) -> Response:
    view, ink = await _side(request, book), request.query_params.get("ink", "808080")
    low, high = view.limits(0)
    svg = await in_thread(book, colour_bar_svg, low, high, view.colormap, ink, view.ends, height=BAR)
    return Response(svg, media_type="image/svg+xml", headers=PRIVATE)


async def _side(request: Request, book: Book) -> LayerView:
    """One of the three views.

    Raises:
        RequestError: there is no such side, or not here.
    """
    side = request.path_params["side"]
    view: LayerView | None = getattr(await _comparison(request, book), side) if side in SIDES else None
    if view is None:
        raise RequestError(f"there is no {side[:20]!r} to be shown of this pair; open the page again.")
    return view


async def _comparison(request: Request, book: Book) -> ComparisonView:
    """Both sides.

    Raises:
        RequestError: the address names no second side of this visit.
    """
    asked = OTHER.fullmatch(request.query_params.get("with", ""))
    other = find_book(asked.group(1)) if asked else None
    if asked is None or other is None or other.visitor != book.visitor:
        raise RequestError(GONE)
    left = wanted_in(request, book)
    right = other.inspection(
        int(asked.group(2)),
        int(asked.group(3)),
        columns=number_in(request, "with_columns"),
        viewport=left.viewport,
    )
    urgent = "x-layerglass-prefetch" not in request.headers
    only = number_in(request, "only") if "only" in request.query_params else None
    alike = replace(right, colormap=left.colormap, scale=left.scale, order=left.order)
    task = Comparison(left, alike, (book.photo, other.photo), whole=not urgent, only=only)
    found: ComparisonView = await result_of(engine().do(task, visitor=book.visitor, urgent=urgent))
    return found
