"""What the page needs from an engine, in this process or in another one."""

from concurrent.futures import Future
from typing import Protocol

from .task import Answer_co, Task

CHOICE = "LAYERGLASS_ENGINE"  # the setting that chooses where models run


class Engine(Protocol):
    """Carries out tasks, and knows none of them by name."""

    def do(self, task: Task[Answer_co], *, visitor: str, urgent: bool = True) -> "Future[Answer_co]":
        """The future answer of a task, in plain values; the tasks are in ``viz.views`` and ``viz.number``.

        A task that is not ``urgent`` is a prefetch: it waits until nobody waits for an urgent one.
        """

    def close(self) -> None:
        """Refuse what has not been answered, and end what the engine has begun."""
