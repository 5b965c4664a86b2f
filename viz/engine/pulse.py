"""A question that every engine can answer at once, unless it answers none."""

from collections.abc import Hashable
from dataclasses import dataclass

from .task import Bench, Question, Shelf


@dataclass(frozen=True)
class Pulse(Question[bool]):
    """Test of an engine: whether tasks about a model get their turn. The model itself is not needed."""

    model: str
    weights: str
    shelf: Shelf = ""

    @property
    def key(self) -> Hashable:
        """The same for all who ask at a time, so that they cost one turn together."""
        return ("pulse", self.model, self.weights)

    def work(self, _: Bench) -> bool:
        """See ``Task``."""
        return True
