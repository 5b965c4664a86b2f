"""The task of reading a small block of one map."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.task import OnePicture
from .found import ReadingResult


@dataclass(frozen=True)
class ReadingTask(OnePicture[ReadingResult]):
    """The task of taking a small block of one map apart.

    Attributes:
        channel: the map.
        at: (row, column) on the map, around which the block lies; None for its strongest number.
        source: the channel of the input to show; None for the one that counts most there.
    """

    done_by = "readings.work:reading"
    channel: int = 0
    at: tuple[int, int] | None = None
    source: int | None = None

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("reading", self.wanted, self.channel, self.at, self.source)
