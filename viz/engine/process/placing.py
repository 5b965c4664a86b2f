"""Choice of a station for each model and visitor."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from ..task import Place
from .station import Station

LATELY = 10.0  # seconds for which somebody counts as looking at a model, after the last question
STAYS = 60.0  # seconds without a question after which a moved visitor is at home again
RESTS = 30.0  # seconds without a question after which a process that no model is in may end
SPARE = 1 / 8  # of the memory that models may take: a process that takes more is not had twice


@dataclass
class _Company:
    """Times at which visitors of one model asked, or come back."""

    asked: dict[Hashable, float] = field(default_factory=dict)
    away: dict[Hashable, float] = field(default_factory=dict)


class StationPlacement:
    """Stations, and the models at each of them.

    Every method is called under the engine's lock. A model is at one station, so that it is loaded once, and
    what was captured is found again. There is one reason to have it twice: a visitor who has used much of its
    time lately, while others look at it. Even in slices such work makes them wait, so it goes on elsewhere.

    Args:
        most: how many stations there may be.
        is_heavy: whether a visitor has used much time lately.
        memory: the bytes that all hosts together may take; None for any.
        clock: seconds that never go back.

    Attributes:
        stations: all of them; there is always one.
    """

    def __init__(
        self,
        most: int,
        is_heavy: Callable[[Hashable], bool],
        memory: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.stations = [Station()]
        self._most, self._is_heavy, self._memory, self._clock = most, is_heavy, memory, clock
        self._homes: dict[Place, Station] = {}
        self._seconds: dict[Place, Station] = {}
        self._company: dict[Place, _Company] = {}

    def station(self, place: Place, visitor: Hashable) -> Station:
        """Return the station for a visitor's question about a model."""
        if place not in self._homes:
            self._homes[place] = self._free()
        home = self._homes[place]
        if not place[0]:  # it is about no model
            return home
        return self._second(place, home) if self._goes_away(place, visitor) else home

    def leave(self, station: Station) -> None:
        """Note that a station has lost its host.

        Its models lose their places, unless tasks wait there.
        """
        for places in (self._homes, self._seconds):
            for place in [each for each, where in places.items() if where is station and not station.asked]:
                del places[place]

    def rests(self, station: Station) -> bool:
        """Return whether a station's process can end for now.

        Its last questions were long ago, and about no model. It has nothing that it would have to compute
        again, and what it imported takes 100 MB and more.
        """
        mine = [place for place, where in self._homes.items() if where is station]
        done = not station.asked and self._clock() - station.used > RESTS
        return done and bool(mine) and not any(model for model, _ in mine)

    def _goes_away(self, place: Place, visitor: Hashable) -> bool:
        """Return whether a visitor's work on this model goes on elsewhere."""
        company, now = self._company.setdefault(place, _Company()), self._clock()
        company.asked = {each: when for each, when in company.asked.items() if now - when < LATELY}
        company.away = {each: until for each, until in company.away.items() if until > now}
        company.asked[visitor] = now
        others = company.asked.keys() - company.away.keys() - {visitor}
        if visitor in company.away or (others and self._is_heavy(visitor)):
            company.away[visitor] = now + STAYS
        return visitor in company.away

    def _second(self, place: Place, home: Station) -> Station:
        """Return another station for this model, or else its home."""
        if place not in self._seconds:
            spare = self._spare(home)
            if spare is None:
                return home
            self._seconds[place] = spare
        return self._seconds[place]

    def _spare(self, home: Station) -> Station | None:
        """Return an unused station if memory allows a second host, else None."""
        taken = 0 if home.host is None else home.host.memory()
        if self._memory is not None and taken > self._memory * SPARE:
            return None
        if (new := self._new()) is not None:
            return new
        resting = [each for each in self.stations if not each.asked and self._clock() - each.used > LATELY]
        return min(resting, key=lambda each: each.used, default=None)

    def _free(self) -> Station:
        """Return a new station, or else the one with least to do."""
        return self._new() or min(self.stations, key=lambda each: (len(each.asked), each.used))

    def _new(self) -> Station | None:
        """Return a station without a model; None if all are taken."""
        taken = [*self._homes.values(), *self._seconds.values()]
        if unused := next((each for each in self.stations if each not in taken), None):
            return unused
        if len(self.stations) < self._most:
            self.stations.append(Station())
            return self.stations[-1]
        return None
