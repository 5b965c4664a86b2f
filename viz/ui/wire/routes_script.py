"""Addresses of a view as a script, and of the picture that the script reads."""

import io

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...catalogue import models
from ...script.code import script
from ...script.script_facts import Facts
from ..visit.service import engine
from ..visit.visit import MapSet
from .answers import PRIVATE, answered, attachment, view_of, wanted_in
from .threads import in_thread, result_of


def script_routes() -> list[Route]:
    """The route below one layer of a map set, and that of the picture below the map set."""
    return [
        Route("/maps/{token:str}-{layer:small}-{call:small}.code.py", answered(_code)),
        Route("/maps/{token:str}.picture.png", answered(_picture)),
    ]


async def _picture(_: Request, map_set: MapSet) -> Response:
    """The picture that a script reads: as it was read from its file, before any preprocessing."""
    buffer = io.BytesIO()
    await in_thread(map_set, map_set.photo.image.save, buffer, "PNG")
    return Response(buffer.getvalue(), media_type="image/png", headers=PRIVATE | attachment("picture.png"))


async def _code(request: Request, map_set: MapSet) -> Response:
    """The view as a script of plain hooks."""
    wanted, view = wanted_in(request, map_set), await view_of(request, map_set)
    facts = await result_of(engine().do(Facts(wanted, map_set.photo), visitor=map_set.visitor))
    text = script(wanted, view, models.describe(wanted.model), facts)
    disposition = attachment(f"{wanted.model}-{wanted.layer}-call{wanted.call + 1}.py")
    return Response(text, media_type="text/x-python", headers=PRIVATE | disposition)
