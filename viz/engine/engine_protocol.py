"""What the page needs from an engine, in this process or in another one."""

import os
import sys
from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:  # what asks only which engine there will be need not wait for what tasks import
    from .task import Answer_co, Task

CHOICE = "LAYERGLASS_ENGINE"  # the setting that chooses where models run
USUAL = "process" if sys.platform == "linux" else "local"  # copies of processes are safe on Linux only


def chosen(environment: Mapping[str, str] = os.environ) -> str:
    """Where models are to run: ``process``, ``local`` or ``ray``; a cluster's address is left out."""
    choice, _, _ = environment.get(CHOICE, USUAL).partition("://")
    return choice if choice in ("process", "ray") else "local"


class Engine(Protocol):
    """Carries out tasks, and knows none of them by name."""

    def do(self, task: "Task[Answer_co]", *, visitor: str, urgent: bool = True) -> "Future[Answer_co]":
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
