"""Long work: one thing at a time for each visitor, and not for anyone who has left."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from tests.machine import patience
from viz.ui.visit.visit import SubjectEntry
from viz.ui.wire.threads import in_decoding_thread, in_thread, while_here

SCOPE = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}


def request_until(left: asyncio.Event) -> Request:
    """A request without a body, whose browser leaves when the test says so."""
    begun = False

    async def receive() -> dict[str, Any]:
        nonlocal begun
        if not begun:
            begun = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await left.wait()
        return {"type": "http.disconnect"}

    return Request(SCOPE, receive)


def run(test: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    """Run a test on a loop of its own."""

    async def running() -> None:
        await asyncio.wait_for(test(asyncio.Event()), patience(60))

    asyncio.run(running())


def test_who_stays_gets_what_the_work_returns_or_raises() -> None:
    """As if nobody listened for a browser that leaves."""

    async def answer() -> int:
        await asyncio.sleep(0.01)
        return 7

    async def fail() -> int:
        raise KeyError("odd")

    async def test(left: asyncio.Event) -> None:
        assert await while_here(request_until(left), answer()) == 7
        with pytest.raises(KeyError):
            await while_here(request_until(left), fail())

    run(test)


def test_work_ends_when_its_browser_leaves() -> None:
    """It is cancelled where it waits."""

    async def test(left: asyncio.Event) -> None:
        begun, cancelled = asyncio.Event(), asyncio.Event()

        async def work() -> None:
            begun.set()
            try:
                await asyncio.sleep(60)
            finally:
                cancelled.set()

        working = asyncio.ensure_future(while_here(request_until(left), work()))
        await begun.wait()
        left.set()
        with pytest.raises(ClientDisconnect):
            await working
        await cancelled.wait()

    run(test)


def test_who_leaves_and_comes_back_still_has_one_thread(subject: SubjectEntry) -> None:
    """A thread cannot be ended, so the next piece of work waits until it has."""
    opened, running = threading.Event(), threading.Event()

    def first() -> None:
        running.set()
        assert opened.wait(patience(60))

    async def test(_: asyncio.Event) -> None:
        left = asyncio.ensure_future(in_thread(subject, first))
        assert await asyncio.to_thread(running.wait, patience(20))
        left.cancel()
        second = asyncio.ensure_future(in_thread(subject, opened.is_set))
        await asyncio.sleep(0.05)
        assert not second.done()
        opened.set()
        assert await second is True

    run(test)


def test_who_waits_for_a_place_to_decode_holds_up_nobody_else(subject: SubjectEntry) -> None:
    """A class opens a folder's pictures: the threads that draw maps are free meanwhile."""
    opened, count = threading.Event(), 40  # more than there are threads on any machine: 32 at most
    students = [replace(subject, visitor=f"student {number}") for number in range(count)]

    async def test(_: asyncio.Event) -> None:
        waiting = [
            asyncio.ensure_future(in_decoding_thread(each, opened.wait, patience(20))) for each in students
        ]
        await asyncio.sleep(0)
        assert await in_thread(subject, lambda: 7) == 7
        opened.set()
        assert await asyncio.gather(*waiting) == [True] * count

    try:
        run(test)
    finally:
        opened.set()
