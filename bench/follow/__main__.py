"""Delay from the teacher's key to the maps of each follower.

Run it as ``python bench/follow``; without options it measures 30 followers and then 100, and prints rows for
``bench/RESULTS.md``. The teacher and one follower are pages in a real browser: their wait begins with the key
and ends with the frame after the one in which the maps stand on the page. All others are lines without a
browser: their wait ends with the last byte of the facts and the mosaic, which they ask for once the event
has come.
"""

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.follow.follower import Follower, arrive
from bench.follow.pages import browser, following, steps, teaching
from bench.load.processor import server_seconds
from bench.load.report import percentile
from bench.load.tasks import ended
from tests.browser.chromium import ADVICE, find
from tests.browser.serving import serving

HEAD = (
    "| followers | steps | without a browser: median ms | 95th percentile ms | longest ms "
    "| in one: median ms | 95th percentile ms | kB a step and follower | missed | passes "
    "| processor s of the server |"
    "\n|---|" + 10 * "---:|"
)
MISSED = re.compile(r'layerglass_cache_misses_total\{cache="values"')


@dataclass(frozen=True)
class FollowMeasurements:
    """Measurements of one class.

    Attributes:
        pressed: when the key for each layer was pressed, in seconds of the wall clock.
        painted: when the follower in a browser had its maps.
        passes: how often the model ran, or had to be asked for values that were not kept.
        server: processor seconds of the server meanwhile; None if nobody knows.
    """

    crowd: list[Follower]
    pressed: dict[str, float]
    painted: Mapping[str, float]
    passes: int
    server: float | None

    def waits(self, came: Mapping[str, float]) -> list[float]:
        """Milliseconds from the key to the maps, of those steps that came."""
        return [1e3 * (came[layer] - at) for layer, at in self.pressed.items() if came.get(layer)]

    def row(self) -> str:
        """A line for ``bench/RESULTS.md``."""
        waits = [wait for each in self.crowd for wait in self.waits(each.seen)]
        page = self.waits(self.painted)
        missed = (len(self.crowd) + 1) * len(self.pressed) - len(waits) - len(page)
        size = sum(each.received for each in self.crowd) / max(1, len(waits)) / 1e3
        figures = (*_spread(waits), max(waits, default=0.0), *_spread(page), size)
        shown = " | ".join(f"{figure:.1f}" for figure in figures)
        server = "–" if self.server is None else f"{self.server:.2f}"
        return (
            f"| {len(self.crowd) + 1} | {len(self.pressed)} | {shown} | {missed} | {self.passes} | {server} |"
        )


def _spread(waits: Iterable[float]) -> tuple[float, float]:
    found = list(waits) or [0.0]
    return statistics.median(found), percentile(found)


async def measured(
    address: str, followers: int, count: int, every: float, view: dict[str, str]
) -> FollowMeasurements:
    """One class, of which one follower has a browser."""
    async with AsyncExitStack() as open_:
        chromium = await open_.enter_async_context(browser())
        teacher, code = await teaching(chromium, address, view)
        page = await following(chromium, address, code)
        crowd = [await arrive(open_, address, view) for _ in range(followers - 1)]
        for each in crowd:
            await each.join(code)
        tasks = [asyncio.create_task(each.follow()) for each in crowd]
        await asyncio.sleep(3)
        before, passed = server_seconds(address), await passes(crowd[0])
        pressed = await steps(teacher, count, every)
        await asyncio.sleep(3)
        after, passed = server_seconds(address), await passes(crowd[0]) - passed
        await ended(tasks)
        painted = await page.evaluate("painted")
    return FollowMeasurements(
        crowd, pressed, painted, passed, None if before is None or after is None else after - before
    )


async def passes(follower: Follower) -> int:
    """Return the server's count of requests for values not kept."""
    said = (await follower.line.ask("/metrics")).data.decode()
    return sum(int(float(line.split()[-1])) for line in said.splitlines() if MISSED.match(line))


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python bench/follow", description=__doc__)
    parser.add_argument("--followers", type=int, nargs="+", default=[30, 100])
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two steps of the teacher")
    parser.add_argument("--model", default="resnet18")
    parser.add_argument("--weights", choices=["random", "pretrained"], default="random")
    asked = parser.parse_args()
    if find() is None:
        sys.exit(ADVICE)
    view = {"model": asked.model, "weights": asked.weights}
    print(HEAD)
    for followers in asked.followers:
        with tempfile.TemporaryDirectory() as home, serving(Path(home)) as address:
            found = asyncio.run(measured(address, followers, asked.steps, asked.every, view))
            print(found.row(), flush=True)


if __name__ == "__main__":
    main()
