"""A step of a lesson as a task of an engine: its code runs where models are, on a copy of the net."""

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, field

from ..engine.task import Question
from ..pictures.photo import Photo
from .found import StepFound
from .lesson import Step
from .values import labels_in


@dataclass(frozen=True)
class Run:
    """The part of a step that is run: its code, and the expressions that are read off afterwards.

    Attributes:
        sentences: (label, expression, format) of each value in its sentences.
    """

    code: str
    answer: str = ""
    draw: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    sentences: tuple[tuple[str, str, str], ...] = ()


def run_of(step: Step) -> Run:
    """Return the part of a step that is run."""
    return Run(
        code=step.code,
        answer=step.answer,
        draw=tuple(shown.expression for shown in step.draw),
        maps=tuple(shown.expression for shown in step.maps),
        sentences=tuple(dict.fromkeys(each for text in step.after for each in labels_in(text))),
    )


def claims_of(step: Step) -> Run:
    """Return a run of a step that evaluates its claims, each under its own expression."""
    return Run(
        step.code, answer="True", sentences=tuple((claim, f"bool({claim})", "") for claim in step.holds)
    )


@dataclass(frozen=True)
class StepTask(Question[StepFound]):
    """A step's run on a picture.

    The code is that of a lesson's file, which whoever runs the server has chosen; never a visitor's.
    """

    done_by = "course.work:step_found"
    model: str
    weights: str
    run: Run
    photo: Photo = field(repr=False)

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        code = hashlib.sha256(repr(self.run).encode()).hexdigest()
        return ("step", self.model, self.weights, self.photo.fingerprint, code)
