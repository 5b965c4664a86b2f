"""Work too long for the server's loop: in threads that all share, and of each visitor one at a time."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

from ..visit.visit import MapSet

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")
_turns: "WeakValueDictionary[str, asyncio.Lock]" = WeakValueDictionary()


async def in_thread(
    map_set: MapSet, work: Callable[_Given, _Made], *args: _Given.args, **kwargs: _Given.kwargs
) -> _Made:
    """What the work returns, once the map set's visitor has no other such work under way.

    There are few threads, and they take what comes first: without turns, one visitor who asks for fifty
    files at once would have them all, and everybody else would wait for the fifty.
    """
    turn = _turns.setdefault(map_set.visitor, asyncio.Lock())
    async with turn:
        return await asyncio.to_thread(work, *args, **kwargs)
