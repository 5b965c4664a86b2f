"""A lesson's step as a task of an engine.

Its code runs where models are, on a copy of the net.
"""

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, field

from ..engine.task import Question
from ..pictures.photo import Photo
from .found import StepResult
from .lesson import Step
from .values import labels_in


@dataclass(frozen=True)
class StepRun:
    """The part of a step that is run, with its expressions.

    The expressions are evaluated after the code.

    Attributes:
        sentences: (label, expression, format) of each value in its sentences.
    """

    code: str
    answer: str = ""
    draw: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    sentences: tuple[tuple[str, str, str], ...] = ()


def run_of(step: Step) -> StepRun:
    """Return the part of a step that is run."""
    return StepRun(
        code=step.code,
        answer=step.answer,
        draw=tuple(shown.expression for shown in step.draw),
        maps=tuple(shown.expression for shown in step.maps),
        sentences=tuple(dict.fromkeys(each for text in step.after for each in labels_in(text))),
    )


def claims_of(step: Step) -> StepRun:
    """Return a run that evaluates a step's claims.

    Each value has its claim's own expression as its label.
    """
    return StepRun(
        step.code, answer="True", sentences=tuple((claim, f"bool({claim})", "") for claim in step.holds)
    )


@dataclass(frozen=True)
class StepTask(Question[StepResult]):
    """A step's run on a picture.

    The code is that of a lesson's file, which whoever runs the server has chosen; never a visitor's.
    """

    done_by = "course.work:step_found"
    model: str
    weights: str
    run: StepRun
    photo: Photo = field(repr=False)

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        code = hashlib.sha256(repr(self.run).encode()).hexdigest()
        return ("step", self.model, self.weights, self.photo.fingerprint, code)
