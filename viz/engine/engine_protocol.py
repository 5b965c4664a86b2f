"""What the page needs of an engine, in this process or in another one."""

from concurrent.futures import Future
from typing import Protocol

from .task import Answer_co, Task


class Engine(Protocol):
    """Whoever carries out tasks; it knows no question by name."""

    def do(self, task: Task[Answer_co], *, visitor: str, urgent: bool = True) -> "Future[Answer_co]":
        """What comes of a task, in plain values; ``viz.views`` and ``viz.number`` have the questions.

        A task that is not ``urgent`` is a prefetch: it waits for whatever anybody looks at.
        """
