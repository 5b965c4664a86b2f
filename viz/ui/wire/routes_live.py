"""Camera frames come in, their maps go out; nothing is kept.

A frame is posted to the address of the layer on screen, which cannot be guessed. The browser sends the next
frame once it has drawn this one's maps, so the rate is what the machine can sustain.
"""

import asyncio
import base64
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from ...errors import RequestError
from ...pictures.photo import Photo
from ...views.all_layers import Overview
from ...views.live import Live, LiveFrame, LiveLayers, LiveOverview
from ..locale.translated import in_each_language
from ..visit.frames import LONGEST_SIDE, MOST_BYTES, Turns, photo_of_frame, too_long
from ..visit.service import engine
from ..visit.visit import MapSet
from .answers import answered, facts_of_all, limits_of, number_in, wanted_in
from .threads import in_thread, result_of

UNKEPT = {"cache-control": "no-store"}
__all__ = ["LONGEST_SIDE", "MOST_BYTES", "live_routes"]

_turns = Turns()
# A frame may wait long for a reader, so it waits in threads that serve no other requests.
_waiting = ThreadPoolExecutor(8, "layerglass-frames")


def live_routes() -> list[Route]:
    """Where frames are posted: below one layer of a map set, and below the map set for all layers."""
    return [
        Route("/maps/{token:str}-{layer:small}-{call:small}.live", answered(_answer_frame), methods=["POST"]),
        Route("/maps/{token:str}.overview.live", answered(_answer_all), methods=["POST"]),
    ]


async def _answer_frame(request: Request, map_set: MapSet) -> JSONResponse:
    """The maps of the posted frame, drawn as the address says.

    One scale for the whole model is that of the set's own picture: finding that of a frame would take a pass
    with every layer recorded, and a scale that changes with each frame would say little.
    """
    wanted, photo = wanted_in(request, map_set), await _frame(request, map_set)
    if wanted.gradient is not None:
        raise RequestError("Live maps are those of the forward pass; choose another view than gradients.")
    limits = await limits_of(wanted, map_set)
    wanted = replace(wanted, image=photo.fingerprint)
    channel = number_in(request, "channel")
    asked = engine().do(Live(wanted, photo, limits=limits, channel=channel), visitor=map_set.visitor)
    frame = await result_of(asked)
    facts = in_each_language(frame.view.facts()) | _beside(frame)
    pictures = {"png": frame.view.png, "large": frame.large}
    return JSONResponse(facts | {name: _text(png) for name, png in pictures.items()}, headers=UNKEPT)


async def _answer_all(request: Request, map_set: MapSet) -> JSONResponse:
    """Every layer of the posted frame in small; one scale for all is that of the map set's own picture."""
    photo = await _frame(request, map_set)
    wanted, scaled_by = replace(map_set.wanted, image=photo.fingerprint), ()
    if wanted.scale == "model":
        scaled_by = await result_of(
            engine().do(Overview(map_set.wanted, map_set.photo), visitor=map_set.visitor)
        )
    frame = await result_of(engine().do(LiveOverview(wanted, photo), visitor=map_set.visitor))
    layers = await in_thread(map_set, facts_of_all, frame.thumbs, wanted, scaled_by)
    return JSONResponse({"layers": layers, **_beside(frame)}, headers=UNKEPT)


async def _frame(request: Request, map_set: MapSet) -> Photo:
    """The posted picture.

    Raises:
        ImageError: it is not a picture, or too large for a frame.
        SupersededError: the visitor has posted a newer one meanwhile.
    """
    data = await _body(request)
    async with _turns.turn(map_set.visitor):
        return await asyncio.get_running_loop().run_in_executor(
            _waiting, photo_of_frame, data, map_set.visitor
        )


async def _body(request: Request) -> bytes:
    """What was posted; an error once it is longer than a frame may be."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_BYTES:
            raise too_long()
    return bytes(data)


def _beside(frame: LiveFrame | LiveLayers) -> dict[str, object]:
    """What the page shows of a frame beside its maps."""
    return {"seen": _text(frame.seen), "top": [list(share) for share in frame.prediction.top]}


def _text(picture: bytes) -> str:
    return base64.b64encode(picture).decode()
