"""Work too long for the server's loop, done elsewhere in turns."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from starlette.requests import ClientDisconnect, Request

from ..visit.visit import SubjectEntry, find_anywhere, find_subject, may_be_elsewhere

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")
_finding = ThreadPoolExecutor(4, "layerglass-finding")  # they wait for a cluster, and nobody else for them
_decoding = ThreadPoolExecutor(4, "layerglass-decoding")  # they wait for a process that reads a picture
_turns: "WeakValueDictionary[str, asyncio.Lock]" = WeakValueDictionary()


async def in_thread(
    subject: SubjectEntry, work: Callable[_Given, _Made], *args: _Given.args, **kwargs: _Given.kwargs
) -> _Made:
    """Do work in a thread, in its visitor's turn; return the result.

    There are few threads, and they take work in the order in which it comes. Without turns, one visitor who
    asks for fifty files at once would keep them all busy, and everybody else would wait.
    """
    return await _in_turn(subject, None, partial(work, *args, **kwargs))


async def in_decoding_thread(
    subject: SubjectEntry, work: Callable[_Given, _Made], *args: _Given.args, **kwargs: _Given.kwargs
) -> _Made:
    """Do the same with work that decodes a picture.

    It may wait long for a place, so it has threads of its own.
    """
    return await _in_turn(subject, _decoding, partial(work, *args, **kwargs))


async def _in_turn(subject: SubjectEntry, threads: Executor | None, work: Callable[[], _Made]) -> _Made:
    turn = _turns.setdefault(subject.visitor, asyncio.Lock())
    await turn.acquire()
    thread = asyncio.ensure_future(_done_by(threads, work))
    thread.add_done_callback(lambda _: turn.release())  # also if nobody waits: a thread cannot be ended
    return await asyncio.shield(thread)


async def _done_by(threads: Executor | None, work: Callable[[], _Made]) -> _Made:
    return await asyncio.get_running_loop().run_in_executor(threads, copy_context().run, work)


async def subject_of(token: str) -> SubjectEntry | None:
    """Return the subject with this token; None if its visit has ended.

    It may be of another process.
    """
    found = find_subject(token)
    if found is not None or not may_be_elsewhere():
        return found
    return await asyncio.get_running_loop().run_in_executor(_finding, find_anywhere, token)


async def result_of(future: "Future[Any]") -> Any:
    """Return a future's result to the server's loop.

    A cancelled caller gives up its own place in the queue, no other's.
    """
    return await asyncio.wrap_future(future)


async def while_here(request: Request, work: Coroutine[Any, Any, _Made]) -> _Made:
    """Return the work's result, unless the browser leaves before.

    The request must have no body.

    Raises:
        ClientDisconnect: it has left; the work has been cancelled.
    """
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            leaving.result()  # raises if it was not by leaving that the request ended
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
