"""An engine whose models run in other processes; a host that fails is replaced, and asked again."""

import itertools
import logging
import signal
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

from ...errors import CaptureError, EngineClosedError, VizError
from ..limits import Limits
from ..place import before
from ..purse import Purses
from ..task import Answer_co, Place, Task, check_pictures, kind_of, place_of
from ..worker import CLOSED
from .hosts import Host, Hosts
from .messages import ASK, DONE, FAILED, LEFT, REFUSED, TOLD
from .patience import Patience
from .station import Asked, Station, too_large

_TICK = 0.1  # seconds between two looks at the hosts
log = logging.getLogger(__name__)


class ProcessEngine:
    """An engine in processes of its own, each of which is replaced if a model makes it hang, crash or grow.

    A model stays in one process as long as anybody looks at it, so the others go on while it is loaded. The
    task that ended a process gets a sentence; every other one is asked again. A model that did it too often
    is put aside until this engine ends.

    Args:
        loader: ``"module:function"``, a ``MakeLoader``; the other processes import it.
        device: see ``LocalEngine``.
        limits: see ``LocalEngine``; what is kept is shared among the processes.
        hosts: how many processes there may be at a time.
        patience: when a host is given up.
        modules: what to import ahead: where the work of the first tasks is.
        later: what to import once nobody waits, such as what some models need.
        holds: what the loader may ask for: kind → a function of the name.
    """

    def __init__(
        self,
        loader: str,
        *,
        device: str = "auto",
        limits: Limits | None = None,
        hosts: int = 1,
        patience: Patience | None = None,
        modules: Sequence[str] = (),
        later: Sequence[str] = (),
        holds: Mapping[str, Callable[[str], Any]] | None = None,
    ) -> None:
        self._most = hosts
        self._holds = holds or {}
        self._patience = patience or Patience()
        self._hosts = Hosts(loader, device, _shared(limits or Limits(), hosts), modules, later)
        self._numbers = itertools.count()
        self._stations = [Station()]
        self._where: dict[Place, Station] = {}
        self._purses = Purses()
        self._strikes: Counter[str] = Counter()
        self._reasons: dict[str, VizError] = {}
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._watch, name="layerglass-watch", daemon=True)
        self._thread.start()

    def do(self, task: Task[Answer_co], *, visitor: str, urgent: bool = True) -> "Future[Answer_co]":
        """See ``Engine``.

        Raises:
            RequestError: a request is about another picture than the one that came with it.
            EngineClosedError: the engine has been closed.
            CaptureError: the task's model has been put aside.
            RateError: others wait, and this visitor has used very much time.
        """
        check_pictures(task)
        place = place_of(task)
        with self._changed:
            if self._closed:
                raise EngineClosedError(CLOSED)
            if put_aside := self._reasons.get(place[0]):
                raise put_aside
            if any(each.visitor != visitor for station in self._stations for each in station.queue):
                self._purses.check(visitor, kind_of(task))
            asked, number, station = Asked(task, visitor, urgent), next(self._numbers), self._station(place)
            station.ask(number, asked)
            self._changed.notify_all()
        asked.future.add_done_callback(partial(self._left, station, number))
        return asked.future

    def ahead(self, visitor: str) -> int | None:
        """See ``Queue``."""
        with self._changed:
            found = [before(station.queue, visitor) for station in self._stations]
        return max((each for each in found if each is not None), default=None)

    def close(self) -> None:
        """Refuse what has not been answered, and end the processes."""
        with self._changed:
            self._closed = True
            left = [asked for station in self._stations for asked in station.asked.values()]
            self._changed.notify_all()
        for asked in left:
            asked.fail(EngineClosedError(CLOSED))
        self._thread.join()
        self._hosts.close()

    def processes(self) -> list[int]:
        """The numbers of the processes that run models now."""
        with self._changed:
            return [station.host.number for station in self._stations if station.host is not None]

    # --- Where a task goes; called under the lock -----------------------------------------------------------

    def _station(self, place: Place) -> Station:
        """Where this model is, or where it will be loaded."""
        if place not in self._where:
            self._where[place] = self._free()
        return self._where[place]

    def _free(self) -> Station:
        """A station for another model: a new one, or else one with little to do that has rested long."""
        taken = list(self._where.values())
        if unused := next((each for each in self._stations if each not in taken), None):
            return unused
        if len(self._stations) < self._most:
            self._stations.append(Station())
            return self._stations[-1]
        return min(self._stations, key=lambda each: (len(each.asked), each.used))

    # --- What a host says, in the thread that hears it ------------------------------------------------------

    def _heard(self, station: Station, host: Host, message: tuple[Any, ...]) -> None:
        kind, what, *more = message
        if kind == ASK:
            host.tell(*self._found(what, *more))
            return
        with self._changed:
            if host is not station.host:
                return
            asked = None
            if kind in (DONE, FAILED):
                asked = station.asked.pop(what, None)
            elif kind == LEFT:
                station.drop(what)
            else:
                self._charge(station.note(kind, what), *more)
        if asked is not None and kind == DONE:
            self._purses.took(kind_of(asked.task), asked.seconds)
        if asked is not None and kind == DONE:
            asked.succeed(more[0])
        elif asked is not None:
            asked.fail(more[0])

    def _found(self, number: int, kind: str, name: str) -> tuple[str, int, Any]:
        """What a host asked for, or why it cannot have it."""
        try:
            return TOLD, number, self._holds[kind](name)
        except VizError as error:
            return REFUSED, number, error

    def _charge(self, asked: Sequence[Asked], seconds: float = 0.0) -> None:
        """Charge what a host has done to those who asked for it."""
        for each in asked:
            each.seconds += seconds
        if visitors := {each.visitor for each in asked}:
            self._purses.spend(visitors, seconds)

    def _left(self, station: Station, number: int, future: Future[Any]) -> None:
        """Drop what nobody waits for any more."""
        if future.cancelled():
            with self._changed:
                station.leave(number)

    def _gone(self, station: Station, host: Host) -> None:
        with self._changed:
            station.left = station.left or host is station.host
            self._changed.notify_all()

    # --- The watch, in a thread of its own ------------------------------------------------------------------

    def _watch(self) -> None:
        """Keep a host alive and at work at each station, until the engine is closed."""
        while not self._closed:
            for station in list(self._stations):
                self._look_after(station)
            with self._changed:
                self._changed.wait_for(self._is_due, _TICK)
        for host in [each.host for each in self._stations if each.host is not None]:
            self._hosts.end(host)

    def _is_due(self) -> bool:
        """Whether the watch has something to do at once; called under the lock."""
        return self._closed or any(each.host is None or each.left for each in self._stations)

    def _look_after(self, station: Station) -> None:
        """Begin a host if there is none, and replace one that has ended or has to be."""
        if self._closed:
            return
        if station.host is None:
            self._begin(station)
            return
        with self._changed:
            left, error = station.left, station.overdue(self._patience)
        error = None if left else error or self._grown(station.host)
        if left or error:
            self._replace(station, station.host, error)

    def _begin(self, station: Station) -> None:
        try:
            host = self._hosts.make(self._patience.starting)
        except OSError:
            log.exception("no process for models could be started")
            with self._changed:
                self._changed.wait_for(lambda: self._closed, 1.0)
            return
        host.listen(partial(self._heard, station), partial(self._gone, station))
        with self._changed:
            station.begin(host)

    def _grown(self, host: Host) -> VizError | None:
        """Why a host has to be ended because of the memory of all of them, of which it takes most."""
        most = self._patience.memory
        if most is None:
            return None
        taken = {each.host: each.host.memory() for each in self._stations if each.host is not None}
        if sum(taken.values()) <= most or taken[host] < max(taken.values()):
            return None
        return too_large(sum(taken.values()), most)

    def _replace(self, station: Station, host: Host, error: VizError | None) -> None:
        """End a host; its task gets the error, or how the process ended; the others are asked again."""
        self._hosts.end(host)
        error = error or _crashed(self._hosts.exit_code(host))
        with self._changed:
            failed = station.give_up()
            self._where = {
                place: each for place, each in self._where.items() if each is not station or station.asked
            }
            for model in {place_of(asked.task)[0] for asked in failed} - {""}:
                self._strike(model, error)
        log.error("a process for models was replaced: %s", error)
        for asked in failed:
            asked.fail(error)

    def _strike(self, model: str, error: VizError) -> None:
        """Count what a model did; put it aside once it is enough. Called under the lock."""
        self._strikes[model] += 1
        if self._strikes[model] >= self._patience.strikes:
            self._reasons[model] = CaptureError(
                "{model} has been put aside, because it ended its process {times} times: {reason}",
                model=model,
                times=self._strikes[model],
                reason=str(error),
            )


def _shared(limits: Limits, hosts: int) -> Limits:
    """What each of so many processes may keep."""
    return replace(limits, values=limits.values // hosts, views=limits.views // hosts)


def _crashed(code: int | None) -> CaptureError:
    if code is not None and code < 0:
        return CaptureError(
            "The process of this model crashed ({signal}); choose another layer or model.",
            signal=signal.Signals(-code).name,
        )
    return CaptureError("The process of this model ended by itself; choose another layer or model.")
