"""Caches that are bounded in bytes, one by one or together."""

import heapq
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Generic, Protocol, TypeVar

Value = TypeVar("Value")
Parts = Mapping[Hashable, int]
"""Pieces of memory, each with its bytes; values of one cache may share some."""
STALE, FEW = 4, 64  # places in the queue for each value, and a few more: then it is made anew


class _Owner(Protocol):
    def drop(self, key: Hashable) -> None: ...


@dataclass(eq=False)
class _Entry:
    """A kept value, with its memory, price and place in the queue.

    The price is the seconds per byte of making it again.
    """

    owner: _Owner
    key: Hashable
    parts: Parts
    price: float
    number: int
    worth: float = 0.0
    turn: int = 0


class Pool:
    """Bytes that several caches share.

    The value that is cheapest to make again for its size goes first. What has not been used for long goes in
    time, too; and of equally cheap values, the least recently used. Memory that several values of a cache
    share counts once, and a use of one is a use of all of them.

    Source: GreedyDual-Size, by Cao and Irani, Cost-Aware WWW Proxy Caching Algorithms (1997).

    Args:
        limit: bytes in all.
    """

    def __init__(self, limit: int) -> None:
        self.limit, self.bytes, self.lock = limit, 0, threading.RLock()
        self._entries: set[_Entry] = set()
        self._holders: defaultdict[Hashable, set[_Entry]] = defaultdict(set)  # of each piece of memory
        self._queue: list[tuple[float, int, int, _Entry]] = []  # worth, turn, number; the least first
        self._age, self._turn, self._numbers = 0.0, 0, count()
        self._taken = Counter[object]()

    def resize(self, limit: int) -> None:
        """Keep at most so many bytes from now on.

        Any surplus goes at once.
        """
        with self.lock:
            self.limit = limit
            self._drop_surplus()

    def taken(self, owner: _Owner) -> int:
        """Count the bytes that one of the caches keeps."""
        with self.lock:
            return self._taken[owner]

    def add(self, owner: _Owner, key: Hashable, parts: Parts, seconds: float) -> _Entry:
        """Take in a value that takes ``seconds`` to make again.

        ``drop_surplus`` makes room for it.
        """
        own: Parts = {(owner, part): size for part, size in parts.items()}
        entry = _Entry(owner, key, own, seconds / max(1, sum(own.values())), next(self._numbers))
        with self.lock:
            self._entries.add(entry)
            for part, size in own.items():
                self._count(owner, 0 if self._holders[part] else size)
                self._holders[part].add(entry)
            self._queue_up({entry})
            return entry

    def use(self, entry: _Entry) -> None:
        """Note the use of a value and of those sharing its memory."""
        with self.lock:
            self._queue_up({entry}.union(*(self._holders.get(part, ()) for part in entry.parts)))

    def remove(self, entry: _Entry) -> None:
        """Count a value no longer."""
        with self.lock:
            self._entries.discard(entry)
            for part, size in entry.parts.items():
                self._holders[part].discard(entry)
                if not self._holders[part]:
                    del self._holders[part]
                    self._count(entry.owner, -size)

    def drop_surplus(self) -> None:
        """Have the caches drop the least valuable values until there is room."""
        with self.lock:
            self._drop_surplus()

    # --- Called under the lock ------------------------------------------------------------------------------

    def _count(self, owner: _Owner, size: int) -> None:
        self.bytes += size
        self._taken[owner] += size

    def _queue_up(self, entries: set[_Entry]) -> None:
        """Make them worth as much as if they had just come."""
        self._turn += 1
        for each in entries:
            each.worth, each.turn = self._age + each.price, self._turn
            heapq.heappush(self._queue, (each.worth, each.turn, each.number, each))
        if len(self._queue) > STALE * len(self._entries) + FEW:
            self._queue = [(each.worth, each.turn, each.number, each) for each in self._entries]
            heapq.heapify(self._queue)

    def _drop_surplus(self) -> None:
        while self.bytes > self.limit:
            worth, turn, _, entry = heapq.heappop(self._queue)
            if entry in self._entries and entry.turn == turn:  # else it is gone, or has a later place
                self._age = worth
                entry.owner.drop(entry.key)


@dataclass(eq=False)
class _CachedValue(Generic[Value]):
    value: Value
    entry: _Entry


class ByteCache(Generic[Value]):
    """Values by their keys, in at most so many bytes.

    Many threads may use it at once.

    ``Pool`` decides which of them go first.

    Args:
        pool: the bytes that it shares with other caches, or how many it has for itself.
        size: the bytes of one value, or of each piece of its memory.

    Attributes:
        hits: how often a value that was asked for was there; ``misses`` how often it was not.
    """

    def __init__(self, pool: Pool | int, size: Callable[[Value], int | Parts]) -> None:
        self._pool = pool if isinstance(pool, Pool) else Pool(pool)
        self._size, self._lock = size, self._pool.lock
        self._kept: dict[Hashable, _CachedValue[Value]] = {}
        self.hits = self.misses = 0

    @property
    def limit(self) -> int:
        """Bytes that may be kept, with those of the pool's other caches."""
        return self._pool.limit

    @property
    def bytes(self) -> int:
        """Bytes that are kept now."""
        return self._pool.taken(self)

    def get(self, key: Hashable) -> Value | None:
        """The value of a key, if it is kept."""
        with self._lock:
            found = self.peek(key)
            self.hits, self.misses = self.hits + (found is not None), self.misses + (found is None)
            self.use(key)
            return found

    def peek(self, key: Hashable) -> Value | None:
        """Return the value of a key, if kept, without using it."""
        kept = self._kept.get(key)
        return None if kept is None else kept.value

    def use(self, key: Hashable) -> None:
        """Count as a use of a value, if it is kept."""
        with self._lock:
            if (kept := self._kept.get(key)) is not None:
                self._pool.use(kept.entry)

    def clear(self) -> None:
        """Keep nothing of it any more."""
        with self._lock:
            for key in list(self._kept):
                self.drop(key)

    def keep(self, key: Hashable, value: Value, seconds: float = 0.0) -> Value:
        """Keep a value, and return it.

        A value larger than the whole pool is returned, but not kept.

        Args:
            key: its name.
            value: it replaces an earlier one.
            seconds: about how long it takes to make it again.
        """
        size = self._size(value)
        parts = {object(): size} if isinstance(size, int) else size
        with self._lock:
            if sum(parts.values()) <= self.limit:
                self.drop(key)
                self._kept[key] = _CachedValue(value, self._pool.add(self, key, parts, seconds))
                self._pool.drop_surplus()
        return value

    def drop(self, key: Hashable) -> None:
        """Keep a value no longer."""
        with self._lock:
            if (kept := self._kept.pop(key, None)) is not None:
                self._pool.remove(kept.entry)
