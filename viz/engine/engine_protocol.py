"""What the page needs from an engine, in this process or in another one."""

from concurrent.futures import Future
from typing import Protocol, runtime_checkable

from .task import Answer_co, Task

CHOICE = "LAYERGLASS_ENGINE"  # the setting that chooses where models run


class Engine(Protocol):
    """Carries out tasks, and knows none of them by name."""

    def do(self, task: Task[Answer_co], *, visitor: str, urgent: bool = True) -> "Future[Answer_co]":
        """The future answer of a task, in plain values; the tasks are in ``viz.views`` and ``viz.number``.

        A task that is not ``urgent`` is a prefetch: it waits until nobody waits for an urgent one. Whoever
        cancels the future has left: work that nobody waits for any more is dropped, between two slices too.
        """

    def close(self) -> None:
        """Refuse what has not been answered, and end what works for it."""


@runtime_checkable
class Queue(Protocol):
    """An engine that knows who waits."""

    def ahead(self, visitor: str) -> int | None:
        """How many other visitors go before one who waits; None for one who does not wait."""
