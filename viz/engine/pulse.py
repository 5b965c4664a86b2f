"""Question that any working engine answers at once."""

from collections.abc import Hashable
from dataclasses import dataclass

from .task import Bench, Question, Shelf


@dataclass(frozen=True)
class Pulse(Question[bool]):
    """Test of an engine: whether tasks about a model get their turn.

    The model itself is not needed.
    """

    model: str
    weights: str
    shelf: Shelf = ""

    @property
    def key(self) -> Hashable:
        """One key for all visitors, so that they share a turn."""
        return ("pulse", self.model, self.weights)

    def work(self, _: Bench) -> bool:
        """See ``Task``."""
        return True
