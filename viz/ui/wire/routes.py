"""The addresses of pixels: ``/maps/<book>-<page>-<call>.<form>`` and ``/maps/<book>.seen.png``.

A book's token cannot be guessed and dies with its visit; whoever does not hold it gets "gone".
"""

import base64

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...catalogue import models
from ...passes.ablation import MOST_ROWS, ablation_facts
from ...passes.gradcam import cam_facts
from ...take_home.exports import EXPORTS, colour_bar_svg, export, overview_file
from ...views.all_layers import Overview
from ...views.drawing import arranged, channel_png
from ...views.one_layer import Values
from ...views.removal import Ablate
from ...views.saliency import Saliency
from ...views.whole_model import Seen
from ..locale.translated import with_chinese
from ..visit.service import engine
from ..visit.visit import Book
from .answers import (
    PRIVATE,
    answered,
    attachment,
    facts_of_all,
    limits_of,
    number_in,
    result_of,
    view_of,
    wanted_in,
)
from .routes_comparison import comparison_routes
from .routes_home import home_routes
from .routes_hooks import hook_routes
from .routes_live import live_routes
from .routes_number import number_routes
from .routes_script import script_routes
from .threads import in_thread


def routes() -> list[Route]:
    """Every route that serves maps."""
    return [
        Route("/maps/{token:str}.seen.png", answered(_seen)),
        Route("/maps/{token:str}.saliency.json", answered(_saliency)),
        Route("/maps/{token:str}.overview.json", answered(_overview)),
        Route("/maps/{token:str}.overview.{form:str}", answered(_overview_figure)),
        Route("/maps/{token:str}-{page:small}-{call:small}.json", answered(_facts)),
        Route("/maps/{token:str}-{page:small}-{call:small}.png", answered(_mosaic)),
        Route("/maps/{token:str}-{page:small}-{call:small}.bar.svg", answered(_bar)),
        Route("/maps/{token:str}-{page:small}-{call:small}.values", answered(_values)),
        Route("/maps/{token:str}-{page:small}-{call:small}.channel.png", answered(_channel)),
        Route("/maps/{token:str}-{page:small}-{call:small}.cam.json", answered(_cam)),
        Route("/maps/{token:str}-{page:small}-{call:small}.ablation.json", answered(_ablation)),
        Route("/maps/{token:str}-{page:small}-{call:small}.export.{form:str}", answered(_export)),
        *number_routes(),
        *script_routes(),
        *hook_routes(),
        *live_routes(),
        *comparison_routes(),
        *home_routes(),
    ]


async def _facts(request: Request, book: Book) -> Response:
    return JSONResponse(with_chinese((await view_of(request, book)).facts()), headers=PRIVATE)


async def _mosaic(request: Request, book: Book) -> Response:
    return Response((await view_of(request, book)).png, media_type="image/png", headers=PRIVATE)


async def _bar(request: Request, book: Book) -> Response:
    view = await view_of(request, book)
    ink = request.query_params.get("ink", "808080")
    low, high = view.limits(number_in(request, "channel"))
    svg = await in_thread(book, colour_bar_svg, low, high, view.colormap, ink, view.ends)
    return Response(svg, media_type="image/svg+xml", headers=PRIVATE)


async def _seen(_: Request, book: Book) -> Response:
    wanted = book.wanted
    png = await result_of(engine().do(Seen(book.photo, wanted.model, wanted.weights), visitor=book.visitor))
    return Response(png, media_type="image/png", headers=PRIVATE)


async def _saliency(_: Request, book: Book) -> Response:
    png = await result_of(engine().do(Saliency(book.wanted, book.photo), visitor=book.visitor))
    return JSONResponse({"png": base64.b64encode(png).decode()}, headers=PRIVATE)


async def _cam(request: Request, book: Book) -> Response:
    wanted = wanted_in(request, book)
    values = await result_of(engine().do(Values(wanted, book.photo), visitor=book.visitor))
    return JSONResponse(await in_thread(book, cam_facts, values, wanted.call), headers=PRIVATE)


async def _overview(_: Request, book: Book) -> Response:
    thumbs = await result_of(engine().do(Overview(book.wanted, book.photo), visitor=book.visitor))
    return JSONResponse(await in_thread(book, facts_of_all, thumbs, book.wanted), headers=PRIVATE)


async def _overview_figure(request: Request, book: Book) -> Response:
    form, wanted = request.path_params["form"], book.wanted
    thumbs = await result_of(engine().do(Overview(wanted, book.photo), visitor=book.visitor))
    data = await in_thread(book, overview_file, form, thumbs, wanted)
    disposition = attachment(f"{wanted.model}-all-layers.{form}")
    return Response(data, media_type=EXPORTS[form], headers=PRIVATE | disposition)


async def _export(request: Request, book: Book) -> Response:
    form, wanted = request.path_params["form"], wanted_in(request, book)
    if form not in EXPORTS:
        return JSONResponse(
            {"error": f"There is no download as {form}; choose {', '.join(EXPORTS)}."}, status_code=422
        )
    values = await result_of(engine().do(Values(wanted, book.photo), visitor=book.visitor))
    data = await in_thread(book, export, form, values, wanted, await limits_of(wanted, book))
    disposition = attachment(f"{wanted.model}-{wanted.layer}-call{wanted.call + 1}.{form}")
    return Response(data, media_type=EXPORTS[form], headers=PRIVATE | disposition)


async def _ablation(request: Request, book: Book) -> Response:
    """What some channels from ``first`` on do; the browser asks on from ``next``, or stops asking."""
    first, size = number_in(request, "first"), max(1, min(MOST_ROWS, number_in(request, "size")))
    wanted = wanted_in(request, book)
    asked = engine().do(Ablate(wanted, book.photo, range(first, first + size)), visitor=book.visitor)
    classes = models.describe(wanted.model).classes
    return JSONResponse(ablation_facts(await result_of(asked), classes), headers=PRIVATE)


async def _values(request: Request, book: Book) -> Response:
    wanted = wanted_in(request, book)
    values = await result_of(engine().do(Values(wanted, book.photo), visitor=book.visitor))
    maps = arranged(values, wanted).maps
    channel = min(number_in(request, "channel"), len(maps) - 1)
    return Response(
        maps[channel].astype("<f4").tobytes(), media_type="application/octet-stream", headers=PRIVATE
    )


async def _channel(request: Request, book: Book) -> Response:
    """The map of one channel with a pixel for each value, for where the mosaic has fewer."""
    wanted = wanted_in(request, book)
    values = await result_of(engine().do(Values(wanted, book.photo), visitor=book.visitor))
    limits, channel = await limits_of(wanted, book), number_in(request, "channel")
    png = await in_thread(book, channel_png, values, wanted, channel, limits)
    return Response(png, media_type="image/png", headers=PRIVATE)
