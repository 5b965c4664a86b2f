"""The task of this room: find the facts of one unit."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.task import OnePicture
from .found import UnitResult


@dataclass(frozen=True)
class UnitTask(OnePicture[UnitResult]):
    """The task of finding the feeders and readers of one channel."""

    done_by = "units.work:unit"
    channel: int = 0

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("unit", self.wanted, self.channel)
