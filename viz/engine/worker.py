"""One thread and its queue: equal jobs run once, newer ones replace older ones, urgent ones go first."""

import logging
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from cachetools import LRUCache

from ..errors import CaptureError, EngineClosedError, SupersededError, VizError
from ..sentences import Sentence

log = logging.getLogger(__name__)
VISITORS = 1000  # whose last turn is remembered
CLOSED = Sentence("This engine has been shut down; start the app again.")


@dataclass(eq=False)
class _Job:
    key: Hashable
    work: Callable[[], Any]
    urgent: bool
    lanes: set[Hashable] = field(default_factory=set)
    visitors: set[Hashable] = field(default_factory=set)
    future: Future[Any] = field(default_factory=Future)


class Worker:
    """A thread that does one piece of work at a time.

    Work is named by a key. While a key waits or runs, further submissions of it share one result. A lane
    belongs to one visitor: it holds at most ``keep`` waiting jobs. The oldest beyond that are dropped, unless
    somebody else waits for them too. Visitors take turns: the next job is of whoever was served least
    recently, so that one with many questions holds up nobody by more than one of them.
    """

    def __init__(self, name: str = "worker") -> None:
        self._waiting: dict[Hashable, _Job] = {}
        self._running: _Job | None = None
        self._turns: LRUCache[Hashable, int] = LRUCache(VISITORS)  # when each visitor was served last
        self._turn = 0
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def submit(
        self,
        key: Hashable,
        work: Callable[[], Any],
        *,
        visitor: Hashable = None,
        lane: Hashable = None,
        keep: int = 1,
        urgent: bool = True,
    ) -> Future[Any]:
        """The future result of ``work``, in its turn among the work for other visitors.

        Raises:
            EngineClosedError: the worker has been closed.
        """
        with self._changed:
            if self._closed:
                raise EngineClosedError(CLOSED)
            if self._running is not None and self._running.key == key:
                return self._running.future
            if key in self._waiting and self._waiting[key].future.cancelled():
                del self._waiting[key]
            job = self._waiting.setdefault(key, _Job(key, work, urgent))
            job.urgent = job.urgent or urgent
            job.lanes.add(lane)
            job.visitors.add(visitor)
            dropped = self._overflow(lane, keep) if lane is not None else []
            self._changed.notify()
        _refuse(dropped, SupersededError("A newer request took this one's place."))
        return job.future

    @property
    def waiting(self) -> int:
        """How many jobs wait, without the one that runs."""
        return len(self._waiting)

    @property
    def busy(self) -> bool:
        """Whether a job runs."""
        return self._running is not None

    def close(self) -> None:
        """Finish the running job, refuse the waiting ones, end the thread."""
        with self._changed:
            self._closed = True
            dropped = list(self._waiting.values())
            self._waiting.clear()
            self._changed.notify()
        _refuse(dropped, EngineClosedError(CLOSED))
        self._thread.join()

    def _overflow(self, lane: Hashable, keep: int) -> list[_Job]:
        """Jobs that nobody waits for once the lane has only its newest ``keep``; called under the lock."""
        mine = [job for job in self._waiting.values() if lane in job.lanes]
        for job in mine[: max(0, len(mine) - keep)]:
            job.lanes.discard(lane)
        dropped = [job for job in mine if not job.lanes]
        for job in dropped:
            del self._waiting[job.key]
        return dropped

    def _serve(self) -> None:
        while (job := self._take()) is not None:
            _do(job)
            with self._changed:
                self._running = None

    def _take(self) -> _Job | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if not self._waiting:
                return None
            urgent = [job for job in self._waiting.values() if job.urgent]
            job = min(urgent or self._waiting.values(), key=self._served)
            del self._waiting[job.key]
            self._turn += 1
            self._turns.update(dict.fromkeys(job.visitors, self._turn))
            self._running = job
            return job

    def _served(self, job: _Job) -> int:
        """The turn of whoever was served least recently of those who wait for a job; 0 for never."""
        return min(self._turns.get(visitor, 0) for visitor in job.visitors)


def _refuse(jobs: list[_Job], reason: VizError) -> None:
    for job in jobs:
        if job.future.set_running_or_notify_cancel():
            job.future.set_exception(reason)


def _do(job: _Job) -> None:
    """Run the job; whatever it raises goes to those who wait for it, and the thread lives on.

    An exception that would end a thread becomes an error of ours: in a waiting one, a ``SystemExit`` would
    end the server's loop, and a ``StopIteration`` cannot be set on a loop's future, so it would wait forever.
    """
    if not job.future.set_running_or_notify_cancel():
        return
    try:
        job.future.set_result(job.work())
    except BaseException as error:
        log.debug("job %r failed", job.key, exc_info=True)
        job.future.set_exception(_bearable(error))


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
