"""A camera's frame comes in, its maps go out; nothing of it is kept.

The frame is posted to the address of the page on screen, which cannot be guessed. The browser sends the next
one when it has drawn this one's maps, so the rate is what the machine can hold.
"""

import asyncio
import base64
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from viz.errors import ImageError, RequestError
from viz.images import read_image
from viz.live import LiveFrame
from viz.subject import photograph
from viz.ui.answers import answered, limits_of, number_in, result_of, wanted_in
from viz.ui.service import engine
from viz.ui.translated import with_chinese
from viz.ui.visit import Book

MOST_BYTES = 500_000
LONGEST_SIDE = 1280


def live_routes() -> list[Route]:
    """The route below one page of a book to which frames are posted."""
    return [
        Route("/maps/{token:str}-{page:small}-{call:small}.live", answered(_answer_frame), methods=["POST"])
    ]


async def _answer_frame(request: Request, book: Book) -> JSONResponse:
    """The maps of the posted frame, drawn as the address says.

    One scale for the whole model is that of the book's own picture: finding a frame's own would take a pass
    with every layer recorded, and a scale that changed with each frame would say little.
    """
    wanted = wanted_in(request, book)
    photo = await asyncio.to_thread(lambda data: photograph(read_image(data)), await _body(request))
    if max(photo.image.size) > LONGEST_SIDE:
        raise ImageError(f"a frame has at most {LONGEST_SIDE} pixels on a side: make it smaller")
    if wanted.gradient is not None:
        raise RequestError("Live maps are those of the forward pass; choose another view than gradients.")
    limits = await limits_of(wanted, book)
    wanted = replace(wanted, image=photo.fingerprint)
    channel = number_in(request, "channel")
    asked = engine().live(wanted, photo, visitor=book.visitor, limits=limits, channel=channel)
    frame = await result_of(asked)
    return JSONResponse(_facts(frame), headers={"cache-control": "no-store"})


async def _body(request: Request) -> bytes:
    """What was posted, as far as a frame may be long."""
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_BYTES:
            raise ImageError(f"a frame has at most {MOST_BYTES // 1000} kB: make it smaller")
    return data


def _facts(frame: LiveFrame) -> dict[str, object]:
    """The facts of the view as ever, and what else changes with each frame."""
    return with_chinese(frame.view.facts()) | {
        "png": base64.b64encode(frame.view.png).decode(),
        "seen": base64.b64encode(frame.seen).decode(),
        "large": base64.b64encode(frame.large).decode(),
        "top": [list(guess) for guess in frame.prediction.top],
    }
