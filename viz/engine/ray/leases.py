"""Things that are kept while their group's lease lasts, within a bound."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from ..engine_protocol import LeasedGroup

MOST_THINGS = 200  # in a group: a visit has 24 subjects, a few pictures, and the other sides of comparisons


@dataclass
class _Group:
    until: float
    renewed: float
    version: int = 0
    things: dict[str, tuple[Any, int]] = field(default_factory=dict)


class Leases:
    """Groups of named things, each with a lease.

    Args:
        most: bytes of all things.
        clock: seconds that only go up.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._groups: dict[str, _Group] = {}
        self._group_of: dict[str, str] = {}
        self.bytes = 0

    def __len__(self) -> int:
        """Return the number of groups."""
        return len(self._groups)

    def fits(self, size: int) -> bool:
        """Return whether there is room for so many bytes more."""
        self._sweep()
        return self.bytes + size <= self._most

    def keep(self, group: str, name: str, place: Any, size: int, seconds: float | None) -> bool:
        """Keep a thing if there is room; return whether it is kept.

        Without ``seconds`` only for a group that is there, whose lease stays as it is; otherwise the group
        begins with this thing, or its lease is renewed for so long. A name belongs to one group.
        """
        self._sweep()
        found = self._groups.get(group)
        if (found is None and seconds is None) or self._group_of.get(name, group) != group:
            return False
        before = found.things[name][1] if found and name in found.things else 0
        full = found is not None and not before and len(found.things) >= MOST_THINGS
        if full or self.bytes - before + size > self._most:
            return False
        if found is None:
            found = self._groups[group] = _Group(0.0, 0.0)
        if seconds is not None:
            self._renew(found, seconds)
        found.things[name], self._group_of[name] = (place, size), group
        found.version += 1
        self.bytes += size - before
        return True

    def find(self, name: str, known: int = 0) -> LeasedGroup | None:
        """Return all things of the group that has this one.

        None if there is no such group; no places if its version is ``known``.
        """
        self._sweep()
        group = self._group_of.get(name, "")
        found = self._groups.get(group)
        if found is None:
            return None
        places = {} if found.version == known else {each: place for each, (place, _) in found.things.items()}
        return LeasedGroup(group, found.version, self._clock() - found.renewed, places)

    def renew(self, groups: Collection[str], seconds: float) -> list[str]:
        """Renew these leases for so many seconds, and return the missing groups."""
        self._sweep()
        for group in groups:
            if group in self._groups:
                self._renew(self._groups[group], seconds)
        return [group for group in groups if group not in self._groups]

    def drop(self, group: str, names: Collection[str]) -> None:
        """Drop things of a group."""
        found = self._groups.get(group) or _Group(0.0, 0.0)
        for name in names:
            if name in found.things:
                self.bytes -= found.things.pop(name)[1]
                del self._group_of[name]
                found.version += 1

    def end(self, groups: Collection[str]) -> None:
        """Drop all things of these groups."""
        for group in groups:
            if group in self._groups:
                self.drop(group, list(self._groups[group].things))
                del self._groups[group]

    def _renew(self, group: _Group, seconds: float) -> None:
        group.renewed = self._clock()
        group.until = group.renewed + seconds

    def _sweep(self) -> None:
        """End the groups whose lease is over."""
        now = self._clock()
        self.end([name for name, group in self._groups.items() if group.until <= now])
