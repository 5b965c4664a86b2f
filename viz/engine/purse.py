"""Models' time that visitors have used lately.

It decides who goes first, and who comes back later.
"""

import math
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from threading import Lock

from cachetools import LRUCache

from ..errors import RateError

NOBODY = ""  # who asks for what all visitors share: it costs nothing
KNOWN = 1000  # visitors, and kinds of tasks, that are remembered


@dataclass(frozen=True)
class Rates:
    """Bounds on a visitor's own part of the models' time, in seconds.

    Attributes:
        regained: the part of each second that passes by which the used time is forgotten.
        light: beyond so much, a visitor's work runs only while nobody else's does.
        most: beyond so much, a visitor is asked to come back, if others wait for something meanwhile.
        kept: more than that is not remembered, so that nobody is sent away for longer than
            ``(kept - most) / regained`` seconds.
        heavy: a kind of task counts as heavy if it takes longer than that in the mean.
    """

    regained: float = 0.3
    light: float = 1.0
    most: float = 20.0
    kept: float = 25.0
    heavy: float = 0.2


def meter() -> Callable[[], float]:
    """Begin to measure work; return a function of its seconds so far.

    These are the processor's or the clock's, whichever are fewer. Several threads that compute together count
    once; and waiting for a busy processor costs nothing, or a crowd would make everybody heavy.
    """
    clock, processor = time.perf_counter(), time.process_time()
    return lambda: min(time.perf_counter() - clock, time.process_time() - processor)


class Purses:
    """Seconds that each visitor has used lately; safe for many threads.

    Attributes:
        excused: seconds of the work that is done now which nobody is charged for.
    """

    def __init__(self, rates: Rates | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.rates, self._clock, self._lock = rates or Rates(), clock, Lock()
        self._used: LRUCache[Hashable, tuple[float, float]] = LRUCache(KNOWN)  # seconds, and when that was
        self.excused = 0.0
        self._typical: LRUCache[Hashable, float] = LRUCache(KNOWN)

    def spend(self, visitors: Iterable[Hashable], seconds: float) -> None:
        """Charge work to those who have waited for it, in equal parts.

        ``NOBODY`` has no part.
        """
        sharing = [visitor for visitor in visitors if visitor != NOBODY]
        with self._lock:
            for visitor in sharing:
                used = self._owed(visitor) + seconds / len(sharing)
                self._used[visitor] = min(used, self.rates.kept), self._clock()

    def excuse(self, seconds: float) -> None:
        """Let nobody be charged for so many seconds of the present work."""
        with self._lock:
            self.excused += seconds

    def due(self, seconds: float) -> float:
        """Return the seconds of work to charge, without those just excused."""
        with self._lock:
            left, self.excused = max(0.0, seconds - self.excused), 0.0
            return left

    def took(self, kind: Hashable, seconds: float) -> None:
        """Note how long a whole task of some kind has taken."""
        with self._lock:
            self._typical[kind] = (self._typical.get(kind, seconds) + seconds) / 2

    def owed(self, visitor: Hashable) -> float:
        """The seconds that a visitor has used lately."""
        with self._lock:
            return self._owed(visitor)

    def is_heavy(self, visitor: Hashable) -> bool:
        """Return whether a visitor has used so much that others go before."""
        return self.owed(visitor) > self.rates.light

    def check(self, visitor: Hashable, kind: Hashable) -> None:
        """Refuse a heavy task of a visitor who has used too much.

        Call this only if others wait.

        Raises:
            RateError: the visitor has to come back later.
        """
        with self._lock:
            surplus = self._owed(visitor) - self.rates.most
            if surplus <= 0 or self._typical.get(kind, 0.0) < self.rates.heavy:
                return
        raise RateError(
            "You have used the models for a long time, and others are waiting: ask for this again in "
            "{seconds} seconds.",
            seconds=max(1, math.ceil(surplus / self.rates.regained)),
        )

    def _owed(self, visitor: Hashable) -> float:
        used, when = self._used.get(visitor, (0.0, 0.0))
        return max(0.0, used - self.rates.regained * (self._clock() - when))
