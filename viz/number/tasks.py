"""The tasks of this room: one number's breakdown, and a channel's weights."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.task import OnePicture
from .found import Breakdown, FilterView, Place


@dataclass(frozen=True)
class BreakdownTask(OnePicture[Breakdown]):
    """Task of breaking down one number: its origin and its arithmetic."""

    done_by = "number.work:breakdown"
    at: Place = (0, 0, 0)
    channel: int | None = None

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("number", self.wanted, self.at, self.channel)


@dataclass(frozen=True)
class FilterTask(OnePicture[FilterView]):
    """Task of showing the weights that make one channel."""

    done_by = "number.work:weights"
    channel: int = 0

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("filter", self.wanted, self.channel)
