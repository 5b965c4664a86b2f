"""One host at a time, and its unanswered tasks."""

import time
from collections.abc import Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from ...errors import CaptureError, TooLargeError, VizError
from ...profile.cost import megabytes
from ..engine_state import CacheState
from ..place import WaitingVisitor
from ..task import Task
from .hosts import Host
from .messages import COUNT, DO, LEAVE, LIMIT
from .patience import Patience

MOST_ENDS = 5  # hosts that may end while a task waits: it may be what ends them before they can say so
MOST_STARTS = 3  # hosts that could not be made before those who wait are told
START_AGAIN = 1.0  # seconds


@dataclass(eq=False)
class PendingTask:
    """A task that has not been answered.

    Attributes:
        suspect: whether a host has ended while it worked on this, and another one may be to blame.
        ends: how many hosts have ended while this waited.
        seconds: that hosts have worked on it so far.
    """

    task: Task[Any]
    visitor: str
    urgent: bool
    future: Future[Any] = field(default_factory=Future)
    suspect: bool = False
    seconds: float = 0.0
    ends: int = 0

    @property
    def waits(self) -> bool:
        """True if somebody still waits for it."""
        return not self.future.done()

    def succeed(self, answer: Any) -> None:
        """Give the answer to the one who waits for it."""
        if self.future.set_running_or_notify_cancel():
            self.future.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Give the error to the one who waits for an answer."""
        if self.future.set_running_or_notify_cancel():
            self.future.set_exception(error)


@dataclass
class _HostWork:
    """Work of a host on a key, or loading of its model."""

    since: float
    loading: bool = False


class Station:
    """Tasks about some models, and the host that answers them.

    Every method is called under the engine's lock.

    Attributes:
        host: the process that works here; None until there is one.
        left: whether that process has hung up.
        rests: whether it needs no host before it is asked something.
        used: when it was asked last, by ``time.monotonic``.
        goes_on: tasks whose work went on in the host after their last answer, by their keys.
        caches: those of the host, as it said when it was ``counted`` last: the number of that question.
    """

    def __init__(self) -> None:
        self.host: Host | None = None
        self.left = self.rests = False
        self.used = time.monotonic()
        self.asked: dict[int, PendingTask] = {}
        self.goes_on: dict[Hashable, Task[Any]] = {}
        self.starts_at = 0.0
        self._failed_starts = 0
        self._heard = time.monotonic()
        self._running: dict[Hashable, _HostWork] = {}
        self.caches: tuple[CacheState, ...] = ()
        self.counted = 0

    @property
    def running(self) -> int:
        """Number of tasks that the host works on."""
        return len(self._running)

    def ask(self, number: int, asked: PendingTask) -> None:
        """Hand a task to the host, now or once there is one."""
        self.used, self.rests = time.monotonic(), False
        if not self.asked:
            self._heard = self.used
        self.asked[number] = asked
        if self.host is not None:
            self._tell(self.host, number, asked)

    def begin(self, host: Host) -> None:
        """Ask a new host everything that has not been answered."""
        self.host, self.left = host, False
        self._heard, self._failed_starts = time.monotonic(), 0
        self._running.clear()
        self.goes_on.clear()
        self.caches = ()
        self.asked = {number: asked for number, asked in self.asked.items() if asked.waits}
        for number, asked in self.asked.items():
            self._tell(host, number, asked)

    def rest(self) -> None:
        """Be without a host until somebody asks something."""
        self.host, self.rests, self.caches = None, True, ()

    @property
    def lacks_host(self) -> bool:
        """True if a host is to be begun now."""
        return self.host is None and not self.rests and self.starts_at <= time.monotonic()

    def not_begun(self) -> list[PendingTask]:
        """Note that no host could be made; return tasks to be refused.

        Once several starts have failed, these are all tasks, and they are forgotten.
        """
        self._failed_starts += 1
        self.starts_at = time.monotonic() + START_AGAIN
        if self._failed_starts < MOST_STARTS:
            return []
        waiting = list(self.asked.values())
        self.asked.clear()
        return waiting

    def take(self, number: int, answer: Any = None) -> PendingTask | None:
        """Return a task that the host answered, and forget it.

        None if nobody waits for it any more. The answer is None if the task failed.
        """
        self._heard = time.monotonic()
        asked = self.asked.pop(number, None)
        if asked is not None:
            self.goes_on.pop(asked.task.key, None)
            if answer is not None and asked.task.goes_on(answer):
                self.goes_on[asked.task.key] = asked.task
        return asked

    def leave(self, number: int) -> None:
        """Have the host drop a task that nobody waits for any more."""
        if self.host is not None:
            self.host.tell(LEAVE, number)
        else:
            self.asked.pop(number, None)

    def drop(self, number: int) -> None:
        """Forget a task that the host has dropped and does not run."""
        asked = self.asked.get(number)
        if asked is not None and asked.task.key not in self._running:
            del self.asked[number]

    @property
    def queue(self) -> list[WaitingVisitor]:
        """Visitors who wait, in the order in which they came."""
        return [
            WaitingVisitor(asked.visitor, asked.urgent and not asked.task.behind)
            for asked in self.asked.values()
            if asked.waits
        ]

    def count(self, number: int) -> None:
        """Have the host count its caches."""
        if self.host is not None:
            self.host.tell(COUNT, number)

    def limit(self, kept: int) -> None:
        """Have the host keep at most so many bytes, models not counted."""
        if self.host is not None:
            self.host.tell(LIMIT, kept)

    def note(
        self, event: Literal["begun", "ended", "loading", "loaded"], key: Hashable
    ) -> Sequence[PendingTask]:
        """Note an event of the host's work; return the tasks to charge."""
        now = self._heard = time.monotonic()
        if event == "begun":
            self._running[key] = _HostWork(now)
        elif event == "ended":
            self._running.pop(key, None)
            return self._ended(key)
        else:  # a model is being loaded, or has been, for whatever began last
            for running in self._running.values():
                running.since, running.loading = now, event == "loading"
        return ()

    def _ended(self, key: Hashable) -> list[PendingTask]:
        """Return the tasks for this key, and forget those without a waiter."""
        mine = {number: asked for number, asked in self.asked.items() if asked.task.key == key}
        for number, asked in mine.items():
            if not asked.waits:
                del self.asked[number]
        return list(mine.values())

    def overdue(self, patience: Patience) -> VizError | None:
        """Return the error for a host whose time is over, or None."""
        now = time.monotonic()
        late = [
            key
            for key, each in self._running.items()
            if now - each.since > (patience.loading if each.loading else patience.answering)
        ]
        if not late:
            return self._silent(now, patience)
        for key in set(self._running) - set(late):
            del self._running[key]  # not the one to blame
        return CaptureError(
            "This took longer than the {seconds} seconds that one request may; choose a smaller layer or "
            "model.",
            seconds=round(patience.answering),
        )

    def give_up(self, *, sure: bool = True) -> tuple[list[PendingTask], list[PendingTask]]:
        """Forget the host, and the tasks that fail with it.

        These are the tasks that are blamed for its end, and those that saw too many. Both are returned. The
        first time, a task gets another chance if it may not have been what ended the host: if that worked on
        two, or if it is not ``sure`` that its work ended it.
        """
        self.host = None
        running = [number for number, each in self.asked.items() if each.task.key in self._running]
        if sure and len(self._running) == 1:
            blamed = running
        else:
            blamed = [number for number in running if self._suspected(self.asked[number])]
        self._running.clear()
        guilty = [self.asked.pop(number) for number in blamed]
        for each in self.asked.values():
            each.ends += 1
        tired = [number for number, each in self.asked.items() if each.ends >= MOST_ENDS]
        return guilty, [self.asked.pop(number) for number in tired]

    def _silent(self, now: float, patience: Patience) -> VizError | None:
        """Return the error of a host that neither works nor answers."""
        if not self.asked or self._running or now - self._heard <= patience.silent:
            return None
        return CaptureError("The process of this model does not answer; try again.")

    def _suspected(self, asked: PendingTask) -> bool:
        before, asked.suspect = asked.suspect, True
        return before

    def _tell(self, host: Host, number: int, asked: PendingTask) -> None:
        host.tell(DO, number, asked.task, asked.visitor, asked.urgent)


def too_large(taken: int, most: int) -> TooLargeError:
    """Return the error of a host that takes so many bytes."""
    return TooLargeError(
        "This took {taken} MB of memory, more than the {most} MB that models may; choose a smaller "
        "layer or model.",
        taken=megabytes(taken),
        most=megabytes(most),
    )
