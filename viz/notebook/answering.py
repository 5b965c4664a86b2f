"""Answers of the page's routes within this process, without a port."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import cache
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.middleware import Middleware

from ..ui.wire.bugs import Bugs
from ..ui.wire.routes.routes import routes

Made = TypeVar("Made")


class Answer(NamedTuple):
    """A route's answer: its HTTP status, content type and content."""

    status: int
    kind: str
    body: bytes


def soon(work: Coroutine[Any, Any, Made]) -> "Future[Made]":
    """Do work on the loop that all answers of this process share."""
    return asyncio.run_coroutine_threadsafe(work, _loop())


def answer(
    address: str, method: str = "GET", body: bytes = b"", *, prefetch: bool = False
) -> "Future[Answer]":
    """Answer an address of the page, such as ``maps/<subject>/layer.png?layer=conv1``."""
    return soon(_answered(address, method, body, prefetch=prefetch))


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="layerglass-notebook", daemon=True).start()
    return loop


@cache
def _app() -> Starlette:
    return Starlette(routes=routes(), middleware=[Middleware(Bugs)])


async def _answered(address: str, method: str, body: bytes, *, prefetch: bool) -> Answer:
    """Run the application for one request, as ASGI specifies.

    Source: https://asgi.readthedocs.io.
    """
    path, _, query = address.partition("?")
    ended = asyncio.Event()
    asked = [{"type": "http.request", "body": body, "more_body": False}]
    told = list[dict[str, Any]]()

    async def receive() -> dict[str, Any]:
        if asked:
            return asked.pop()
        await ended.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        told.append(message)

    await _app()(_scope(f"/{unquote(path)}", query, method, prefetch=prefetch), receive, send)
    ended.set()
    headers = {name.lower(): value.decode("latin-1") for name, value in told[0]["headers"]}
    found = b"".join(message.get("body", b"") for message in told[1:])
    return Answer(told[0]["status"], headers.get(b"content-type", ""), found)


def _scope(path: str, query: str, method: str, *, prefetch: bool) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(b"x-layerglass-prefetch", b"1")] if prefetch else [],
        "client": None,
        "server": None,
    }
