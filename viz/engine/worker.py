"""Queue of jobs in two threads: urgent first, equal ones only once."""

import logging
import threading
from collections.abc import Callable, Generator, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from cachetools import LRUCache

from ..errors import CaptureError, EngineClosedError, SupersededError, VizError
from ..sentences import Sentence
from .place import WaitingVisitor
from .priority import lower_priority
from .purse import Purses, meter
from .slices import went_on

log = logging.getLogger(__name__)
VISITORS = 1000  # whose last turn is remembered
SUPERSEDED = Sentence("A newer request took this one's place.")
CLOSED = Sentence("This engine has been shut down; start the app again.")


@dataclass(eq=False)
class _Ticket:
    """A visitor's wait for a job, with a future of its own."""

    visitor: Hashable
    lane: Hashable
    keep: int
    urgent: bool
    future: Future[Any] = field(default_factory=Future)


@dataclass(eq=False)
class _Job:
    """Work that somebody waits for, and its slices once it has some."""

    number: int
    key: Hashable
    work: Callable[[], Any]
    kind: Hashable
    seconds: float = 0.0
    tickets: list[_Ticket] = field(default_factory=list)
    slices: Generator[None, None, Any] | None = None

    @property
    def live(self) -> list[_Ticket]:
        """Tickets of those who still wait."""
        return [ticket for ticket in self.tickets if not ticket.future.done()]

    @property
    def urgent(self) -> bool:
        """True if somebody waits urgently."""
        return any(ticket.urgent for ticket in self.live)

    @property
    def visitors(self) -> set[Hashable]:
        """Visitors who wait."""
        return {ticket.visitor for ticket in self.live}


class Worker:
    """Worker that does one job at a time, in two threads.

    Work is named by a key. While a key waits or runs, further submissions of it share one result. A lane
    belongs to one visitor: it holds at most ``keep`` waiting jobs. The oldest beyond that are dropped, unless
    somebody else waits for them too. A job that nobody waits for any more is dropped as well.

    Work that returns a generator comes in slices: after each ``yield`` the work that is due before it goes
    first, and the generator's return value is the answer. Visitors take turns, those first who have used
    little time: so one with many questions, or long ones, holds up nobody by more than one slice.

    Args:
        name: of the threads.
        gives_way: whether the thread for whatever is not urgent, and for those who have used much time, has
            a lower priority than other threads and processes.
        purses: what visitors have used; by default it is counted for this worker alone.
    """

    def __init__(
        self, name: str = "worker", *, gives_way: bool = False, purses: Purses | None = None
    ) -> None:
        self._waiting: dict[Hashable, _Job] = {}
        self._running: _Job | None = None
        self._purses = purses or Purses()
        self._turns: LRUCache[Hashable, int] = LRUCache(VISITORS)  # when each visitor was served last
        self._numbers, self._turn = count(), 0
        self._closed = False
        self._changed = threading.Condition()
        self._threads = [
            threading.Thread(target=self._serve, name=name, daemon=True),
            threading.Thread(
                target=self._serve_behind, args=(gives_way,), name=f"{name}-behind", daemon=True
            ),
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self,
        key: Hashable,
        work: Callable[[], Any],
        *,
        visitor: Hashable = None,
        lane: Hashable = None,
        keep: int = 1,
        urgent: bool = True,
        kind: Hashable = None,
    ) -> Future[Any]:
        """Return the future result of ``work``, in its turn among others.

        Whoever cancels it waits no longer; others who asked for the same key still do. Work of one ``kind``
        takes about the same time.

        Raises:
            EngineClosedError: the worker has been closed.
        """
        ticket = _Ticket(visitor, lane, keep, urgent)
        with self._changed:
            if self._closed:
                raise EngineClosedError(CLOSED)
            if self._running is not None and self._running.key == key and self._running.live:
                self._running.tickets.append(ticket)
                return ticket.future
            self._clear()
            job = self._waiting.get(key) or _Job(next(self._numbers), key, work, kind)
            self._waiting[key] = job
            job.tickets.append(ticket)
            dropped = self._overflow(ticket)
            self._changed.notify_all()
        _refuse(dropped, SupersededError, SUPERSEDED)
        return ticket.future

    @property
    def waiting(self) -> int:
        """Number of jobs that wait, without the one that runs."""
        return len(self._waiting)

    @property
    def queue(self) -> list[WaitingVisitor]:
        """Visitors who wait, in their order; first those whose work runs."""
        with self._changed:
            jobs = sorted(self._waiting.values(), key=lambda job: job.number)
            running = [self._running] if self._running else []
            return [
                WaitingVisitor(each.visitor, each.urgent) for job in (*running, *jobs) for each in job.live
            ]

    @property
    def busy(self) -> bool:
        """True if a job runs."""
        return self._running is not None

    def close(self) -> None:
        """Finish the running slice, refuse waiting jobs, end the threads."""
        with self._changed:
            self._closed = True
            dropped = [ticket for job in self._waiting.values() for ticket in job.live]
            for job in self._waiting.values():
                _stop(job)
            self._waiting.clear()
            self._changed.notify_all()
        _refuse(dropped, EngineClosedError, CLOSED)
        for thread in self._threads:
            thread.join()

    # --- Called under the lock ------------------------------------------------------------------------------

    def _overflow(self, newest: _Ticket) -> list[_Ticket]:
        """Remove and return a lane's tickets beyond its newest ``keep``."""
        lane = newest.lane
        if lane is None:
            return []
        mine = [job for job in self._waiting.values() if any(each.lane == lane for each in job.live)]
        mine.sort(key=lambda job: job.number)
        surplus = mine[: max(0, len(mine) - newest.keep)]
        dropped = [ticket for job in surplus for ticket in job.live if ticket.lane == lane]
        for job in surplus:
            job.tickets = [ticket for ticket in job.live if ticket.lane != lane]
        self._clear()
        return dropped

    def _clear(self) -> None:
        """Drop the jobs that nobody waits for."""
        for job in [job for job in self._waiting.values() if not job.live]:
            del self._waiting[job.key]
            _stop(job)

    def _next(self) -> _Job | None:
        """Return the job that is due, if nothing runs and any waits."""
        self._clear()
        if self._running is not None or not self._waiting:
            return None
        urgent = [job for job in self._waiting.values() if job.urgent]
        return min(urgent or self._waiting.values(), key=self._served)

    def _served(self, job: _Job) -> tuple[float, int]:
        """Return the rank of a job by its visitors' time and turns.

        It is the least time used by any of them, and the earliest turn; 0 for never. Nobody may wait any
        more: a future is cancelled without the lock.
        """
        visitors = job.visitors
        used = min((self._purses.owed(visitor) for visitor in visitors), default=0.0)
        return round(used, 1), min((self._turns.get(visitor, 0) for visitor in visitors), default=0)

    def _is_behind(self, job: _Job) -> bool:
        """Return whether a job runs in the thread of lower priority."""
        return not job.urgent or all(self._purses.is_heavy(visitor) for visitor in job.visitors)

    # --- In the threads -------------------------------------------------------------------------------------

    def _serve_behind(self, gives_way: bool) -> None:
        if gives_way:
            lower_priority()
        self._serve(behind=True)

    def _serve(self, *, behind: bool = False) -> None:
        while (job := self._take(behind=behind)) is not None:
            seconds = meter()
            end = _slice(job)
            self._put_back(job, self._purses.due(seconds()), is_over=end is not None)
            if end is not None:
                _tell(job.tickets, end)

    def _put_back(self, job: _Job, seconds: float, *, is_over: bool) -> None:
        """Charge a slice that has been done, and queue the next one."""
        refused: list[_Ticket] = []
        with self._changed:
            self._running = None
            self._purses.spend(job.visitors, seconds)
            job.seconds += seconds
            if is_over:
                self._purses.took(job.kind, job.seconds)
            elif self._closed:
                refused = job.live
            elif job.live:
                self._waiting[job.key] = job
                # What has come meanwhile may have taken its place.
                refused = [each for ticket in job.live for each in self._overflow(ticket)]
            if self._waiting.get(job.key) is not job:
                _stop(job)
            self._changed.notify_all()
        reason = (EngineClosedError, CLOSED) if self._closed else (SupersededError, SUPERSEDED)
        _refuse(refused, *reason)

    def _take(self, *, behind: bool) -> _Job | None:
        with self._changed:
            while True:
                job = self._next()
                if job is not None and self._is_behind(job) == behind:
                    break
                if job is not None:
                    # It is the other thread's, which may have left it to this one just before; since then
                    # time has passed, or somebody has given up. So the other one looks again.
                    self._changed.notify_all()
                if self._closed and not self._waiting:
                    return None
                self._changed.wait()
            del self._waiting[job.key]
            self._turn += 1
            self._turns.update(dict.fromkeys(job.visitors, self._turn))
            self._running = job
            return job


