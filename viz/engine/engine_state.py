"""State of an engine at one moment, in plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class CacheState:
    """One cache of one process.

    Sizes are in bytes; ``hits`` and ``misses`` count since the process began. ``shares`` says that the limit
    is one for all caches of the process that say so.
    """

    cache: str
    bytes: int
    limit: int
    hits: int
    misses: int
    shares: bool = False


@dataclass(frozen=True)
class ProcessState:
    """One process that runs models.

    Attributes:
        memory: bytes that it has for itself; 0 if that is not known, or counted with the page's.
    """

    name: str
    memory: int = 0
    caches: tuple[CacheState, ...] = ()


@dataclass(frozen=True)
class EngineState:
    """State of an engine now, and its counts since it began.

    Attributes:
        waiting: tasks that wait for their turn.
        running: tasks that are being worked on.
        memory_limit: bytes that all processes may take together; None if nobody said.
        restarts: processes that were replaced, because they crashed, hung or grew.
        put_aside: models that are refused from now on, each with the reason.
    """

    waiting: int = 0
    running: int = 0
    processes: tuple[ProcessState, ...] = ()
    memory_limit: int | None = None
    restarts: int = 0
    put_aside: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class ReportingEngine(Protocol):
    """An engine that reports its state.

    A new kind of engine works without it.
    """

    def state(self) -> EngineState:
        """Return the present state; takes a fraction of a second at most."""


def state_of(engine: object) -> EngineState:
    """Return an engine's state; all zeros from one that reports none."""
    return engine.state() if isinstance(engine, ReportingEngine) else EngineState()
