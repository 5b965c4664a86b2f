"""One host at a time, what it has been asked and has not answered, and how long it has worked on that."""

import time
from collections.abc import Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from ...errors import CaptureError, TooLargeError, VizError
from ...profile.cost import megabytes
from ..engine_state import CacheState
from ..task import Task
from .hosts import Host
from .messages import COUNT, DO
from .patience import Patience

Place = tuple[str, str]
"""(model id, weights): what a task is about; both are empty if it is about none."""


@dataclass(eq=False)
class Asked:
    """A task that has not been answered.

    Attributes:
        suspect: whether a host has ended while this was one of two tasks that it worked on.
    """

    task: Task[Any]
    visitor: str
    urgent: bool
    future: Future[Any] = field(default_factory=Future)
    suspect: bool = False

    def succeed(self, answer: Any) -> None:
        """Give the answer to whoever waits for it."""
        if self.future.set_running_or_notify_cancel():
            self.future.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Give the error to whoever waits for an answer."""
        if self.future.set_running_or_notify_cancel():
            self.future.set_exception(error)


@dataclass
class _Running:
    """A key that the host works on, since when, and whether it is loading the model for it."""

    since: float
    loading: bool = False


class Station:
    """Where the tasks about some models go. Every method is called under the engine's lock.

    Attributes:
        host: the process that works here; None until there is one.
        left: whether that process has hung up.
        used: when it was asked last, by ``time.monotonic``.
        caches: what the host keeps, as it said when it was ``counted`` last: the number of that question.
    """

    def __init__(self) -> None:
        self.host: Host | None = None
        self.left = False
        self.used = time.monotonic()
        self.asked: dict[int, Asked] = {}
        self._running: dict[Hashable, _Running] = {}
        self.caches: tuple[CacheState, ...] = ()
        self.counted = 0

    @property
    def running(self) -> int:
        """How many tasks the host works on."""
        return len(self._running)

    def ask(self, number: int, asked: Asked) -> None:
        """Have a task answered, now or as soon as there is a host."""
        self.used = time.monotonic()
        self.asked[number] = asked
        if self.host is not None:
            self._tell(self.host, number, asked)

    def begin(self, host: Host) -> None:
        """Ask a new host everything that has not been answered."""
        self.host, self.left = host, False
        self._running.clear()
        self.caches = ()
        for number, asked in self.asked.items():
            self._tell(host, number, asked)

    def count(self, number: int) -> None:
        """Have the host say what it keeps."""
        if self.host is not None:
            self.host.tell(COUNT, number)

    def note(self, event: Literal["begun", "ended", "loading", "loaded"], key: Hashable) -> None:
        """Note what the host works on."""
        now = time.monotonic()
        if event == "begun":
            self._running[key] = _Running(now)
        elif event == "ended":
            self._running.pop(key, None)
        else:  # a model is being loaded, or has been, for whatever began last
            for running in self._running.values():
                running.since, running.loading = now, event == "loading"

    def overdue(self, patience: Patience) -> VizError | None:
        """Why the host has to be ended because of its time, if it has to be."""
        now = time.monotonic()
        late = [
            key
            for key, each in self._running.items()
            if now - each.since > (patience.loading if each.loading else patience.answering)
        ]
        if not late:
            return None
        for key in set(self._running) - set(late):
            del self._running[key]  # not the one to blame
        return CaptureError(
            "This took longer than the {seconds} seconds that one request may; choose a smaller layer or "
            "model.",
            seconds=round(patience.answering),
        )

    def give_up(self) -> list[Asked]:
        """Be without a host, and forget the tasks that are blamed for its end; these are returned."""
        self.host = None
        blamed = [number for number, each in self.asked.items() if each.task.key in self._running]
        if len(self._running) > 1:  # one of two did it: the first time, both get another chance
            blamed = [number for number in blamed if self._suspected(self.asked[number])]
        self._running.clear()
        return [self.asked.pop(number) for number in blamed]

    def _suspected(self, asked: Asked) -> bool:
        before, asked.suspect = asked.suspect, True
        return before

    def _tell(self, host: Host, number: int, asked: Asked) -> None:
        host.tell(DO, number, asked.task, asked.visitor, asked.urgent)


def place_of(task: Task[Any]) -> Place:
    """The model that a task is about, and its weights."""
    if task.pictures:
        wanted = task.pictures[0][0]
        return wanted.model, wanted.weights
    return str(getattr(task, "model", "")), str(getattr(task, "weights", ""))


def too_large(taken: int, most: int) -> TooLargeError:
    """What is said of a host that takes so many bytes."""
    return TooLargeError(
        "This took {taken} MB of memory, more than the {most} MB that models may; choose a smaller "
        "layer or model.",
        taken=megabytes(taken),
        most=megabytes(most),
    )
