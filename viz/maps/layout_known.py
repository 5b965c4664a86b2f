"""Maps of a value whose axes across the picture are known."""

import math

import numpy as np
from numpy.typing import NDArray

from ..request.arrangement import Arrangement
from .layout_guess import Shape, Size, token_grid

PLACED = "placed"
"""The kind of a layout that only places tell: no rule about shapes makes it."""

# By how many axes there are and by which of them lead across the picture, if places stand in their order.
_IN_ORDER = {
    (2, (0, 1)): "maps",
    (3, (1, 2)): "maps",
    (3, (0, 1)): "channels-last",
    (4, (2, 3)): "maps",
    (4, (1, 2)): "channels-last",
    (5, (3, 4)): "volume",
    (5, (2, 3, 4)): "volume",
    (5, (2, 3)): "volume-last",
    (5, (1, 2, 3)): "volume-last",
    (3, (2,)): "signals",
}
_TOKENS: dict[tuple[int, tuple[int, ...]], str] = {
    (2, (0,)): "tokens",
    (3, (1,)): "tokens",
    (3, (0,)): "sequence-first",
}
_WITHOUT_PLACES = {0: "scalar", 1: "vector", 2: "vector", 4: "maps", 5: "volume"}
_ATTENTION = (3, 4)  # how many axes a value has whose last two are queries and keys


def known_kind(arrangement: Arrangement | None, shape: Shape, image_size: Size | None) -> str:
    """The kind that puts every value in its place; empty if unknown."""
    if arrangement is None or arrangement.shape != tuple(shape) or arrangement.elsewhere:
        return ""
    axes, height = len(shape), arrangement.grid[1]
    if arrangement.pairs:
        return "attention" if axes in _ATTENTION else ""
    if not arrangement.places:
        return _WITHOUT_PLACES.get(axes, "") if max(shape[2:], default=1) == 1 else ""
    one_line = height == 1 and arrangement.places == (2,)
    kind = _IN_ORDER.get((axes, arrangement.places), "") if _row_by_row(arrangement) else ""
    if kind and (kind != "signals" or one_line):
        return kind
    kind = _TOKENS.get((axes, arrangement.places), "")
    return kind if kind and _as_guessed(arrangement, image_size) else PLACED


def _row_by_row(arrangement: Arrangement) -> bool:
    """Return whether the places' axes are frames, rows and columns in order."""
    sides = [arrangement.shape[axis] for axis in arrangement.places]
    grid = arrangement.grid[-len(sides) :] if len(sides) <= len(arrangement.grid) else ()
    return not arrangement.order and tuple(sides) == grid


def _as_guessed(arrangement: Arrangement, image_size: Size | None) -> bool:
    """Return whether tokens stand row by row on the grid of ``token_grid``."""
    frames, *grid = arrangement.grid
    if frames > 1 or (arrangement.places == (0,) and len(arrangement.shape) == 3 and arrangement.batch != 1):  # noqa: PLR2004  (T, N, C)
        return False
    tokens = arrangement.shape[arrangement.places[0]]
    found, skipped = token_grid(tokens, image_size), arrangement.placeless
    in_order = not arrangement.order or arrangement.order == tuple(range(skipped, tokens))
    return found == (skipped, *grid) and in_order


def placed_rows(arrangement: Arrangement) -> int:
    """Return the number of batch rows of a value with this arrangement."""
    return 1 if arrangement.batch is None else arrangement.shape[arrangement.batch]


def placed_maps(
    values: NDArray[np.generic], arrangement: Arrangement, row: int, frame: int
) -> NDArray[np.generic]:
    """The maps (channels, height, width) of one batch row and frame.

    Several axes of channels become one.
    """
    front = () if arrangement.batch is None else (arrangement.batch,)
    turned = values.transpose(*front, *arrangement.channels, *arrangement.places)
    one = turned[row] if front else turned
    channels = math.prod(arrangement.shape[axis] for axis in arrangement.channels)
    frames, height, width = arrangement.grid
    flat = one.reshape(channels, -1)
    found = flat[:, list(arrangement.order)] if arrangement.order else flat
    maps: NDArray[np.generic] = found.reshape(channels, frames, height, width)[:, frame]
    return maps
