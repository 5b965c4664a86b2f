"""Addresses of what takes a view apart: one number, the weights of a channel, the view as a script."""

import base64
import io
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...catalogue import models
from ...number.breakdown_facts import closeup_facts
from ...number.tasks import ChannelFilter, OneNumber
from ...script.code import script
from ...script.edit_places import EditPlaces
from ..locale.translated import with_chinese
from ..visit.service import engine
from ..visit.visit import Book
from .answers import PRIVATE, answered, attachment, number_in, result_of, view_of, wanted_in
from .threads import apart


def closeup_routes() -> list[Route]:
    """The routes below one page of a book."""
    page = "/maps/{token:str}-{page:small}-{call:small}"
    return [
        Route(f"{page}.cell.json", answered(_cell)),
        Route(f"{page}.filter.json", answered(_filter)),
        Route(f"{page}.code.py", answered(_code)),
        Route("/maps/{token:str}.picture.png", answered(_picture)),
    ]


async def _cell(request: Request, book: Book) -> Response:
    """One number, at ``channel``, ``y`` and ``x`` of the maps; ``source`` is the input channel to show."""
    place = number_in(request, "channel"), number_in(request, "y"), number_in(request, "x")
    source = number_in(request, "source") if "source" in request.query_params else None
    asked = engine().do(
        OneNumber(wanted_in(request, book), book.photo, place, channel=source), visitor=book.visitor
    )
    return JSONResponse(with_chinese(closeup_facts(await result_of(asked))), headers=PRIVATE)


async def _filter(request: Request, book: Book) -> Response:
    """The weights that make ``channel``."""
    wanted, channel = wanted_in(request, book), number_in(request, "channel")
    found = await result_of(engine().do(ChannelFilter(wanted, book.photo, channel), visitor=book.visitor))
    png = base64.b64encode(found.png).decode()
    return JSONResponse(asdict(found) | {"png": png}, headers=PRIVATE)


async def _picture(_: Request, book: Book) -> Response:
    """The picture itself, which a script reads: as it was read, before any preprocessing."""
    buffer = io.BytesIO()
    await apart(book, book.photo.image.save, buffer, "PNG")
    return Response(buffer.getvalue(), media_type="image/png", headers=PRIVATE | attachment("picture.png"))


async def _code(request: Request, book: Book) -> Response:
    """The view as a script of plain hooks."""
    wanted, view = wanted_in(request, book), await view_of(request, book)
    places = await result_of(engine().do(EditPlaces(wanted, book.photo), visitor=book.visitor))
    text = script(wanted, view, models.describe(wanted.model), places)
    disposition = attachment(f"{wanted.model}-{wanted.layer}-call{wanted.call + 1}.py")
    return Response(text, media_type="text/x-python", headers=PRIVATE | disposition)
