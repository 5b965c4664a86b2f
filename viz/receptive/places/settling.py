"""Axes that lead across the picture, found from cells' places."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from ...request.arrangement import Arrangement, Lattice
from ..boxes import Boxes, compact
from .place_rules import PAIRS

_SAME = 1e-3  # pixels; nearer places are one
_MOST = 0.75  # of both sides of the picture; what sits in more than that sits nowhere
_MOST_AXES = 8
_MOST_DROPPED = 2  # axes along which places change a little, so that they may be channels

Numbers = NDArray[np.float64]


def arrangement(boxes: Boxes, size: tuple[int, int]) -> Arrangement | None:
    """Return a value's arrangement on a picture, from its cells' places.

    ``size`` is (height, width) of the picture.

    It has no axes of places if no place is left. None if it cannot be told: cells share a place, or the
    places make no grid.
    """
    shape = tuple(boxes.shape)
    if len(shape) > _MOST_AXES or 0 in shape:
        return None
    planes = [compact(plane).numpy().astype(np.float64) for plane in boxes.planes]
    varying = _varying(_centres(planes, size))
    if boxes.cause == PAIRS:
        return Arrangement(shape, pairs=True) if varying & {len(shape) - 1, len(shape) - 2} else None
    if not varying:
        return Arrangement(shape)
    best: Arrangement | None = None
    for dropped in range(min(_MOST_DROPPED, len(varying) - 1) + 1):
        found = (_grid(shape, axes, planes, size) for axes in _candidates(shape, varying, dropped))
        best = max((best, *found), key=_worth)
        if _worth(best)[0]:
            break  # with fewer axes there are fewer places
    return best


def _worth(one: Arrangement | None) -> tuple[bool, int]:
    """Return the rank of an arrangement: a grid first, then its size."""
    return (min(one.grid[1:]) > 1, prod(one.grid)) if one else (False, 0)


def _centres(planes: Sequence[Numbers], size: tuple[int, int]) -> list[Numbers]:
    """Return the rows, columns and perhaps frames of places.

    NaN where there is no place, or it is about everywhere.
    """
    with np.errstate(invalid="ignore"):  # −∞ is no place
        tall, wide = (planes[side] + planes[side + 2] >= _MOST * (size[side] - 1) for side in (0, 1))
        sides = [(0, 2), (1, 3), (4, 5)][: len(planes) // 2]
        found = [(planes[high] - planes[low]) / 2 for low, high in sides]
    if tall.any() and wide.any():
        found = [np.where(tall & wide, np.nan, centre) for centre in found]
    return found


def _varying(centres: Sequence[Numbers]) -> set[int]:
    """The axes along which any coordinate of the places changes."""
    axes = range(centres[0].ndim)
    return {axis for axis in axes for centre in centres if centre.shape[axis] > 1 and _spread(centre, axis)}


def _spread(centre: Numbers, axis: int) -> bool:
    with np.errstate(invalid="ignore"):
        apart = np.fmax.reduce(centre, axis) - np.fmin.reduce(centre, axis)
        return bool((apart > _SAME).any())


def _candidates(shape: tuple[int, ...], varying: set[int], dropped: int) -> Iterator[tuple[int, ...]]:
    """Yield the axes that may hold places, ``dropped`` of them left out.

    One axis at least is left for channels. They may see places that differ a little, as those do that an
    unshuffling has put side by side.
    """
    for some in combinations(sorted(varying), dropped):
        axes = _with_short_sides(shape, tuple(sorted(varying - set(some))))
        channels = set(range(1, len(shape))) - set(axes)
        if channels or len(axes) == len(shape) - 1 > 1:  # the latter are maps (N, H, W)
            yield axes


def _with_short_sides(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the axes, completed for maps of one column or row."""
    if len(shape) == 4 and len(axes) == 1:  # noqa: PLR2004  (N, C, H, W) or (N, H, W, C)
        for pair in ((2, 3), (1, 2)):
            if axes[0] in pair and shape[sum(pair) - axes[0]] == 1:
                return pair
    return axes


def _grid(
    shape: tuple[int, ...], axes: tuple[int, ...], planes: Sequence[Numbers], size: tuple[int, int]
) -> Arrangement | None:
    """Return the arrangement along these axes, if places make a grid."""
    others = tuple(axis for axis in range(len(shape)) if axis not in axes)
    joined = [plane.max(others, keepdims=True) if others else plane for plane in planes]
    sizes = [shape[axis] if axis in axes else 1 for axis in range(len(shape))]
    rows, columns, *frames = (np.broadcast_to(centre, sizes).ravel() for centre in _centres(joined, size))
    there = np.isfinite(rows) & np.isfinite(columns)
    lines = [_numbered(each[there]) for each in (*(frames or [np.zeros_like(rows)]), rows, columns)]
    frames_of, height, width = (int(line.max(initial=-1)) + 1 for line in lines)
    grid = (frames_of, height, width)
    cells = np.ravel_multi_index(lines, grid) if all(grid) else np.empty(0, np.int64)
    count = int(np.prod(grid))
    if not count or count == 1 or len(cells) != count or np.bincount(cells).max() > 1:
        return None
    if len(shape) <= 3 and len(axes) == 1 and not _plain(grid, size):  # noqa: PLR2004  tokens or a signal
        return None
    order = np.flatnonzero(there)[np.argsort(cells)]
    in_order = np.array_equal(order, np.arange(len(rows)))
    lattice = _lattice((rows[there], columns[there]), lines[1:], size)
    return Arrangement(shape, axes, grid, () if in_order else tuple(order.tolist()), lattice=lattice)


def _lattice(
    places: tuple[Numbers, Numbers], numbers: Sequence[NDArray[np.intp]], size: tuple[int, int]
) -> Lattice:
    """Return the centres of rows and columns, at a mean step."""
    lines = [_line(*each) for each in zip(places, numbers, size, strict=True)]
    (top, down), (left, across) = lines
    return Lattice((top, left), (down, across))


def _line(places: Numbers, numbers: NDArray[np.intp], length: int) -> tuple[float, float]:
    """Return the first place, and the step to the next.

    A single place has the whole side of the picture.
    """
    last = int(numbers.max())
    if not last:
        return (length - 1) / 2, float(length)
    ends = [float(places[numbers == number].mean()) for number in (0, last)]
    return ends[0], (ends[1] - ends[0]) / last


def _plain(grid: tuple[int, ...], size: tuple[int, int]) -> bool:
    """Return whether tokens make a grid, or the picture is one line."""
    return min(grid[1:]) > 1 or size[0] == 1


def _numbered(places: Numbers) -> NDArray[np.intp]:
    """Number places along one side from 0; close ones are one."""
    order = np.argsort(places, kind="stable")
    steps = np.diff(places[order], prepend=places[order[:1]]) > _SAME
    numbers = np.empty(len(places), np.intp)
    numbers[order] = np.cumsum(steps)
    return numbers
