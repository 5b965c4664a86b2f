"""Fit of maps into a viewport: tiles, sizes, and means of values."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PAD = 1
_SMALLER = 2.0**-32  # a factor that keeps every sum of doubles in range
_LESS = 0.1  # of the largest area: nobody sees so little, and a full last row is worth more
_NARROW = 2  # bytes: half precision and whole numbers of at most this size are averaged in single precision


class Viewport(NamedTuple):
    """A screen's pixels for a picture.

    With ``uneven`` a map's sides may shrink by different factors.
    """

    width: int
    height: int
    uneven: bool = False


class Tiles(NamedTuple):
    """Layout of maps: tiles in a row, and the pixels of each."""

    columns: int
    height: int
    width: int


def tiles_in(viewport: Viewport, shape: tuple[int, int, int], columns: int | None = None) -> Tiles:
    """Return the layout that draws maps (count, height, width) largest.

    If given, ``columns`` are kept. If all maps fit with one pixel per value, a tile has that many, and the
    screen enlarges it as far as all tiles have room, each by the same number of pixels; otherwise it has as
    many pixels as fit, at least one. Of layouts that are about equally large, the one with the fullest last
    row is taken; of those, one that is not taller than wide, or least so, then the one shaped most like the
    viewport.
    """
    count = shape[0]
    across = np.arange(1, count + 1) if columns is None else np.array([columns])
    heights, widths = _tile_sides(viewport, shape, across)
    rows = -(-count // across)
    slopes = (rows * (heights + PAD) - PAD) / (across * (widths + PAD) - PAD)
    unlike = np.abs(np.log(slopes * viewport.width / viewport.height))
    areas = _areas(viewport, shape, across)
    largest = areas.max()
    smaller = np.maximum(0, largest - _LESS * abs(largest) - areas)
    best = np.lexsort((unlike, np.maximum(slopes, 1), rows * across - count, smaller))[0]
    return Tiles(int(across[best]), int(heights[best]), int(widths[best]))


def _tile_sides(
    viewport: Viewport, shape: tuple[int, int, int], across: NDArray[np.int_]
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """The height and width of a tile for each number of columns."""
    _, height, width = shape
    most_height, most_width = _most(viewport, shape[0], across)
    if viewport.uneven:
        return np.clip(most_height, 1, height), np.clip(most_width, 1, width)
    return (
        np.clip(np.minimum(most_height, height * most_width // width), 1, height),
        np.clip(np.minimum(most_width, width * most_height // height), 1, width),
    )


def _most(
    viewport: Viewport, count: int, across: NDArray[np.int_]
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """The largest height and width at which all tiles fit.

    Below 1, there is no room.
    """
    rows = -(-count // across)
    return (viewport.height + PAD) // rows - PAD, (viewport.width + PAD) // across - PAD


def _areas(viewport: Viewport, shape: tuple[int, int, int], across: NDArray[np.int_]) -> NDArray[np.float64]:
    """Return a map's area in screen pixels, negative if not all fit."""
    count, height, width = shape
    rows = -(-count // across)
    enlarged = np.minimum(
        _step(viewport.height, height, rows) / (height + PAD),
        _step(viewport.width, width, across) / (width + PAD),
    )
    heights, widths = _tile_sides(viewport, shape, across)
    areas = (heights * widths * np.maximum(1, enlarged) ** 2).astype(np.float64)
    most = np.minimum(*_most(viewport, count, across))
    return np.where(most >= 1, areas, np.minimum(viewport.height - 2 * rows, viewport.width - 2 * across))


def _step(room: int, side: int, tiles: NDArray[np.int_]) -> NDArray[np.int_]:
    """Return the most screen pixels for a tile and the gap after.

    No gap ends a row.
    """
    return room * (side + PAD) // (tiles * (side + PAD) - PAD)


def block_means(maps: NDArray[np.generic], height: int, width: int) -> NDArray[np.floating]:
    """The mean of the values behind each pixel, (channels, height, width).

    The maps are no smaller. A pixel stands for its share of the map, however many values that is: one that it
    covers partly counts by the part that it covers. NaN and the infinities remain: a block with NaN, or with
    both infinities, is NaN.
    """
    narrow = maps.dtype.itemsize <= _NARROW or maps.dtype == np.float32
    values: NDArray[np.floating] = maps.astype(np.float32 if narrow else np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        means = _along(_along(values, 1, height), 2, width)
        if np.isfinite(means).all():
            return means
        # Perhaps only the sum was too large: the mean itself is never too large.
        wide = _along(_along(values.astype(np.float64) * _SMALLER, 1, height), 2, width) / _SMALLER
        return wide.astype(values.dtype)


def _along(values: NDArray[np.floating], axis: int, length: int) -> NDArray[np.floating]:
    """The means of ``length`` blocks along one axis, weighted by shares."""
    size = values.shape[axis]
    if size == length:
        return values
    starts = np.arange(length) * size  # in parts of a value, of which each has ``length``
    ends = starts + size
    first, after = -(-starts // length), ends // length  # of the values that lie in a block as a whole
    # Alternately the sum of a block, and of what lies between two blocks, which is left out.
    bounds = np.stack([first, after], axis=1).ravel()[:-1]
    sums = np.moveaxis(np.add.reduceat(values, bounds, axis=axis), axis, 0)[::2]
    means = sums * values.dtype.type(length / size)
    means[first == after] = 0
    lines = np.moveaxis(values, axis, 0)
    for place, covered in ((first - 1, first * length - starts), (after, ends - after * length)):
        some = covered > 0  # what lies beside a block may be NaN
        shares = (covered[some] / size).astype(values.dtype)
        means[some] += lines[place[some]] * shares[:, None, None]
    return np.moveaxis(means, 0, axis)
