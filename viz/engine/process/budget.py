"""One budget for the caches of all hosts, given to those that need it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..limits import Limits
from .placing import LATELY
from .station import Station

SECONDS = 1.0  # from one sharing to the next
TOLD = 1 / 32  # of the budget: a host is not told of smaller changes
GROWS = 1.5  # times what a host keeps is what it may need before the next sharing
LEAST = 1 / 16  # of the budget, which every host needs beyond that


@dataclass(frozen=True)
class Kept:
    """Bytes that one host keeps; it is idle if nobody has asked it anything lately."""

    bytes: int
    idle: bool = False


def shares(total: int, kept: Sequence[Kept]) -> list[int]:
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
    """Budget of one engine's hosts together, by cache.

    Args:
        limits: of all hosts together.
    """

    def __init__(self, limits: Limits) -> None:
        self._totals = {"values": limits.values, "stages": limits.stages, "answers": limits.views}
        self._due = 0.0

    def look(self, stations: Sequence[Station], number: int) -> None:
        """Share anew once in a while, and have the hosts count again; called under the engine's lock.

        Nothing is sent while nobody asks anything.
        """
        now = time.monotonic()
        there = [each for each in stations if each.host is not None]
        if now < self._due or all(_is_idle(each, now) for each in there):
            return
        self._due = now + SECONDS
        for station, limits in zip(there, self._shared(there, now), strict=True):
            caches = {each.cache: each for each in station.caches}
            if any(
                name in caches and abs(limit - caches[name].limit) > self._totals[name] * TOLD
                for name, limit in limits.items()
            ):
                station.limit(limits)
            station.count(number)

    def _shared(self, stations: Sequence[Station], now: float) -> list[dict[str, int]]:
        found: list[dict[str, int]] = [{} for _ in stations]
        for name, total in self._totals.items():
            kept = [
                Kept(sum(each.bytes for each in station.caches if each.cache == name), _is_idle(station, now))
                for station in stations
            ]
            for limits, share in zip(found, shares(total, kept), strict=True):
                limits[name] = share
        return found


def _is_idle(station: Station, now: float) -> bool:
    return not station.asked and now - station.used > LATELY
