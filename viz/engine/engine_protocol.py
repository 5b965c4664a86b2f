"""Interface of an engine for the page, in any process."""

import logging
import os
import re
from collections.abc import Collection, Mapping
from concurrent.futures import Future
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from ..errors import RequestError
from ..system.processes import COPIES, can_copy_libraries

if TYPE_CHECKING:  # what asks only which engine there will be need not wait for what tasks import
    from .task import Answer_co, Task

CHOICE = "LAYERGLASS_ENGINE"  # the setting that chooses where models run
USUAL = "process" if can_copy_libraries() else "local"
_THERE = re.compile(r"local|process|ray(://[\w.:\[\]-]+)?", re.ASCII)
log = logging.getLogger(__name__)


def check_choice(engine: str) -> None:
    """Refuse the name of an engine that does not exist.

    Raises:
        RequestError: there is no such engine.
    """
    if not _THERE.fullmatch(engine):
        raise RequestError(
            "there is no engine {engine}: choose local, process, ray or ray://HOST:PORT", engine=repr(engine)
        )


def chosen(environment: Mapping[str, str] = os.environ) -> str:
    """Return the kind of engine: ``process``, ``local`` or ``ray``.

    A cluster's address is left out. It is ``local`` where no process can copy itself, too; the log says so
    once.

    Raises:
        RequestError: there is no such engine.
    """
    engine = environment.get(CHOICE) or USUAL
    check_choice(engine)
    choice, _, _ = engine.partition("://")
    if choice == "process" and not COPIES:
        _warn()
        return "local"
    return choice


@cache
def _warn() -> None:
    log.warning("models run in the page's own process: no process can copy itself on this system")


class Engine(Protocol):
    """Carries out tasks, and knows none of them by name."""

    def do(self, task: "Task[Answer_co]", *, visitor: str, urgent: bool = True) -> "Future[Answer_co]":
        """Return the future answer of a task, in plain values.

        The tasks are in ``viz.views`` and ``viz.number``. A task that is not ``urgent`` is a prefetch: it
        waits until nobody waits for an urgent one. Whoever cancels the future has left: work that nobody
        waits for any more is dropped, between two slices too.
        """

    def close(self) -> None:
        """Refuse unanswered tasks, and end the engine's workers."""


@runtime_checkable
class Queue(Protocol):
    """An engine that knows who waits."""

    def ahead(self, visitor: str) -> int | None:
        """Return the number of other visitors before this one.

        None if this one does not wait.
        """


@runtime_checkable
class ForgetfulEngine(Protocol):
    """An engine that can drop a model before its memory is needed."""

    def forget(self, model: str) -> None:
        """Drop a model with all its weights.

        It is loaded again if a task needs it.
        """


class LeasedGroup(NamedTuple):
    """A group of things that several pages keep together.

    Attributes:
        group: its name.
        version: another one after each change.
        silent: seconds since its page has renewed its lease.
        places: where its things lie, by name; empty if the version was known.
    """

    group: str
    version: int
    silent: float
    places: Mapping[str, Any]


class SharedStore(Protocol):
    """Store that several processes of the page share.

    It lies outside of them all, and has bytes by group and name. A group is there until its lease is over or
    it is ended. Every method may raise a ``BusyError``.
    """

    def keep(self, group: str, name: str, data: bytes, seconds: float | None = None) -> bool:
        """Keep a thing; return whether there is room for it.

        The group begins with it, or its lease is renewed, for so many ``seconds``; without them the group
        must be there.
        """

    def find(self, name: str, known: int = 0) -> LeasedGroup | None:
        """Return the group that has a thing of this name.

        None if no group has it; its places are left out if its version is ``known``.
        """

    def read(self, place: Any) -> bytes:
        """The thing that lies there."""

    def renew(self, groups: Collection[str], seconds: float) -> list[str]:
        """Renew leases for so many seconds, and return the missing groups."""

    def drop(self, group: str, names: Collection[str]) -> None:
        """Drop things of a group."""

    def end(self, groups: Collection[str]) -> None:
        """Drop groups, with all that is in them."""


@runtime_checkable
class SharedEngine(Protocol):
    """An engine that several processes of the page share."""

    def keeping(self, name: str) -> SharedStore:
        """Return the things that all who give the same name keep together."""