@dataclass(frozen=True)
class _End:
    """End of a job: with an answer, or with an error."""

    answer: Any = None
    error: Exception | None = None


def _slice(job: _Job) -> _End | None:
    """Do a job's next slice; return its end, if it has ended.

    Its error goes to those who wait for it, and the thread lives on. An exception that would end a thread
    becomes an error of ours: in a waiting one, a ``SystemExit`` would end the server's loop, and a
    ``StopIteration`` cannot be set on a loop's future, so it would wait forever.
    """
    try:
        if job.slices is None:
            answer = job.work()
            if not isinstance(answer, Generator):
                return _End(answer)
            job.slices = answer
        is_over, answer = went_on(job.slices)
    except BaseException as error:
        log.debug("job %r failed", job.key, exc_info=True)
        return _End(error=_bearable(error))
    return _End(answer) if is_over else None


def _stop(job: _Job) -> None:
    """Close a dropped job's slices, so that it can undo its beginnings."""
    if job.slices is not None:
        try:
            job.slices.close()
        except BaseException:  # what it raises now, nobody waits for
            log.exception("job %r did not end well", job.key)


def _tell(tickets: Iterable[_Ticket], end: _End) -> None:
    for ticket in tickets:
        if ticket.future.set_running_or_notify_cancel():
            if end.error is None:
                ticket.future.set_result(end.answer)
            else:
                ticket.future.set_exception(end.error)


def _refuse(tickets: list[_Ticket], kind: type[VizError], sentence: str) -> None:
    if tickets:
        _tell(tickets, _End(error=kind(sentence)))


def _bearable(error: BaseException) -> Exception:
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    log.error("a model ended its run by %s", type(error).__name__, exc_info=error)
    ended = CaptureError(
        "this model ended its run by {name}; choose another one.", name=type(error).__name__[:40]
    )
    ended.__cause__ = error
    return ended


def done(answer: Any) -> "Future[Any]":
    """A future whose result is known already."""
    future: Future[Any] = Future()
    future.set_result(answer)
    return future
