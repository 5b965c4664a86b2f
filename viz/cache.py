"""A cache that is bounded in bytes."""

import math
import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from cachetools import LRUCache

Value = TypeVar("Value")


class ByteCache(Generic[Value]):
    """Values by their keys, at most ``limit`` bytes of them: the least recently used go first.

    Many threads may use it at once.

    Args:
        limit: bytes in all.
        size: the bytes of one value.

    Attributes:
        hits: how often a value that was asked for was there; ``misses`` how often it was not.
    """

    def __init__(self, limit: int, size: Callable[[Value], int]) -> None:
        self._lock = threading.Lock()
        self._values: LRUCache[Hashable, Value] = LRUCache(math.inf, size)
        self.limit, self.hits, self.misses = limit, 0, 0

    def resize(self, limit: int) -> None:
        """Keep at most so many bytes from now on; the surplus goes at once."""
        with self._lock:
            self.limit = limit
            self._drop_surplus()

    @property
    def bytes(self) -> int:
        """Size of the kept values."""
        with self._lock:
            return int(self._values.currsize)

    def get(self, key: Hashable) -> Value | None:
        """The value of a key, if it is kept."""
        with self._lock:
            found = self._values.get(key)
            self.hits, self.misses = self.hits + (found is not None), self.misses + (found is None)
            return found

    def clear(self) -> None:
        """Keep nothing of it any more."""
        with self._lock:
            self._values.clear()

    def keep(self, key: Hashable, value: Value) -> Value:
        """Return the value itself, and keep it unless it is larger than the whole cache."""
        with self._lock:
            if self._values.getsizeof(value) <= self.limit:
                self._values[key] = value
                self._drop_surplus()
        return value

    def _drop_surplus(self) -> None:
        """Drop the least recently used until the rest has room; called under the lock."""
        while self._values.currsize > self.limit:
            self._values.popitem()
