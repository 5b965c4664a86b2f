"""The course's computations as tasks of an engine: they wait in its queue, and equal ones run only once."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from ..engine.limits import check_cost
from ..engine.task import Bench, Question
from .course import LESSONS, canvas_png, lines
from .line import Line


@dataclass(frozen=True)
class LessonTask(Question):
    """One part of a lesson with its parameters, as sorted (name, value) pairs."""

    number: int
    part: str
    given: tuple[tuple[str, Any], ...] = ()

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        return ("lesson", self.number, self.part, self.given)

    def work(self, bench: Bench) -> tuple[Line, ...]:
        """See ``viz.engine.task.Task``; ``viz.lessons.course.lines`` says what else is raised.

        Raises:
            TooLargeError: this part takes more memory than a request may.
        """
        check_cost("this part of the lesson", LESSONS[self.number].part(self.part).cost, bench.limits)
        return lines(self.number, self.part, dict(self.given))


@dataclass(frozen=True)
class CanvasTask(Question):
    """Every layer of lesson 1's net on one canvas."""

    net: str

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        return ("lesson canvas", self.net)

    def work(self, _: Bench) -> bytes:
        """See ``viz.engine.task.Task``."""
        return canvas_png(self.net)
