"""The numbers of a reading, each with its terms and shared parts."""

from collections.abc import Hashable
from dataclasses import dataclass, field

from ..answers.number import ChannelSums, Keys, NamedNumber, ReadCell, Rest, Spread
from ..findings.explanation import Explanation
from ..number.breakdown_facts import channel_sums, json_number, term_facts
from ..number.taken import LayerCall
from .spreads import normalised_with, same, spread
from .windows import Windows

_TERMS = 8  # products that are shown one by one
_CHANNELS = 64  # channels of the input that can be chosen

Cell = tuple[int, ...]


@dataclass
class Cells:
    """The numbers of a block, as they are met.

    Attributes:
        windows: theirs, if the layer has windows that can be drawn.
        spreads: of the numbers that are normalised together, each once.
    """

    taken: LayerCall
    windows: Windows | None
    spreads: list[Spread] = field(default_factory=list)
    known: dict[Hashable, int | None] = field(default_factory=dict)

    def add(self, place: tuple[int, int], index: Cell, found: Explanation, keys: Keys | None) -> ReadCell:
        """Return one number; ``place`` is its row and column on the map."""
        shown, left = found.terms[:_TERMS], found.terms[_TERMS:]
        count, rest = found.others
        return ReadCell(
            y=place[0],
            x=place[1],
            index=index,
            value=json_number(found.value),
            total=json_number(found.total),
            tolerance=json_number(found.tolerance),
            agrees=found.agrees,
            text=found.text,
            numbers=tuple(NamedNumber(name, json_number(value)) for name, value in found.numbers),
            terms=term_facts(shown),
            rest=Rest(count + len(left), json_number(rest + sum(term.product for term in left))),
            window=self.windows.add(found) if self.windows else None,
            spread=self._spread(index) if found.kind == "normalisation" else None,
            keys=keys,
        )

    def _spread(self, index: Cell) -> int | None:
        """Return a cell's spread, by index; cells normalised together share one."""
        key = same(normalised_with(self.taken.layer, index))
        if key not in self.known:
            found = spread(self.taken, index)
            self.known[key] = len(self.spreads) if found else None
            self.spreads += [found] if found else []
        return self.known[key]


def largest_channels(found: Explanation) -> ChannelSums:
    """Return the channels of the input that give most to a number."""
    sums = channel_sums(found)
    return ChannelSums(channel=sums.channel[:_CHANNELS], total=sums.total[:_CHANNELS])
