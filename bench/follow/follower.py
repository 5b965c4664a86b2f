"""A follower without a browser: receives events and fetches maps."""

import asyncio
import json
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from bench.load.events import events
from bench.load.http_line import HttpLine
from bench.load.session import Session

ROOM = "room=640x400"


@dataclass
class Follower:
    """A follower in the class, with a page and a line.

    Attributes:
        heard: when the event of each step had come, by the layer that it shows; seconds of the wall clock.
        seen: likewise when its maps were there.
        received: bytes on the line, for what is seen.
    """

    address: str
    session: Session
    line: HttpLine
    lent: str = ""
    heard: dict[str, float] = field(default_factory=dict)
    seen: dict[str, float] = field(default_factory=dict)
    received: int = 0

    async def say(self, what: str, said: Any) -> Any:
        """Post a message of the page, and return the response."""
        answer = await self.line.ask(
            f"/maps/{self.session.subject}/class_{what}.json", "POST", body=json.dumps(said).encode()
        )
        if answer.status != 200:
            raise RuntimeError(f"{what}: {answer.status} {answer.data[:200]!r}")
        return answer.said

    async def join(self, code: str) -> None:
        """Join, and take the teacher's subject."""
        await self.say("join", {"code": code})
        answer = await self.line.ask(f"/maps/{self.session.subject}/class_subject.json")
        self.lent = answer.said["subject"]["subject"]

    async def follow(self) -> None:
        """Receive events, and fetch the maps of each newly shown layer."""
        fetching = None
        async for name, said in events(self.address, f"/maps/{self.session.subject}/class_events"):
            layer = parse_qs(said["look"]).get("layer", [""])[0] if name == "look" else ""
            if not layer or layer in self.heard:
                continue
            self.heard[layer] = time.time()
            if fetching:
                await fetching
            fetching = asyncio.create_task(self._fetch(said["look"], layer))

    async def _fetch(self, look: str, layer: str) -> None:
        """Fetch the mosaic, whose file has the facts."""
        answer = await self.line.ask(f"/maps/{self.lent}/layer.png?{look}&{ROOM}")
        if answer.status == 200:
            self.seen[layer] = time.time()
            self.received += answer.received


async def arrive(open_: AsyncExitStack, address: str, view: dict[str, str]) -> Follower:
    """One more page."""
    line = HttpLine(address)
    session = await open_.enter_async_context(Session(address, line, view))
    await session.run("&".join(f"{name}={value}" for name, value in view.items()))
    return Follower(address, session, line)
