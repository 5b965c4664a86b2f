"""One host at a time, what it has been asked and has not answered, and how long it has worked on that."""

import time
from collections.abc import Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from ...errors import CaptureError, TooLargeError, VizError
from ...profile.cost import megabytes
from ..place import Waiting
from ..task import Task
from .hosts import Host
from .messages import DO, LEAVE
from .patience import Patience


@dataclass(eq=False)
class Asked:
    """A task that has not been answered.

    Attributes:
        suspect: whether a host has ended while this was one of two tasks that it worked on.
        seconds: that hosts have worked on it so far.
    """

    task: Task[Any]
    visitor: str
    urgent: bool
    future: Future[Any] = field(default_factory=Future)
    suspect: bool = False
    seconds: float = 0.0

    @property
    def waits(self) -> bool:
        """Whether somebody still waits for it."""
        return not self.future.done()

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
    """

    def __init__(self) -> None:
        self.host: Host | None = None
        self.left = False
        self.used = time.monotonic()
        self.asked: dict[int, Asked] = {}
        self._running: dict[Hashable, _Running] = {}

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
        self.asked = {number: asked for number, asked in self.asked.items() if asked.waits}
        for number, asked in self.asked.items():
            self._tell(host, number, asked)

    def leave(self, number: int) -> None:
        """Have the host drop a task that nobody waits for any more."""
        if self.host is not None:
            self.host.tell(LEAVE, number)
        else:
            self.asked.pop(number, None)

    def drop(self, number: int) -> None:
        """Forget a task that the host has dropped; if it is still at it, only once that ends or costs it."""
        asked = self.asked.get(number)
        if asked is not None and asked.task.key not in self._running:
            del self.asked[number]

    @property
    def queue(self) -> list[Waiting]:
        """Those who wait, in the order in which they came."""
        return [
            Waiting(asked.visitor, asked.urgent and not asked.task.behind)
            for asked in self.asked.values()
            if asked.waits
        ]

    def note(self, event: Literal["begun", "ended", "loading", "loaded"], key: Hashable) -> Sequence[Asked]:
        """Note what the host works on; once it has ended something: who waits for it."""
        now = time.monotonic()
        if event == "begun":
            self._running[key] = _Running(now)
        elif event == "ended":
            self._running.pop(key, None)
            return self._ended(key)
        else:  # a model is being loaded, or has been, for whatever began last
            for running in self._running.values():
                running.since, running.loading = now, event == "loading"
        return ()

    def _ended(self, key: Hashable) -> list[Asked]:
        """Those who waited for this key; what nobody waits for any more is forgotten."""
        mine = {number: asked for number, asked in self.asked.items() if asked.task.key == key}
        for number, asked in mine.items():
            if not asked.waits:
                del self.asked[number]
        return list(mine.values())

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


def too_large(taken: int, most: int) -> TooLargeError:
    """What is said of a host that takes so many bytes."""
    return TooLargeError(
        "This took {taken} MB of memory, more than the {most} MB that models may; choose a smaller "
        "layer or model.",
        taken=megabytes(taken),
        most=megabytes(most),
    )
