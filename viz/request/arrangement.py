"""Arrangement of a layer's values on the picture, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from types import MappingProxyType
from typing import TypeAlias


@dataclass(frozen=True)
class Lattice:
    """Centres of maps' cells on the model's input, at equal distances.

    A centre is the middle of the windows of all layers up to here, padding included: the middle of a cell's
    receptive field wherever no border cuts it off.

    Attributes:
        start: the (row, column) of the first cell's centre in pixels; the first pixel is centred at 0.
        stride: how many pixels further down the next row, and further right the next column is centred.
    """

    start: tuple[float, float]
    stride: tuple[float, float]

    def covered(self, cells: tuple[int, int], size: tuple[int, int]) -> tuple[float, float, float, float]:
        """Return the top, left, height and width of so many cells.

        They are fractions of the sides of a picture of ``size`` (height, width), and may lie outside it.
        ``cells`` are (rows, columns), side by side.
        """
        first = (
            (start + 0.5 - stride / 2) / side
            for start, stride, side in zip(self.start, self.stride, size, strict=True)
        )
        lengths = (
            count * stride / side for count, stride, side in zip(cells, self.stride, size, strict=True)
        )
        top, left, height, width = *first, *lengths
        return top, left, height, width


@dataclass(frozen=True)
class Arrangement:
    """Axes of a value across the picture, and the order of places.

    Attributes:
        shape: the shape of the value that it is about.
        places: the axes along which places change; none if the values have no places, as after a pooling.
        grid: how many frames, rows and columns the places make; a picture has one frame.
        order: for each place, frame by frame and row by row, its index along ``places`` taken as one axis;
            empty if that is the order in which they stand.
        pairs: whether the last two axes are queries and keys, so that each value has two places.
        elsewhere: whether the values sit elsewhere than their shape suggests, and make no grid: their rows
            and columns are no places.
        lattice: where the rows and columns are centred on the model's input, if that is known.
    """

    shape: tuple[int, ...]
    places: tuple[int, ...] = ()
    grid: tuple[int, int, int] = (1, 1, 1)
    order: tuple[int, ...] = ()
    pairs: bool = False
    elsewhere: bool = False
    lattice: Lattice | None = None

    @cached_property
    def batch(self) -> int | None:
        """The batch axis; None if there is none of its own.

        That is so where windows stand in place of a batch.
        """
        others = [axis for axis in range(len(self.shape)) if axis not in self.places]
        if len(others) > 1 and (others[0] == 0 or self.shape[others[0]] == 1):
            return others[0]
        return None

    @property
    def channels(self) -> tuple[int, ...]:
        """The axes that hold channels: neither places nor the batch."""
        taken = {*self.places, self.batch}
        return tuple(axis for axis in range(len(self.shape)) if axis not in taken)

    @property
    def placeless(self) -> int:
        """Number of entries without a place, such as class tokens and padding."""
        return prod(self.shape[axis] for axis in self.places) - prod(self.grid)

    @property
    def nowhere(self) -> bool:
        """True if no value has a place on the picture."""
        return not (self.places or self.pairs or self.elsewhere)

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return 500 + 8 * len(self.order)


Arrangements: TypeAlias = Mapping[tuple[str, int], Mapping[str, Arrangement | None]]
"""(layer, call) → the arrangements of what it returned and was given, by path: ``output``, ``inputs[0]``.

None stands for a tensor of which nothing is known.
"""
NOTHING_KNOWN: Arrangements = MappingProxyType({})


def first_known(known: Arrangements, layer: str, call: int, side: str = "output") -> Arrangement | None:
    """Return the known arrangement of a call's first tensor on a side.

    ``side``: ``"output"`` or ``"inputs"``. None if nothing is known.
    """
    paths = known.get((layer, call), {})
    return next((one for path, one in paths.items() if path.startswith(side)), None)
