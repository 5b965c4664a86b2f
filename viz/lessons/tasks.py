"""The course's computations as tasks of an engine.

They wait in its queue, and equal ones run only once.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from ..engine.task import Question
from .line import Line


@dataclass(frozen=True)
class LessonTask(Question[tuple[Line, ...]]):
    """One part of a lesson with its parameters.

    ``given`` are its (name, value) pairs, sorted.
    """

    done_by = "lessons.work:lesson_lines"
    number: int
    part: str
    given: tuple[tuple[str, Any], ...] = ()

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        return ("lesson", self.number, self.part, self.given)


@dataclass(frozen=True)
class CanvasTask(Question[bytes]):
    """Every layer of lesson 1's net on one canvas."""

    done_by = "lessons.work:canvas"
    net: str

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        return ("lesson canvas", self.net)
