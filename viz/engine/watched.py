"""An engine of any kind behind one that reports each task's outcome."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

from ..errors import SupersededError, VizError
from .engine_protocol import Engine, ForgetfulEngine, Queue
from .engine_state import EngineState, state_of
from .task import Answer_co, Task

Outcome = Literal["answered", "refused", "superseded", "failed", "left"]


@dataclass(frozen=True)
class TaskOutcome:
    """Outcome of a task.

    Attributes:
        task: its kind, the name of its class.
        outcome: ``"refused"`` with a sentence of ours, ``"superseded"`` by the same visitor's newer task,
            ``"failed"`` by a bug, ``"left"`` because nobody waited for it any longer.
        seconds: from asking to that.
        urgent: whether somebody looked at the place where the answer goes; otherwise it was a prefetch.
    """

    task: str
    outcome: Outcome
    seconds: float
    urgent: bool


class WatchedEngine:
    """Passes tasks on to an engine, and reports the outcome of each.

    Args:
        engine: of any kind.
        told: called in the thread that ends a task, so it must be quick.
    """

    def __init__(self, engine: Engine, told: Callable[[TaskOutcome], object]) -> None:
        self.engine, self._told = engine, told

    def do(self, task: Task[Answer_co], *, visitor: str, urgent: bool = True) -> "Future[Answer_co]":
        """See ``Engine``."""
        began, kind = monotonic(), type(task).__name__

        def tell(outcome: Outcome) -> None:
            self._told(TaskOutcome(kind, outcome, monotonic() - began, urgent))

        try:
            answer = self.engine.do(task, visitor=visitor, urgent=urgent)
        except Exception as error:
            tell(_outcome(error))
            raise
        answer.add_done_callback(lambda done: tell(_ended(done)))
        return answer

    def state(self) -> EngineState:
        """Return the engine's state."""
        return state_of(self.engine)

    def ahead(self, visitor: str) -> int | None:
        """See ``Queue``; None if the engine does not know who waits."""
        return self.engine.ahead(visitor) if isinstance(self.engine, Queue) else None

    def forget(self, model: str) -> None:
        """Drop a model, if the engine can."""
        if isinstance(self.engine, ForgetfulEngine):
            self.engine.forget(model)

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()


def _ended(done: "Future[Any]") -> Outcome:
    if done.cancelled():
        return "left"
    error = done.exception()
    return _outcome(error) if error else "answered"


def _outcome(error: BaseException) -> Outcome:
    if isinstance(error, SupersededError):
        return "superseded"
    return "refused" if isinstance(error, VizError) else "failed"
