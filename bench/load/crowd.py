"""A whole crowd at one server: all arrive, then all pick for a while, then all leave."""

import asyncio
import os
import sys
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass

from bench.load.plan import Plan
from bench.load.processor import server_seconds
from bench.load.session import RefusedError
from bench.load.visitor import Visitor

DOORS = 4  # visitors who arrive at the same moment: a class opens a page one after the other


@dataclass(frozen=True)
class Found:
    """What a crowd found.

    Attributes:
        visitors: those who got in.
        seconds: how long they picked.
        failures: how often what went wrong, arrivals included.
        server: processor seconds of the server while they picked; None if it runs elsewhere.
        tool: the same of this program.
    """

    visitors: list[Visitor]
    seconds: float
    failures: Counter[str]
    server: float | None
    tool: float


async def crowd(address: str, plan: Plan) -> Found:
    """Carry out a plan."""
    failures, doors = Counter[str](), asyncio.Semaphore(DOORS)
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stay:

        async def arrive(visitor: Visitor) -> Visitor | None:
            async with doors:
                try:
                    await visitor.__aenter__()
                except (OSError, TimeoutError, RefusedError) as error:
                    print(f"a visitor did not get in: {type(error).__name__}: {error}", file=sys.stderr)
                    failures[f"arrival: {type(error).__name__}"] += 1
                    return None
                stay.push_async_exit(visitor)
                return visitor

        coming = [arrive(Visitor(address, number, plan)) for number in range(plan.visitors)]
        inside = [visitor for visitor in await asyncio.gather(*coming) if visitor]
        server, tool, began = server_seconds(address), _own_seconds(), loop.time()
        await asyncio.gather(*(visitor.pick_until(began + plan.seconds) for visitor in inside))
        seconds, after = loop.time() - began, server_seconds(address)
        tool = _own_seconds() - tool
    for visitor in inside:
        failures += visitor.failures
    taken = after - server if server is not None and after is not None else None
    return Found(inside, seconds, failures, taken, tool)


def _own_seconds() -> float:
    times = os.times()
    return times.user + times.system
