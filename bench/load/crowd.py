"""A crowd at one server: arrival, picks and departure."""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from bench.load.plan import Plan
from bench.load.processor import server_seconds
from bench.load.session import RefusedError
from bench.load.student import Student
from bench.load.tasks import ended
from bench.load.teacher import Teacher
from bench.load.visitor import Visitor
from bench.load.watched import Watch

DOORS = 4  # visitors who arrive at the same moment: a class opens a page one after the other


@dataclass(frozen=True)
class CrowdResult:
    """Results of a crowd.

    Attributes:
        visitors: those who got in.
        seconds: how long they picked.
        failures: how often what went wrong, arrivals included.
        server: processor seconds of the server while they picked; None if it runs elsewhere.
        tool: the same of this program.
        teacher: their teacher, if they had one.
    """

    visitors: list[Visitor]
    seconds: float
    failures: Counter[str]
    server: float | None
    tool: float
    teacher: Teacher | None = None


async def crowd(address: str, plan: Plan, watch: Watch | None = None) -> CrowdResult:
    """Carry out a plan; a watch, if given, observes the server."""
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stay:
        teacher = (
            await stay.enter_async_context(Teacher(address, plan.visitors, plan)) if plan.taught else None
        )
        lesson = await teacher.open() if teacher else None
        coming = [
            Student(address, number, plan, lesson) if lesson else Visitor(address, number, plan)
            for number in range(plan.visitors)
        ]
        inside, failures = await _arrived(stay, coming)
        server, tool, began = server_seconds(address), _own_seconds(), loop.time()
        until = began + plan.seconds
        beside = [asyncio.create_task(watch.watch(address))] if watch else []
        if teacher and lesson:
            beside.append(asyncio.create_task(teacher.teach_until(until, lesson)))
        await asyncio.gather(*(visitor.pick_until(until) for visitor in inside))
        seconds, after = loop.time() - began, server_seconds(address)
        tool = _own_seconds() - tool
        await ended(beside)
    for visitor in inside:
        failures += visitor.failures
    taken = after - server if server is not None and after is not None else None
    return CrowdResult(inside, seconds, failures, taken, tool, teacher)


async def _arrived(stay: AsyncExitStack, coming: Sequence[Visitor]) -> tuple[list[Visitor], Counter[str]]:
    """Return the visitors that got in, and the others' errors."""
    failures, doors = Counter[str](), asyncio.Semaphore(DOORS)

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

    inside = [visitor for visitor in await asyncio.gather(*map(arrive, coming)) if visitor]
    return inside, failures


def _own_seconds() -> float:
    times = os.times()
    return times.user + times.system
