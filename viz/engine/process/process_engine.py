"""Engine whose models run in other processes, replaced when they fail."""

import itertools
import logging
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

from ...errors import BusyError, CaptureError, EngineClosedError, VizError
from ..engine_state import EngineState, ProcessState
from ..limits import Limits
from ..place import before
from ..purse import NOBODY, Purses
from ..task import Answer_co, Task, check_pictures, kind_of, place_of
from ..worker import CLOSED
from .budget import Budget
from .hosts import Host, Hosts
from .messages import ASK, COUNTED, DONE, FAILED, LEFT, REFUSED, TOLD, bearable
from .patience import Patience
from .placing import StationPlacement
from .station import PendingTask, Station, too_large
from .strikes import Strikes

_TICK = 0.1  # seconds between two looks at the hosts
_COUNTING = 0.2  # seconds in which a host says what it keeps; one that hangs does not
log = logging.getLogger(__name__)


class ProcessEngine:
    """Engine that runs models in processes, and replaces those that fail.

    A model may make its process hang, crash or grow. A model stays in one process as long as anybody looks at
    it, so the others go on while it is loaded. The task that ended a process gets a sentence; every other one
    is asked again. A model that did it too often is put aside for a while.

    Args:
        loader: ``"module:function"``, a ``MakeLoader``; the other processes import it.
        device: see ``LocalEngine``.
        limits: see ``LocalEngine``; what is kept is given to the processes that need it.
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
        self._holds = holds or {}
        self._patience = patience or Patience()
        limits = limits or Limits()
        self._hosts = Hosts(loader, device, _first(limits, hosts), modules, later)
        self._budget = Budget(limits.kept)
        self._numbers = itertools.count()
        self._purses = Purses()
        self._placing = StationPlacement(hosts, self._purses.is_heavy, self._patience.memory)
        self._strikes = Strikes(self._patience)
        self._restarts = 0
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
            if put_aside := self._strikes.put_aside(place):
                raise put_aside
            if any(each.visitor != visitor for station in self._placing.stations for each in station.queue):
                self._purses.check(visitor, kind_of(task))
            asked, number = PendingTask(task, visitor, urgent), next(self._numbers)
            station = self._placing.station(place, visitor)
            station.ask(number, asked)
            self._changed.notify_all()
        asked.future.add_done_callback(partial(self._left, station, number))
        return asked.future

    def ahead(self, visitor: str) -> int | None:
        """See ``Queue``."""
        with self._changed:
            found = [before(station.queue, visitor) for station in self._placing.stations]
        return max((each for each in found if each is not None), default=None)

    def close(self) -> None:
        """Refuse unanswered tasks, and end the processes.

        Calling it again does nothing more.
        """
        with self._changed:
            self._closed = True
            left = [asked for station in self._placing.stations for asked in station.asked.values()]
            for station in self._placing.stations:
                station.asked.clear()  # each is answered once, whatever a host still says
            self._changed.notify_all()
        for asked in left:
            asked.fail(EngineClosedError(CLOSED))
        self._hosts.close()
        self._thread.join()

    def processes(self) -> list[int]:
        """The numbers of the processes that run models now."""
        with self._changed:
            return [station.host.number for station in self._placing.stations if station.host is not None]

    def state(self) -> EngineState:
        """See ``ReportingEngine``; a process and its replacement have the same name."""
        number = next(self._numbers)
        with self._changed:
            there = [each for each in self._placing.stations if each.host is not None]
            for station in there:
                station.count(number)
            self._changed.wait_for(lambda: all(each.counted >= number for each in there), _COUNTING)
            running = sum(each.running for each in self._placing.stations)
            return EngineState(
                waiting=max(0, sum(len(each.asked) for each in self._placing.stations) - running),
                running=running,
                processes=tuple(
                    ProcessState(f"models-{place}", station.host.memory(), station.caches)
                    for place, station in enumerate(self._placing.stations, 1)
                    if station.host is not None
                ),
                memory_limit=self._patience.memory,
                restarts=self._restarts,
                put_aside=self._strikes.reasons,
            )

    # --- Messages of a host, in the thread that hears them --------------------------------------------------

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
                asked = station.take(what, more[0] if kind == DONE else None)
            elif kind == LEFT:
                station.drop(what)
            elif kind == COUNTED:
                station.caches, station.counted = more[0], what
                self._changed.notify_all()
            else:
                self._charge(station.note(kind, what), *more)
        if asked is not None and kind == DONE:
            self._purses.took(kind_of(asked.task), asked.seconds)
            asked.succeed(more[0])
        elif asked is not None:
            asked.fail(more[0])

    def _found(self, number: int, kind: str, name: str) -> tuple[str, int, Any]:
        """Return the message that answers a host's question."""
        try:
            return TOLD, number, self._holds[kind](name)
        except Exception as error:  # noqa: BLE001  it belongs to whoever asked for this
            return REFUSED, number, bearable(error)

    def _charge(self, asked: Sequence[PendingTask], seconds: float = 0.0) -> None:
        """Charge a host's work to those who asked for it."""
        for each in asked:
            each.seconds += seconds
        if visitors := {each.visitor for each in asked}:
            self._purses.spend(visitors, seconds)

    def _left(self, station: Station, number: int, future: Future[Any]) -> None:
        """Drop a task that nobody waits for any more."""
        if future.cancelled():
            with self._changed:
                station.leave(number)

    def _gone(self, station: Station, host: Host) -> None:
        with self._changed:
            station.left = station.left or host is station.host
            self._changed.notify_all()

    # --- The watch, in a thread of its own ------------------------------------------------------------------

    def _watch(self) -> None:
        """Keep each station's host alive until the engine is closed."""
        while not self._closed:
            self._hosts.check()
            for station in list(self._placing.stations):
                self._look_after(station)
            with self._changed:
                self._budget.look(self._placing.stations, next(self._numbers))
                self._changed.wait_for(self._is_due, _TICK)
        for host in [each.host for each in self._placing.stations if each.host is not None]:
            self._hosts.end(host)

    def _is_due(self) -> bool:
        """Return whether the watch has work now; called under the lock."""
        stations = self._placing.stations
        return self._closed or any(each.lacks_host or (each.host and each.left) for each in stations)

    def _look_after(self, station: Station) -> None:
        """Begin, replace or end a station's host, as is due."""
        if self._closed:
            return
        if station.host is None:
            if station.lacks_host:
                self._begin(station)
            return
        with self._changed:
            left, error = station.left, station.overdue(self._patience)
            resting = None if left else self._rested(station)
        if resting is not None:
            self._hosts.end(resting)
            self._hosts.exit_code(resting)
            return
        error = None if left else error or self._grown(station.host)
        if left or error:
            self._replace(station, station.host, error)

    def _rested(self, station: Station) -> Host | None:
        """Take a resting station's host, if any; called under the lock.

        If work went on there, the host stays, and is asked whether it still does.
        """
        host = station.host
        if host is None or not self._placing.rests(station):
            return None
        if station.goes_on:
            for task in station.goes_on.values():
                station.ask(next(self._numbers), PendingTask(task, NOBODY, urgent=False))
            return None
        station.rest()
        return host

    def _begin(self, station: Station) -> None:
        try:
            host = self._hosts.make(self._patience.starting)
        except (OSError, RuntimeError) as error:  # or no thread that hears of it
            with self._changed:
                if self._closed:
                    return
                waited = station.not_begun()
            log.warning("no process for models could be started: %s", error)
            for asked in waited:
                asked.fail(BusyError("No process for models can be started now; try again in a while."))
            return
        with self._changed:
            station.begin(host)  # before it is heard: it may be gone at once
        try:
            host.listen(partial(self._heard, station), partial(self._gone, station))
        except RuntimeError as error:  # as Python says that the system makes no thread
            log.warning("a process for models cannot be heard: %s", error)
            self._gone(station, host)

    def _grown(self, host: Host) -> VizError | None:
        """Return an error if memory is short and this host takes most."""
        most = self._patience.memory
        if most is None:
            return None
        taken = {each.host: each.host.memory() for each in self._placing.stations if each.host is not None}
        if sum(taken.values()) <= most or taken[host] < max(taken.values()):
            return None
        return too_large(sum(taken.values()), most)

    def _replace(self, station: Station, host: Host, error: VizError | None) -> None:
        """End a host, fail its task, and have the others asked again."""
        self._hosts.end(host)
        code = None if error else self._hosts.exit_code(host)
        # Others send SIGKILL, such as a system without memory; if the nursery has gone, nobody tells.
        sure = error is not None or code not in (None, -signal.SIGKILL)
        error = error or _crashed(code)
        with self._changed:
            self._restarts += 1
            guilty, tired = station.give_up(sure=sure)
            self._placing.leave(station)
            for place in {place_of(asked.task) for asked in guilty}:
                if place[0] and sure:  # a model is not put aside for what others did to its process
                    self._strikes.add(place, error)
        log.error("a process for models was replaced: %s", error)
        for asked in (*guilty, *tired):
            asked.fail(error)


def _first(limits: Limits, hosts: int) -> Limits:
    """Return the limits for one of so many processes at first."""
    return replace(limits, kept=limits.kept // hosts)


def _crashed(code: int | None) -> CaptureError:
    if code == -signal.SIGKILL:
        return CaptureError(
            "The process of this model was ended from outside, perhaps because memory ran out; try again, or "
            "choose a smaller layer or model."
        )
    if code is not None and code < 0:
        return CaptureError(
            "The process of this model crashed ({signal}); choose another layer or model.",
            signal=_named(-code),
        )
    return CaptureError("The process of this model ended by itself; choose another layer or model.")


def _named(number: int) -> str:
    """Return a signal's name, or its number if it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
