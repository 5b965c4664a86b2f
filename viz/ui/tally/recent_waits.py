"""Waits for the last answers, not for all since the start."""

import threading
from collections import deque
from collections.abc import Callable
from math import ceil
from time import monotonic

KEPT = 20_000  # answers: ten times what two cores give in half a minute


class RecentWaits:
    """The last waits, each with its time.

    Many threads may use it at once.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._lock, self._clock = threading.Lock(), clock
        self._waits: deque[tuple[float, float]] = deque(maxlen=KEPT)

    def add(self, seconds: float) -> None:
        """Note a wait that ends now."""
        with self._lock:
            self._waits.append((self._clock(), seconds))

    def quantiles(self, window: float, *shares: float) -> tuple[float | None, ...]:
        """Return a quantile for each share of the latest waits.

        The latest waits are those of the last ``window`` seconds. It is the time that this share of the waits
        took at most; None if there was no such wait. Shares are above 0 and at most 1.
        """
        since = self._clock() - window
        with self._lock:
            waits = sorted(seconds for ended, seconds in self._waits if ended >= since)
        if not waits:
            return (None,) * len(shares)
        return tuple(waits[ceil(share * len(waits)) - 1] for share in shares)
