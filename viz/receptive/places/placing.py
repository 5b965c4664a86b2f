"""Check of drawn maps against the places of their values.

It is independent of the layout code. ``arrange`` is given the index of every value instead of the value. So
it is known which value is drawn in which cell, and its place is looked up by that index.
"""

from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...errors import LayoutError
from ...maps.layout import Layout, arrange
from ...request.arrangement import Arrangement
from ..boxes import Boxes

Status = Literal["known", "guessed", "wrong", "no place"]
Size = tuple[int, int]
_CHANNELS = 8  # so many channels are measured, spread over all
_MOST = 0.75  # of both sides; what sits in more than that sits nowhere
_TOLERATED = 1 / 16  # of the picture's longer side


@dataclass(frozen=True)
class PlacingResult:
    """Result of the check of one layer's drawn maps.

    Attributes:
        status: ``"known"`` or ``"guessed"`` as the view says, ``"wrong"`` if cells are drawn far from where
            their values sit, ``"no place"`` if no value sits anywhere.
        pixels: the mean distance in pixels of the model's input; None where nothing is drawn on the picture.
        kind: the kind of the layout.
    """

    status: Status
    pixels: float | None
    kind: str


def distance(layout: Layout, boxes: Boxes, size: Size) -> float | None:
    """Return the mean distance from drawn cells to their values' places.

    It is in pixels of the model's input.

    Args:
        layout: the maps of a value whose entries are their own indices, counted along all axes.
        boxes: the places of the values, or their receptive fields.
        size: (height, width) of the model's input.

    None if the maps do not lead across the picture, or none of their values has a place.
    """
    found = _distances(layout, boxes, size)
    return None if found is None else found[0]


def _distances(layout: Layout, boxes: Boxes, size: Size) -> tuple[float, float] | None:
    """Return ``distance``, and its part that missing borders would explain.

    Without padding, maps reach less far than the picture that they are drawn across.
    """
    if not layout.leads_across:
        return None
    step = max(1, len(layout.maps) // _CHANNELS)
    drawn = np.asarray(layout.maps[::step], np.int64)
    shape = tuple(boxes.shape)
    top, left, bottom, right = (
        plane.numpy()[np.unravel_index(drawn, shape)].astype(np.float64) for plane in boxes.planes[:4]
    )
    there = np.isfinite(top) & ~(
        (bottom + top >= _MOST * (size[0] - 1)) & (right + left >= _MOST * (size[1] - 1))
    )
    if not there.any() or drawn.shape[1:] == (1, 1):
        return None
    with np.errstate(invalid="ignore"):
        down, across = (bottom - top) / 2, (right - left) / 2  # planes hold −top and −left
    rows, columns = (_centres(*pair) for pair in zip(drawn.shape[1:], size, strict=True))
    apart: NDArray[np.float64] = np.hypot(down - rows[:, None], across - columns)
    shrunk = np.hypot(
        (_between(down[there], len(rows)) - rows)[:, None], _between(across[there], len(columns)) - columns
    )
    return float(apart[there].mean()), float(np.broadcast_to(shrunk, apart.shape)[there].mean())


def placing(
    boxes: Boxes, size: Size, layer_type: str = "", arrangement: Arrangement | None = None
) -> PlacingResult | None:
    """Return the placing of a value; None if it cannot be drawn.

    Args:
        boxes: the places of the value's entries.
        size: (height, width) of the model's input.
        layer_type: the class of the layer that returned it.
        arrangement: what is known of its layout.
    """
    shape = tuple(boxes.shape)
    try:
        indices = np.arange(prod(shape)).reshape(shape)
        layout = arrange(indices, layer_type=layer_type, image_size=size, arrangement=arrangement)
    except LayoutError:
        return None
    found = _distances(layout, boxes, size)
    return PlacingResult(_status(layout, boxes, size, found), found and found[0], layout.kind)


def _status(layout: Layout, boxes: Boxes, size: Size, found: tuple[float, float] | None) -> Status:
    if found is not None:
        pixels, border = found
        cell = min(side / cells for side, cells in zip(size, layout.maps.shape[1:], strict=True))
        if pixels > border + max(cell, max(size) * _TOLERATED):
            return "wrong"
    elif not _any_place(boxes, size):
        return "no place"
    return "known" if layout.known else "guessed"


def _any_place(boxes: Boxes, size: Size) -> bool:
    """Check whether any value sits in a part of the picture."""
    top, left, bottom, right = boxes.planes[:4]
    all_of_it = (bottom + top >= _MOST * (size[0] - 1)) & (right + left >= _MOST * (size[1] - 1))
    return bool((~all_of_it & top.isfinite()).any())


def _between(places: NDArray[np.float64], cells: int) -> NDArray[np.float64]:
    """So many places at equal distances, from the first to the last."""
    evenly: NDArray[np.float64] = np.linspace(places.min(), places.max(), cells)
    return evenly


def _centres(cells: int, pixels: int) -> NDArray[np.float64]:
    """Return the middles of cells along a side, in pixels."""
    middles: NDArray[np.float64] = (np.arange(cells) + 0.5) * pixels / cells - 0.5
    return middles
