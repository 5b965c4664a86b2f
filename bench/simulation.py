"""A simulation of a thousand visitors on any number of replicas.

``python bench/simulation.py`` prints the table in ``docs/ray.md``. How long an answer takes, and a
model's first question, is drawn from ``bench/ray_measured.json``, which ``bench/ray_replicas.py`` writes.
Visitors pick a layer, look at the answer for a while, and pick again; now and then they choose another model.
A replica answers one question at a time, in the order in which they come, and keeps the models used last.
"""

import argparse
import heapq
import json
import random
import statistics
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.engine.ray.routing import Homes, order

MEASURED = Path(__file__).with_name("ray_measured.json")
STAY = 20  # picks until a visitor chooses another model, in the mean
Route = Callable[[str, dict[str, int], random.Random], str]


@dataclass(frozen=True)
class Times:
    """Measured seconds of new and kept tasks, and of loading models."""

    new: Sequence[float]
    kept: Sequence[float]
    loading: Sequence[float]


@dataclass(frozen=True)
class Crowd:
    """Visitors, and their models.

    Attributes:
        every: seconds between an answer and the next pick, in the mean.
        kept_share: the share of picks whose answer is kept, because it was fetched ahead or asked before.
        arriving: seconds in which all of them come.
        models: how many models anybody looks at; the n-th most popular is chosen 1/n as often as the first.
    """

    visitors: int = 1000
    every: float = 3.0
    kept_share: float = 0.5
    arriving: float = 60.0
    models: int = 40


@dataclass
class Replica:
    """One process with one core.

    Attributes:
        room: how many models it keeps.
    """

    room: int
    models: OrderedDict[str, None] = field(default_factory=OrderedDict)
    waiting: deque[tuple[float, int, str]] = field(default_factory=deque)
    busy: float = 0.0
    loads: int = 0

    def serve(self, model: str, seconds: float, loading: float) -> float:
        """Return a question's seconds, and load its model if it is missing."""
        if model not in self.models:
            self.loads += 1
            seconds += loading
        self.models[model] = None
        self.models.move_to_end(model)
        while len(self.models) > self.room:
            self.models.popitem(last=False)
        self.busy += seconds
        return seconds


@dataclass(frozen=True)
class Result:
    """Result of a simulation; waits in seconds, from pick to answer."""

    waits: list[float]
    busy: float
    loads: float


def by_model() -> Route:
    """A way to choose the replica that our router would."""
    homes = Homes()
    return lambda model, waiting, _: order(homes.of(model, waiting), waiting)[0]


def shorter_of_two() -> Route:
    """Return a route to the shorter of two random queues."""
    return lambda _, waiting, chance: min(
        chance.sample(list(waiting), min(2, len(waiting))), key=waiting.__getitem__
    )


def simulated(
    crowd: Crowd, replicas: int, times: Times, route: Route, *, room: int = 8, seconds: float = 120.0
) -> Result:
    """Simulate a crowd's waits, once its models are loaded.

    As many seconds pass before, in which models are loaded for the first time.
    """
    running = _Simulation(crowd, replicas, times, route, room)
    running.until(seconds)
    before = running.busy, running.loads
    running.waits.clear()
    running.until(2 * seconds)
    busy, loads = running.busy - before[0], running.loads - before[1]
    return Result(running.waits, busy / seconds / replicas, loads / seconds * 60)


class _Simulation:
    def __init__(self, crowd: Crowd, replicas: int, times: Times, route: Route, room: int) -> None:
        self._crowd, self._times, self._route = crowd, times, route
        self._chance = random.Random(0)  # noqa: S311  (no secret)
        self._replicas = {f"replica {number}": Replica(room) for number in range(replicas)}
        self._popularity = list(accumulate(1 / rank for rank in range(1, crowd.models + 1)))
        self._looks: dict[int, str] = {}
        self._numbers = count()
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self.waits: list[float] = []
        for visitor in range(crowd.visitors):
            self._thinks(visitor, self._chance.uniform(0, crowd.arriving))

    @property
    def busy(self) -> float:
        """The seconds that all replicas have worked, begun tasks included."""
        return sum(each.busy for each in self._replicas.values())

    @property
    def loads(self) -> int:
        """Number of models that were loaded."""
        return sum(each.loads for each in self._replicas.values())

    def until(self, end: float) -> None:
        """Let everything happen that happens before."""
        while self._events[0][0] < end:
            now, _, happens = heapq.heappop(self._events)
            happens(now)

    def _later(self, when: float, happens: Callable[[float], None]) -> None:
        heapq.heappush(self._events, (when, next(self._numbers), happens))

    def _thinks(self, visitor: int, now: float) -> None:
        self._later(now + self._chance.expovariate(1 / self._crowd.every), partial(self._picks, visitor))

    def _picks(self, visitor: int, now: float) -> None:
        if visitor not in self._looks or self._chance.random() < 1 / STAY:
            ranks = range(self._crowd.models)
            self._looks[visitor] = f"model {self._chance.choices(ranks, cum_weights=self._popularity)[0]}"
        model = self._looks[visitor]
        waiting = {name: len(each.waiting) for name, each in self._replicas.items()}
        replica = self._replicas[self._route(model, waiting, self._chance)]
        replica.waiting.append((now, visitor, model))
        if len(replica.waiting) == 1:
            self._begins(replica, now)

    def _begins(self, replica: Replica, now: float) -> None:
        model = replica.waiting[0][2]
        is_kept = self._chance.random() < self._crowd.kept_share
        needed = self._chance.choice(self._times.kept if is_kept else self._times.new)
        took = replica.serve(model, needed, self._chance.choice(self._times.loading))
        self._later(now + took, partial(self._answers, replica))

    def _answers(self, replica: Replica, now: float) -> None:
        asked, visitor, _ = replica.waiting.popleft()
        self.waits.append(now - asked)
        self._thinks(visitor, now)
        if replica.waiting:
            self._begins(replica, now)


def row(name: str, replicas: int, found: Result) -> str:
    """A line of the table."""
    tail = statistics.quantiles(found.waits, n=20)[-1]
    late = sum(wait > 1 for wait in found.waits) / len(found.waits)
    return (
        f"| {replicas} | {name} | {found.busy:.0%} | {1000 * statistics.median(found.waits):,.0f} "
        f"| {1000 * tail:,.0f} | {late:.1%} | {found.loads:.0f} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=1000)
    parser.add_argument("--replicas", type=int, nargs="+", default=[4, 6, 8, 12, 16, 24])
    parser.add_argument("--models", type=int, default=40)
    parser.add_argument("--room", type=int, default=16, help="models that a replica keeps")
    options = parser.parse_args()
    times = Times(**json.loads(MEASURED.read_text("utf-8")))
    crowd = Crowd(options.visitors, models=options.models)
    print(
        "| replicas | a question goes to | busy | median ms | 95th percentile ms | over 1 s "
        "| models loaded a minute |"
    )
    print("|---:|---|---:|---:|---:|---:|---:|")
    for replicas in options.replicas:
        for name, route in (("its model's replica", by_model), ("the shorter queue", shorter_of_two)):
            found = simulated(crowd, replicas, times, route(), room=options.room)
            print(row(name, replicas, found), flush=True)


if __name__ == "__main__":
    main()
