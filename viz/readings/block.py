"""Block of a map's numbers around a place, which a reading plays."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

_SIDE = 6  # numbers along one side of a block
_LONG = 8  # of a block that is a single row or column
_REGION = 12  # places of the input along one side, which can still be read as numbers
_LEAST = 3  # numbers along one side that are played even if the input's are too many to be read
_READABLE = 49  # places of a window whose numbers can be read
_LARGEST = 1024  # places of a window that is drawn


@dataclass(frozen=True)
class MapBlock:
    """A block of a map: its first row, first column and size."""

    top: int
    left: int
    rows: int
    columns: int

    @property
    def places(self) -> Iterator[tuple[int, int]]:
        """Every (row, column) on the map, row by row."""
        for y in range(self.top, self.top + self.rows):
            for x in range(self.left, self.left + self.columns):
                yield y, x


def around(at: tuple[int, int], height: int, width: int, side: int) -> MapBlock:
    """Return the block of ``side`` rows and columns around a place.

    It goes as far as the map reaches. In a map of one row or column it may be longer, unless ``side`` is less
    than usual.
    """
    alone = side == _SIDE and min(height, width) == 1
    rows, columns = (min(_LONG if alone else side, length) for length in (height, width))
    top, left = (_kept(at[0] - rows // 2, height - rows), _kept(at[1] - columns // 2, width - columns))
    return MapBlock(top, left, rows, columns)


def one_row(block: MapBlock, y: int) -> MapBlock:
    """Return the row of a block that is the map's row ``y``."""
    return MapBlock(y, block.left, 1, block.columns)


def side_for(window: int) -> int:
    """Return the longest side of a block, for windows of this size.

    ``window``: how many places a window has.
    """
    return _SIDE if window <= _READABLE else 2 if window <= _LARGEST // 4 else 1


def is_drawn(window: int) -> bool:
    """Return whether a window of so many places is drawn at all."""
    return window <= _LARGEST


def fitted(block: MapBlock, at: tuple[int, int], reach: Callable[[MapBlock], int]) -> MapBlock:
    """Return the largest part of a block whose input is small enough.

    Args:
        block: what there is.
        at: the place in the middle.
        reach: a block → how many places it covers along the longer side of the input.
    """
    side, less = max(block.rows, block.columns), block
    while side > _LEAST and reach(less) > _REGION:
        side -= 1
        less = _within(block, at, side)
    return less


def _within(block: MapBlock, at: tuple[int, int], side: int) -> MapBlock:
    rows, columns = min(side, block.rows), min(side, block.columns)
    top = _kept(at[0] - block.top - rows // 2, block.rows - rows)
    left = _kept(at[1] - block.left - columns // 2, block.columns - columns)
    return MapBlock(block.top + top, block.left + left, rows, columns)


def _kept(place: int, last: int) -> int:
    return max(0, min(place, last))
