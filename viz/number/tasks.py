"""The tasks of this room: one number of a view broken down, and the weights behind one channel."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.task import OnePicture
from .found import Breakdown, FilterView, Place


@dataclass(frozen=True)
class BreakdownTask(OnePicture[Breakdown]):
    """The task of breaking down one number of a view: where it comes from, and its arithmetic."""

    done_by = "number.work:breakdown"
    at: Place = (0, 0, 0)
    channel: int | None = None

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("number", self.wanted, self.at, self.channel)


@dataclass(frozen=True)
class FilterTask(OnePicture[FilterView]):
    """The task of showing the weights that make one channel of a view."""

    done_by = "number.work:weights"
    channel: int = 0

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("filter", self.wanted, self.channel)
