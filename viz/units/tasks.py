"""The task of this room: what is to be said of one unit."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.task import OnePicture
from .found import Found


@dataclass(frozen=True)
class UnitTask(OnePicture[Found]):
    """The task of finding out what feeds one channel of the request's layer, and what reads it."""

    done_by = "units.work:unit"
    channel: int = 0

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("unit", self.wanted, self.channel)
