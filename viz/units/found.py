"""A unit as an engine answers it."""

from dataclasses import dataclass, field

from ..answers.views.units import UnitFacts

_NUMBERS = 600  # bytes of a neighbour's numbers and names


@dataclass(frozen=True)
class UnitResult:
    """Facts of a unit, with their size."""

    facts: UnitFacts = field(repr=False)

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        units = (*self.facts.before.units, *self.facts.after.units)
        pictures = sum(len(each.png) + len(each.kernel) + _NUMBERS for each in units)
        return pictures + (len(self.facts.weights.png) if self.facts.weights else 0)
