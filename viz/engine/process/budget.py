"""One budget for the caches of all hosts, shared by need."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..engine_state import CacheState
from .placing import LATELY
from .station import Station

SECONDS = 1.0  # from one sharing to the next
TOLD = 1 / 32  # of the budget: a host is not told of smaller changes
GROWS = 1.5  # times what a host keeps is what it may need before the next sharing
LEAST = 1 / 16  # of the budget, which every host needs beyond that


@dataclass(frozen=True)
class HostUsage:
    """Bytes that one host keeps; ``idle`` if it had no task lately."""

    bytes: int
    idle: bool = False


def shares(total: int, kept: Sequence[HostUsage]) -> list[int]:
    """Share a budget among hosts: bytes of each, ``total`` together.

    Each gets what it needs soon, as far as an equal share of what the others leave allows (max-min fairness);
    the rest goes to those at work. What idle hosts keep stays until others need it, then half goes each time.

    Source: Bertsekas and Gallager, Data Networks (1992), section 6.5.2, for max-min fairness.
    """
    needs = [each.bytes if each.idle else int(each.bytes * GROWS + total * LEAST) for each in kept]
    if sum(needs) > total:
        needs = [need // 2 if each.idle else need for each, need in zip(kept, needs, strict=True)]
    given, left = [0] * len(kept), total
    for place, index in enumerate(sorted(range(len(kept)), key=needs.__getitem__)):
        given[index] = min(needs[index], left // (len(kept) - place))
        left -= given[index]
    takers = [index for index, each in enumerate(kept) if not each.idle] or list(range(len(kept)))
    for index in takers:
        given[index] += left // len(takers)
    return given


class Budget:
    """Budget of one engine's hosts together, models not counted.

    Args:
        total: bytes.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._due = 0.0

    def look(self, stations: Sequence[Station], number: int) -> None:
        """Share the budget anew, once in a while.

        It has the hosts count again, and is called under the engine's lock. Nothing is sent while nobody asks
        anything.
        """
        now = time.monotonic()
        there = [each for each in stations if each.host is not None]
        if now < self._due or all(_is_idle(each, now) for each in there):
            return
        self._due = now + SECONDS
        kept = [
            HostUsage(sum(cache.bytes for cache in _sharing(each)), _is_idle(each, now)) for each in there
        ]
        for station, share in zip(there, shares(self._total, kept), strict=True):
            if any(abs(share - cache.limit) > self._total * TOLD for cache in _sharing(station)[:1]):
                station.limit(share)
            station.count(number)


def _sharing(station: Station) -> list[CacheState]:
    """Return a host's caches that share its part of the budget."""
    return [each for each in station.caches if each.shares]


def _is_idle(station: Station, now: float) -> bool:
    return not station.asked and now - station.used > LATELY
