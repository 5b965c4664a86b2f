"""Requests as a server passes them on, part by part, for tests of the door."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def http(path: str, *, method: str = "GET", query: bytes = b"", **headers: str) -> Scope:
    """The scope of a request from somewhere else."""
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": named,
        "client": ("203.0.113.7", 4711),
    }


async def reader(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that reads its body and answers how many bytes it had."""
    size = len(await Request(scope, receive).body())
    await JSONResponse({"read": size})(scope, receive, send)


def coming(parts: Iterable[bytes], pause: float = 0.0, *, ends: bool = True) -> Receive:
    """The parts of a body, each after a pause; one that does not end leaves the server waiting."""
    left = list(parts)

    async def receive() -> Message:
        if left:
            await asyncio.sleep(pause)
            part = left.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(left) or not ends}
        await asyncio.sleep(3600)
        raise AssertionError("nobody waits so long")

    return receive


class Heard:
    """Messages of the answer."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def __call__(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def status(self) -> int:
        """The answer's status."""
        return int(self.messages[0]["status"])

    @property
    def headers(self) -> dict[str, str]:
        """The answer's headers."""
        return {name.decode(): value.decode() for name, value in self.messages[0]["headers"]}

    @property
    def facts(self) -> dict[str, Any]:
        """The JSON in the answer."""
        said: dict[str, Any] = json.loads(b"".join(each.get("body", b"") for each in self.messages[1:]))
        return said


def answered(door: ASGIApp, scope: Scope, receive: Receive | None = None) -> Heard:
    """Return the door's answer to one request."""
    heard = Heard()
    asyncio.run(door(scope, receive or coming([b""]), heard))
    return heard
