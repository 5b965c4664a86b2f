"""What takes too long for the server's loop: the engine's work, and other work in threads, in turns."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from ..visit.visit import SubjectEntry

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")
_turns: "WeakValueDictionary[str, asyncio.Lock]" = WeakValueDictionary()


async def in_thread(
    subject: SubjectEntry, work: Callable[_Given, _Made], *args: _Given.args, **kwargs: _Given.kwargs
) -> _Made:
    """What the work returns; it starts once the subject's visitor has no other such work under way.

    There are few threads, and they take work in the order in which it comes. Without turns, one visitor who
    asks for fifty files at once would keep them all busy, and everybody else would wait.
    """
    turn = _turns.setdefault(subject.visitor, asyncio.Lock())
    async with turn:
        return await asyncio.to_thread(work, *args, **kwargs)


async def result_of(future: "Future[Any]") -> Any:
    """The future's result; a browser that disconnects must not cancel what others may be waiting for."""
    return await asyncio.shield(asyncio.wrap_future(future))
