"""The server's health, and a visitor's place in the queue."""

import asyncio
import time

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from ....answers.operating import PlaceFacts
from ....engine.engine_protocol import Queue
from ....engine.pulse import Pulse
from ....errors import VizError
from ...visit.service import DEFAULT_MODEL, engine
from ..answers import UNKEPT, PageQuery, question
from ..page_path import HEALTH
from ..questions import Question
from ..threads import result_of

PATIENCE = 20.0  # seconds: loading the largest model takes almost as long
SLOW = "No answer within {seconds:.0f} seconds: the models are busy or hang."


def health_routes() -> list[Route]:
    """Return the route for monitors of the server."""
    return [Route(HEALTH, _health)]


def questions() -> list[Route]:
    """Return the route for a visitor who waits."""
    return [question("place.json", _place, Question, kept=False)]


async def _place(asked: PageQuery[Question]) -> PlaceFacts:
    queue = engine()
    return PlaceFacts(ahead=queue.ahead(asked.subject.visitor) if isinstance(queue, Queue) else None)


async def _health(_: Request) -> JSONResponse:
    """Return 200 with the seconds waited, or 503 with the reason."""
    start = time.perf_counter()
    try:
        pulse = engine().do(Pulse(DEFAULT_MODEL, "pretrained"), visitor="health")
        await asyncio.wait_for(result_of(pulse), PATIENCE)
    except VizError as error:  # closed, or it makes no process now, or the first model has been put aside
        return _said(503, ok=False, error=str(error))
    except TimeoutError:
        return _said(503, ok=False, error=SLOW.format(seconds=PATIENCE))
    return _said(200, ok=True, seconds=round(time.perf_counter() - start, 4))


def _said(status: int, **facts: object) -> JSONResponse:
    return JSONResponse(facts, status, headers=UNKEPT)
