"""A class without browsers: how long after the teacher's step each follower has the maps of it.

Run it as ``python bench/follow.py``; without options it measures 30 followers and then 100, and prints rows
for ``bench/RESULTS.md``. Everybody has a page with a websocket. A wait begins before the teacher's look is
posted and ends with the last byte of the facts and the mosaic, which each follower asks for at the address
that the class has lent, on two connections, once the event has come. What a browser draws comes on top.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.load.http_line import HttpLine
from bench.load.processor import server_seconds
from bench.load.session import Session
from tests.browser.serving import serving

HEAD = (
    "| followers | steps | median ms | 95th percentile ms | longest ms | event alone, 95th percentile ms "
    "| kB a step and follower | missed | processor s of the server |\n|---|" + 8 * "---:|"
)
ROOM = "room=640x400"
PATIENCE = 30.0


@dataclass
class Follower:
    """Somebody in the class: a page, and the lines that a browser would have.

    Attributes:
        heard: when each step's event had come, by its number.
        seen: likewise when its maps were there.
    """

    address: str
    session: Session
    lines: tuple[HttpLine, HttpLine]
    lent: str = ""
    heard: dict[int, float] = field(default_factory=dict)
    seen: dict[int, float] = field(default_factory=dict)
    received: int = 0

    async def say(self, what: str, said: Any) -> Any:
        """What is answered to something that the page says."""
        answer = await self.lines[0].ask(
            f"/maps/{self.session.subject}/class_{what}.json", "POST", body=json.dumps(said).encode()
        )
        if answer.status != 200:
            raise RuntimeError(f"{what}: {answer.status} {answer.data[:200]!r}")
        return answer.said

    async def join(self, code: str) -> None:
        """Join, and take the teacher's subject."""
        await self.say("join", {"code": code})
        answer = await self.lines[0].ask(f"/maps/{self.session.subject}/class_subject.json")
        self.lent = answer.said["subject"]["subject"]

    async def follow(self, steps: dict[str, int]) -> None:
        """Hear events, and fetch the maps of each step."""
        where = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        head = f"GET /maps/{self.session.subject}/class_events HTTP/1.1\r\nhost: {where.netloc}\r\n\r\n"
        writer.write(head.encode())
        fetching = None
        try:
            async for line in reader:
                if not line.startswith(b"data: ") or b'"look"' not in line:
                    continue
                step = steps.get(json.loads(line[6:])["look"])
                if step is None:
                    continue
                self.heard[step] = time.perf_counter()
                if fetching:
                    await fetching
                fetching = asyncio.create_task(self.fetch(json.loads(line[6:])["look"], step))
        finally:
            writer.close()

    async def fetch(self, look: str, step: int) -> None:
        """A step's facts and mosaic, as a browser asks for them."""
        asked = [f"/maps/{self.lent}/{name}?{look}&{ROOM}" for name in ("layer.json", "layer.png")]
        answers = await asyncio.gather(
            *(line.ask(path) for line, path in zip(self.lines, asked, strict=True))
        )
        if all(answer.status == 200 for answer in answers):
            self.seen[step] = time.perf_counter()
            self.received += sum(answer.received for answer in answers)


async def arrive(open_: AsyncExitStack, address: str, view: dict[str, str]) -> Follower:
    """One more page."""
    lines = HttpLine(address), HttpLine(address)
    session = await open_.enter_async_context(Session(address, lines[0], view))
    await session.run("&".join(f"{name}={value}" for name, value in view.items()))
    return Follower(address, session, lines)


async def measured(address: str, followers: int, steps: int, every: float, view: dict[str, str]) -> str:
    """The row of one class."""
    async with AsyncExitStack() as open_:
        teacher = await arrive(open_, address, view)
        tree = (await teacher.lines[0].ask(f"/maps/{teacher.session.subject}/tree.json")).said
        layers = [row["name"] for row in tree if row["calls"]]
        looks = [f"layer={layers[(7 * step) % len(layers)]}&channel={step}" for step in range(1, steps + 1)]
        code = (await teacher.say("open", {"look": ""}))["code"]
        crowd = [await arrive(open_, address, view) for _ in range(followers)]
        for each in crowd:
            await each.join(code)
        numbers = {look: number for number, look in enumerate(looks)}
        tasks = [asyncio.create_task(each.follow(numbers)) for each in (teacher, *crowd)]
        teacher.lent = teacher.session.subject
        await asyncio.sleep(1)
        before, begun = server_seconds(address), list[float]()
        for look in looks:
            begun.append(time.perf_counter())
            await teacher.say("show", {"look": look})
            await asyncio.sleep(max(0.0, every - (time.perf_counter() - begun[-1])))
        await asyncio.sleep(2)
        after = server_seconds(address)
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    return row(crowd, begun, None if before is None or after is None else after - before)


def row(crowd: list[Follower], begun: list[float], server: float | None) -> str:
    """A line for ``bench/RESULTS.md``."""
    waits = [1e3 * (at - begun[step]) for each in crowd for step, at in each.seen.items()]
    events = [1e3 * (at - begun[step]) for each in crowd for step, at in each.heard.items()]
    missed = len(crowd) * len(begun) - len(waits)
    kilobytes = sum(each.received for each in crowd) / max(1, len(waits)) / 1e3
    said = "" if server is None else f"{server:.2f}"
    figures = (statistics.median(waits), percentile(waits), max(waits), percentile(events), kilobytes)
    shown = " | ".join(f"{figure:.1f}" for figure in figures)
    return f"| {len(crowd)} | {len(begun)} | {shown} | {missed} | {said} |"


def percentile(values: list[float], share: float = 0.95) -> float:
    """The value below which this share of them lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python bench/follow.py", description=__doc__)
    parser.add_argument("--followers", type=int, nargs="+", default=[30, 100])
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two steps of the teacher")
    parser.add_argument("--model", default="resnet18")
    parser.add_argument("--weights", choices=["random", "pretrained"], default="random")
    asked = parser.parse_args()
    view = {"model": asked.model, "weights": asked.weights}
    print(HEAD)
    for followers in asked.followers:
        with tempfile.TemporaryDirectory() as home, serving(Path(home)) as address:
            print(asyncio.run(measured(address, followers, asked.steps, asked.every, view)), flush=True)


if __name__ == "__main__":
    main()
