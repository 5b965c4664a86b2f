"""The operator's addresses; the door keeps everybody else out."""

import asyncio
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...answers.message import as_json
from ..browser.modules import operator_page
from ..wire.answers import UNKEPT
from ..wire.page_path import COUNTS, OPERATOR
from .metrics import CONTENT_TYPE_LATEST, metrics
from .moments import PAST, facts


def operating_routes() -> list[Route]:
    """Return the routes of counts, the operator's page and its facts."""
    return [Route(COUNTS, _metrics), Route(OPERATOR, _page), Route(f"{OPERATOR}.json", _facts)]


async def _metrics(_: Request) -> Response:
    return Response(await asyncio.to_thread(metrics), headers=UNKEPT | {"content-type": CONTENT_TYPE_LATEST})


async def _facts(request: Request) -> Response:
    """Return the page's facts; ``?after=`` leaves out moments that it has."""
    told = await asyncio.to_thread(facts, PAST, _number(request.query_params.get("after", "")))
    return Response(as_json(told), headers=UNKEPT, media_type="application/json")


async def _page(_: Request) -> Response:
    return Response(_html(), headers={"cache-control": "no-cache"}, media_type="text/html")


@cache
def _html() -> str:
    return operator_page()


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
