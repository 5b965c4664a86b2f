"""Limits of reading one file."""

from dataclasses import dataclass


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
