"""Long work done once for all, even if the first browser leaves."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

from ....errors import RequestError

MOST = 64  # pieces that are kept
Found = TypeVar("Found")
Tell = Callable[[Found], None]
"""Is called with what is found so far."""
Work = Callable[[Tell[Found]], Coroutine[Any, Any, Found]]
"""Returns what it has found in the end."""


class Finding(Generic[Found]):
    """A piece of work, and its result ``so_far``."""

    def __init__(self, work: Work[Found], so_far: Found, wanted: Callable[[], bool]) -> None:
        self.so_far, self._wanted = so_far, wanted
        self.task = asyncio.create_task(work(self._tell))

    async def soon(self, seconds: float | None = None) -> Found:
        """Return the result, or after some seconds the one so far.

        Raises:
            Exception: the one that made it fail.
        """
        if not self.task.done():
            await asyncio.wait([self.task], timeout=seconds)
        return self.task.result() if self.task.done() else self.so_far

    def _tell(self, found: Found) -> None:
        if not self._wanted():  # the rest of the work is left
            raise RequestError("there are no such pictures here any more: open the page again.")
        self.so_far = found


class Findings:
    """The last pieces of work by key, without those that failed.

    Args:
        here: whether anybody can want them.
    """

    def __init__(self, most: int = MOST, here: Callable[[], bool] = lambda: True) -> None:
        self._kept: LRUCache[Hashable, Finding[Any]] = LRUCache(most)
        self._here, self._over = here, False

    def of(self, key: Hashable, work: Work[Found], so_far: Found) -> Finding[Found]:
        """Return the work about this key; begin it if it is new."""
        known: Finding[Found] | None = self._kept.get(key)
        if known is None:
            known = self._kept[key] = Finding(work, so_far, self._wanted)
            known.task.add_done_callback(lambda task: self._ended(key, task))
        return known

    def clear(self) -> None:
        """Forget all of them."""
        self._kept.clear()

    def end(self) -> None:
        """Forget all of them for good.

        Work under way ends after its present piece.
        """
        self._over, self._kept = True, LRUCache(1)

    def _wanted(self) -> bool:
        return not self._over and self._here()

    def _ended(self, key: Hashable, task: "asyncio.Task[Any]") -> None:
        if task.cancelled() or task.exception() is not None:
            self._kept.pop(key, None)
