"""A reading as an engine answers it."""

from dataclasses import dataclass, field

from ..answers.number import Reading, UnexplainedReading

_NUMBER = 36  # bytes of a Python number and of its place in a tuple


@dataclass(frozen=True)
class ReadingResult:
    """A reading, or why there is none."""

    facts: Reading | UnexplainedReading = field(repr=False)

    @property
    def bytes(self) -> int:
        """About how much memory its numbers take."""
        facts = self.facts
        if isinstance(facts, UnexplainedReading):
            return _NUMBER
        numbers = sum(len(kernel) for kernel in facts.kernels) + 2 * len(facts.channels.channel)
        numbers += 2 * len(facts.region.values) if facts.region else 0
        numbers += 2 * len(facts.curve.x) if facts.curve else 0
        numbers += sum(len(each.before.counts) + len(each.after.counts) for each in facts.spreads)
        for cell in facts.cells:
            numbers += 16 + 4 * len(cell.terms.place) + len(cell.numbers)
            numbers += 3 * len(cell.keys.scores) if cell.keys else 0
        return _NUMBER * numbers
