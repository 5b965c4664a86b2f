"""What an engine can be asked beside its own questions: a task is a value, and lives in a file of its own."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol

from viz.engine.limits import Limits
from viz.passes.forward import LayerValues
from viz.passes.loaded import Loaded
from viz.pictures.subject import Photo
from viz.request.inspection import Inspection


@dataclass(frozen=True)
class Bench:
    """What an engine lends to a task while it works on it.

    Attributes:
        loaded: (model id, weights) → the model with its hooks.
        captured: (request, picture, whole=...) → one layer's values, from a pass if they are not kept;
            ``whole`` records every layer in that pass where it is cheap.
        kept: a request → one layer's values if they are kept, or None.
        remembered: (key, work) → the answer that is kept under the key, or what the work makes now.
        limits: how much one request may take.
    """

    loaded: Callable[[str, str], Loaded]
    captured: Callable[..., LayerValues]
    kept: Callable[[Inspection], LayerValues | None]
    remembered: Callable[[Hashable, Callable[[], Any]], Any]
    limits: Limits


class Task(Protocol):
    """One question to an engine. Equal keys mean equal answers, which may be kept."""

    @property
    def key(self) -> Hashable:
        """What the answer is kept under."""

    @property
    def pictures(self) -> tuple[tuple[Inspection, Photo], ...]:
        """Every request of the task, with the picture that it is about."""

    def ready(self, bench: Bench) -> bool:
        """Whether no model has to run for the answer; then it does not wait behind anybody's pass."""

    def work(self, bench: Bench) -> Any:
        """The answer, in plain values."""


@dataclass(frozen=True)
class OnePicture:
    """What tasks about one request have in common; a model has to run for each."""

    wanted: Inspection
    photo: Photo = field(repr=False)

    @property
    def pictures(self) -> tuple[tuple[Inspection, Photo], ...]:
        """See ``Task``."""
        return ((self.wanted, self.photo),)

    def ready(self, _: Bench) -> bool:
        """See ``Task``."""
        return False
