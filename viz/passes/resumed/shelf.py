"""Shelf of stages: of many photos and models, in so many bytes."""

import heapq
import threading
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import count

import torch

STALE = 4  # times as many places in the queue as stages: then it is made anew


@dataclass(eq=False)
class _Stage:
    """One output, its saving of a pass per byte, and its worth."""

    output: torch.Tensor
    saves: float
    worth: float = 0.0


class StageShelf:
    """Keeps stages; when there is no more room, the one that saves least for its size goes first.

    A late stage saves nine tenths of a pass, and often takes a tenth of the bytes of an early one. So where
    a hundred photos have no room for all of their stages, each keeps its late ones. Stages not used
    for long go in time, too: GreedyDual-Size, by Cao and Irani, Cost-Aware WWW Proxy Caching Algorithms
    (1997).

    Many threads may use it at once.

    Args:
        limit: bytes in all.

    Attributes:
        bytes: those that are kept now.
        hits: the number of passes with a stage to go on from; ``misses`` of those without one.
    """

    def __init__(self, limit: int) -> None:
        self.limit, self.bytes, self.hits, self.misses = limit, 0, 0, 0
        self._photos: dict[Hashable, dict[str, _Stage]] = {}
        self._queue: list[tuple[float, int, Hashable, str]] = []  # worth, turn, photo, name; the least first
        self._age, self._turns, self._entries = 0.0, count(), 0
        self._lock = threading.Lock()

    def resize(self, limit: int) -> None:
        """Keep at most so many bytes from now on; the surplus goes at once."""
        with self._lock:
            self.limit = limit
            self._drop_surplus()

    def of(self, photo: Hashable) -> Mapping[str, torch.Tensor]:
        """A photo's stages by the layers' names: to be read, not written into."""
        with self._lock:
            return {name: stage.output for name, stage in self._photos.get(photo, {}).items()}

    def use(self, photo: Hashable, name: str | None) -> None:
        """Count the stage from which a pass goes on as a hit; None, for no stage, as a miss."""
        with self._lock:
            self.hits, self.misses = self.hits + (name is not None), self.misses + (name is None)
            if name is not None and name in self._photos.get(photo, {}):
                self._queue_up(photo, name)

    def keep(self, photo: Hashable, name: str, output: torch.Tensor, saves: float) -> None:
        """Keep a stage, if it is worth it; ``saves`` is the share of a whole pass that is over by then."""
        if not 0 < output.nbytes <= self.limit:
            return
        with self._lock:
            self._take(photo, name)
            self._photos.setdefault(photo, {})[name] = _Stage(output, saves / output.nbytes)
            self.bytes, self._entries = self.bytes + output.nbytes, self._entries + 1
            self._queue_up(photo, name)
            self._drop_surplus()

    def clear(self) -> None:
        """Keep nothing of it any more."""
        with self._lock:
            self._photos.clear()
            self._queue.clear()
            self.bytes = self._entries = 0

    # --- Called under the lock ------------------------------------------------------------------------------

    def _queue_up(self, photo: Hashable, name: str) -> None:
        """Make it worth as much as if it had just come."""
        stage = self._photos[photo][name]
        stage.worth = self._age + stage.saves
        heapq.heappush(self._queue, (stage.worth, next(self._turns), photo, name))
        if len(self._queue) > STALE * self._entries:
            self._queue = [
                (stage.worth, next(self._turns), photo, name)
                for photo, stages in self._photos.items()
                for name, stage in stages.items()
            ]
            heapq.heapify(self._queue)

    def _drop_surplus(self) -> None:
        while self.bytes > self.limit:
            self._drop_least()

    def _drop_least(self) -> None:
        """Take out the stage that is worth least; a place that was left for a later one is passed over."""
        worth, _, photo, name = heapq.heappop(self._queue)
        stage = self._photos.get(photo, {}).get(name)
        if stage is not None and stage.worth == worth:
            self._age = worth
            self._take(photo, name)

    def _take(self, photo: Hashable, name: str) -> None:
        stages = self._photos.get(photo, {})
        if (stage := stages.pop(name, None)) is not None:
            self.bytes, self._entries = self.bytes - stage.output.nbytes, self._entries - 1
            if not stages:
                del self._photos[photo]
