"""Tasks about the hooks of a pass: its timeline and memory pictures."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.task import OnePicture
from ..profile.event import Event
from .memory_pictures import MemoryPictures


@dataclass(frozen=True)
class TimelineTask(OnePicture[tuple[Event, ...]]):
    """Every hook of one pass in firing order.

    With a class, also those of the backward pass from its score.
    """

    done_by = "views.work.hook_tasks:timeline_of"

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``: the layer does not matter."""
        return ("timeline", *self.wanted.run, self.wanted.gradient)


@dataclass(frozen=True)
class WrittenTask(OnePicture[tuple[str, ...]]):
    """The layers of a model whose memory later operations write into."""

    done_by = "views.work.hook_tasks:written"

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``: the layer does not matter."""
        return ("written", *self.wanted.forward.run)


@dataclass(frozen=True)
class MemoryTask(OnePicture[MemoryPictures]):
    """Pictures of one call's value after its hook."""

    done_by = "views.work.hook_tasks:memory"

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        return ("memory", *self.wanted.forward.run, self.wanted.layer, self.wanted.call, self.wanted.colormap)
