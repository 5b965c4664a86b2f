"""The addresses of pixels: ``/maps/<book>-<page>-<call>.<form>`` and ``/maps/<book>.seen.png``.

A book's token cannot be guessed and dies with its visit; whoever does not hold it gets "gone".
"""

import asyncio
import base64
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import models
from models import ModelError
from viz.ablation import MOST_ROWS, ablation_facts
from viz.drawing import arranged
from viz.errors import SupersededError, VizError
from viz.exports import EXPORTS, colour_bar_svg, export, overview_file
from viz.gradcam import cam_facts
from viz.inspection import SHOWS, Inspection, LayerView
from viz.overview import thumbnail_facts
from viz.ui.service import engine
from viz.ui.visit import Book, find_book

PRIVATE = {"cache-control": "private, max-age=3600, immutable"}
LONGEST_NAME = 200
GONE = "This picture belongs to a visit that has ended; open the page again."


class _SmallNumber(Convertor[int]):
    """A whole number in an address; of more digits than Python reads it would make a server error."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("small", _SmallNumber())


def routes() -> list[Route]:
    """Every route that serves maps."""
    return [
        Route("/maps/{token:str}.seen.png", _answered(_seen)),
        Route("/maps/{token:str}.saliency.json", _answered(_saliency)),
        Route("/maps/{token:str}.overview.json", _answered(_overview)),
        Route("/maps/{token:str}.overview.{form:str}", _answered(_overview_figure)),
        Route("/maps/{token:str}-{page:small}-{call:small}.json", _answered(_facts)),
        Route("/maps/{token:str}-{page:small}-{call:small}.png", _answered(_mosaic)),
        Route("/maps/{token:str}-{page:small}-{call:small}.bar.svg", _answered(_bar)),
        Route("/maps/{token:str}-{page:small}-{call:small}.values", _answered(_values)),
        Route("/maps/{token:str}-{page:small}-{call:small}.cam.json", _answered(_cam)),
        Route("/maps/{token:str}-{page:small}-{call:small}.ablation.json", _answered(_ablation)),
        Route("/maps/{token:str}-{page:small}-{call:small}.export.{form:str}", _answered(_export)),
    ]


def _answered(
    handler: Callable[[Request, Book], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """The handler with the book looked up, and our own errors said as one sentence."""

    async def answer(request: Request) -> Response:
        book = find_book(request.path_params["token"])
        if book is None:
            return JSONResponse({"error": GONE}, status_code=410)
        try:
            return await handler(request, book)
        except SupersededError as error:
            return JSONResponse({"error": str(error), "superseded": True}, status_code=409)
        except (VizError, ModelError) as error:
            return JSONResponse({"error": str(error)}, status_code=422)

    return answer


async def _facts(request: Request, book: Book) -> Response:
    return JSONResponse((await _view(request, book)).facts(), headers=PRIVATE)


async def _mosaic(request: Request, book: Book) -> Response:
    return Response((await _view(request, book)).png, media_type="image/png", headers=PRIVATE)


async def _bar(request: Request, book: Book) -> Response:
    view = await _view(request, book)
    ink = request.query_params.get("ink", "808080")
    low, high = view.limits(_number(request, "channel"))
    svg = await asyncio.to_thread(colour_bar_svg, low, high, view.colormap, ink)
    return Response(svg, media_type="image/svg+xml", headers=PRIVATE)


async def _seen(_: Request, book: Book) -> Response:
    wanted = book.wanted
    png = await _result(engine().seen(book.photo, wanted.model, wanted.weights, visitor=book.visitor))
    return Response(png, media_type="image/png", headers=PRIVATE)


async def _saliency(_: Request, book: Book) -> Response:
    png = await _result(engine().saliency(book.wanted, book.photo, visitor=book.visitor))
    return JSONResponse({"png": base64.b64encode(png).decode()}, headers=PRIVATE)


async def _cam(request: Request, book: Book) -> Response:
    wanted = _wanted(request, book)
    values = await _result(engine().values(wanted, book.photo, visitor=book.visitor))
    return JSONResponse(await asyncio.to_thread(cam_facts, values, wanted.call), headers=PRIVATE)


async def _overview(_: Request, book: Book) -> Response:
    thumbs = await _result(engine().overview(book.wanted, book.photo, visitor=book.visitor))
    facts = await asyncio.to_thread(
        lambda: [thumbnail_facts(thumb, book.wanted.colormap) for thumb in thumbs]
    )
    return JSONResponse(facts, headers=PRIVATE)


async def _overview_figure(request: Request, book: Book) -> Response:
    form, wanted = request.path_params["form"], book.wanted
    thumbs = await _result(engine().overview(wanted, book.photo, visitor=book.visitor))
    data = await asyncio.to_thread(overview_file, form, thumbs, wanted)
    disposition = attachment(f"{wanted.model}-all-layers.{form}")
    return Response(data, media_type=EXPORTS[form], headers=PRIVATE | disposition)


async def _export(request: Request, book: Book) -> Response:
    form, wanted = request.path_params["form"], _wanted(request, book)
    if form not in EXPORTS:
        return JSONResponse(
            {"error": f"There is no download as {form}; choose {', '.join(EXPORTS)}."}, status_code=422
        )
    values = await _result(engine().values(wanted, book.photo, visitor=book.visitor))
    data = await asyncio.to_thread(export, form, values, wanted)
    disposition = attachment(f"{wanted.model}-{wanted.layer}-call{wanted.call + 1}.{form}")
    return Response(data, media_type=EXPORTS[form], headers=PRIVATE | disposition)


async def _ablation(request: Request, book: Book) -> Response:
    """What some channels from ``first`` on do; the browser asks on from ``next``, or stops asking."""
    first, size = _number(request, "first"), max(1, min(MOST_ROWS, _number(request, "size")))
    wanted = _wanted(request, book)
    asked = engine().ablation(wanted, book.photo, range(first, first + size), visitor=book.visitor)
    classes = models.describe(wanted.model).classes
    return JSONResponse(ablation_facts(await _result(asked), classes), headers=PRIVATE)


async def _values(request: Request, book: Book) -> Response:
    wanted = _wanted(request, book)
    values = await _result(engine().values(wanted, book.photo, visitor=book.visitor))
    maps = arranged(values, wanted).maps
    channel = min(_number(request, "channel"), len(maps) - 1)
    return Response(
        maps[channel].astype("<f4").tobytes(), media_type="application/octet-stream", headers=PRIVATE
    )


def attachment(name: str) -> dict[str, str]:
    """The header for an answer to be saved under a name, without what some file systems refuse."""
    return {"content-disposition": f'attachment; filename="{re.sub("[^A-Za-z0-9._-]+", "-", name)}"'}


def _number(request: Request, name: str) -> int:
    """A small whole number from the query, 0 if there is none."""
    asked = request.query_params.get(name, "")
    return int(asked) if re.fullmatch("[0-9]{1,5}", asked) else 0


def _wanted(request: Request, book: Book) -> Inspection:
    asked, path = request.query_params, request.path_params
    return book.inspection(
        path["page"],
        path["call"],
        columns=_number(request, "columns"),
        index=_number(request, "index"),
        leaf=asked.get("leaf", "")[:LONGEST_NAME],
        kind=asked.get("kind", "auto")[:LONGEST_NAME],
        show=next((show for show in SHOWS if show == asked.get("show")), SHOWS[0]),
    )


async def _view(request: Request, book: Book) -> LayerView:
    wanted, urgent = _wanted(request, book), "x-layerglass-prefetch" not in request.headers
    view: LayerView = await _result(engine().view(wanted, book.photo, visitor=book.visitor, urgent=urgent))
    return view


async def _result(future: "Future[Any]") -> Any:
    """The future's result; a browser that goes away must not cancel what others may be waiting for."""
    return await asyncio.shield(asyncio.wrap_future(future))
