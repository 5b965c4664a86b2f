"""Rates and places: counts by visitor; those of idle visitors are forgotten."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

KEYS_KEPT = 10_000  # a key costs 200 bytes; the one that asked longest ago is forgotten first


class Rates:
    """Allowances that refill with time.

    Each key has ``burst`` at once, and ``rate`` a second in the long run.
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self.burst, self._clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """Take one and return 0.0, or return the seconds to wait."""
        now = self._clock()
        left, since = self._left.pop(key, (float(self.burst), now))
        left = min(self.burst, left + (now - since) * self._rate)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._left[key] = (left if wait else left - 1, now)
        while len(self._left) > KEYS_KEPT:
            self._left.popitem(last=False)
        return wait

    def give_back(self, key: str) -> None:
        """Count one less of those that were taken."""
        left, since = self._left[key]
        self._left[key] = (min(self.burst, left + 1), since)


class Places:
    """Places that are taken at a time, by key."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def free(self, *wanted: tuple[str, int]) -> bool:
        """Return whether each key has fewer than its number."""
        return all(self._taken[key] < most for key, most in wanted)

    @contextmanager
    def held(self, *keys: str) -> Iterator[None]:
        """Hold one place of each key."""
        self._taken.update(keys)
        try:
            yield
        finally:
            self._taken.subtract(keys)
            for key in keys:
                if self._taken[key] <= 0:
                    del self._taken[key]
