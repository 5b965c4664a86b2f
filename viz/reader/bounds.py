"""Limits of reading one file."""

from dataclasses import dataclass
from typing import Self

WEIGHTS_SECONDS, WEIGHTS_MEMORY = 20, 500_000_000  # plus three times the file: reading copies it
UNPACKED = 128_000_000  # bytes of weights from a folder in a ZIP, beyond twice its own size


@dataclass(frozen=True)
class Bounds:
    """Limits of one file while it is read.

    Attributes:
        seconds: of processor time; three times as long by the clock, in case the machine is busy.
        memory: bytes beyond what the process has at its start.
        answer: bytes of the longest answer that is accepted.
    """

    seconds: int
    memory: int
    answer: int = 1 << 28

    @property
    def patience(self) -> float:
        """The seconds by the clock after which the process is ended."""
        return 3.0 * self.seconds

    @classmethod
    def of_weights(cls, size: int) -> Self:
        """Return the limits of a file of weights of so many bytes."""
        return cls(WEIGHTS_SECONDS, WEIGHTS_MEMORY + 3 * size, 2 * size + UNPACKED)
