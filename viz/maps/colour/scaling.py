"""Numbers → colours, exactly as matplotlib would choose them.

It would do so by ``Normalize``, followed by a colormap. A colormap is a table of colours; a *level* is an
index into that table. ``levels`` repeats matplotlib's arithmetic operation by operation (in the array's own
precision, with double-precision limits), so that the results agree to the last bit and a value on the border
of two colours gets the same one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError
from ...sentences import Sentence
from .tables import (
    STEPS,
    colour_table,
    is_diverging,
    is_stretched,
    palette,
    plain_colormap,
    signed_colormap,
    stretching,
)

Scale = str | Sequence[float]
Limit = float | NDArray[np.float64]
Levels = NDArray[np.uint8] | NDArray[np.uint16]
_BYTE = 256


class Scaling(NamedTuple):
    """Colormap of a set of maps, and the values at its ends."""

    colormap: str
    vmin: Limit
    vmax: Limit
    constant: bool


def scaling(values: NDArray[np.generic], colormap: str, scale: Scale) -> Scaling:
    """The colormap and the limits for maps (channels, height, width).

    ``scale`` is ``"layer"`` (one range for all maps), ``"channel"`` (one range each) or a locked pair
    ``(vmin, vmax)``. Only finite values count. A diverging colormap makes the range symmetric around zero,
    also a locked one; where it is zero the limits are ±1, so that zero keeps the neutral colour. Maps
    without any finite value get 0 and 0.

    Raises:
        RequestError: unknown colormap or scale.
    """
    locked = _locked_limits(scale)
    low, high = _finite_range(values, axis=None)
    chosen = _chosen_colormap(colormap, float(low), float(high))
    constant = bool(low == high and np.isfinite(values).any())
    if locked is not None:
        low, high = np.array(locked)
    elif scale == "channel":
        low, high = _finite_range(values, axis=(1, 2))
    if is_diverging(chosen):
        reach = np.maximum(np.abs(low), np.abs(high))
        reach = np.where(reach == 0, 1.0, reach)
        low, high = -reach, reach
    return Scaling(chosen, _as_limit(low), _as_limit(high), constant)


def locked_scaling(low: float, high: float, colormap: str) -> Scaling:
    """The colormap and limits for maps with values from ``low`` to ``high``.

    Raises:
        RequestError: unknown colormap.
    """
    return scaling(np.array([[[low, high]]], np.float64), colormap, "layer")


def levels(values: NDArray[np.generic], vmin: Limit, vmax: Limit, count: int) -> Levels:
    """The level of every value, from 0 to ``count - 1``.

    The values are (channels, height, width), and the level of NaN is arbitrary. Values beyond the limits get
    the end colours; equal limits make every level 0. One deviation: doubles whose range exceeds the largest
    double are scaled down first; matplotlib would draw nothing.
    """
    scaled = values.astype(_arithmetic_type(values))
    low, high = _column(vmin), _column(vmax)
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isfinite(high - low).all():
            scaled, low, high = scaled / 4, low / 4, high / 4
        span = high - low
        flat = span == 0
        scaled -= _narrowed(low, scaled.dtype)
        scaled /= np.where(flat, 1.0, span)
        scaled *= count
        if flat.any():
            np.copyto(scaled, 0, where=flat)
        np.clip(scaled, 0, count - 1, out=scaled)
        if count <= _BYTE:
            return scaled.astype(np.uint8)
        return np.minimum(scaled.astype(np.uint16), count - 1)  # half precision has no 4,095


def colour_codes(
    values: NDArray[np.generic], colormap: str, vmin: Limit, vmax: Limit
) -> tuple[Levels, NDArray[np.uint8]]:
    """Return each value's place in a table of colours, and the table.

    The table is (colours, 4), and of a stretched colormap its palette: places are bytes if colours are few.

    Raises:
        RequestError: no colormap has that name.
    """
    table = palette(colormap)
    if not is_stretched(colormap):
        return levels(values, vmin, vmax, len(table)), table
    places = stretching(colormap)
    return (places.astype(np.uint8) if len(table) <= _BYTE else places)[
        levels(values, vmin, vmax, STEPS)
    ], table


def _narrowed(limit: NDArray[np.float64], precision: np.dtype[np.generic]) -> NDArray[np.floating]:
    """The limits in the values' precision, if exact, for faster sums.

    No bit changes: a sum that is rounded to double first and then to this precision is as if rounded once.

    Source: Figueroa, When is double rounding innocuous? (1995).
    """
    narrow: NDArray[np.floating] = limit.astype(precision)
    return narrow if np.array_equal(narrow, limit) else limit


def _arithmetic_type(values: NDArray[np.generic]) -> np.dtype[np.generic]:
    """The precision in which matplotlib's ``Normalize`` works, in this machine's byte order."""
    if values.dtype.kind in "bui":
        return np.promote_types(values.dtype, np.float32)
    return values.dtype.newbyteorder("=")


def _column(limit: Limit) -> NDArray[np.float64]:
    """A limit in double precision, shaped to meet (channels, height, width)."""
    column = np.asarray(limit, dtype=np.float64)
    return column[:, None, None] if column.ndim else column


def _finite_range(
    values: NDArray[np.generic], axis: tuple[int, ...] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Minimum and maximum over the finite values; 0 if there are none."""
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
    with np.errstate(invalid="ignore"):
        low, high = values.min(axis=axis), values.max(axis=axis)
    if values.dtype.kind == "f" and not (np.isfinite(low).all() and np.isfinite(high).all()):
        finite = np.isfinite(values)
        low = np.min(values, axis=axis, where=finite, initial=np.inf)
        high = np.max(values, axis=axis, where=finite, initial=-np.inf)
        empty = low > high
        low, high = np.where(empty, 0, low), np.where(empty, 0, high)
    return np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)


def _as_limit(limit: NDArray[np.float64]) -> Limit:
    """A Python float, or a read-only array of one limit per channel."""
    if limit.ndim == 0:
        return float(limit)
    limit.flags.writeable = False
    return limit


def _chosen_colormap(colormap: str, low: float, high: float) -> str:
    """The chosen colormap, or one that suits ``low`` and ``high``."""
    chosen = signed_colormap(colormap) if low < 0 < high else plain_colormap(colormap)
    colour_table(chosen)  # raises when there is no such colormap
    return chosen


def _locked_limits(scale: Scale) -> tuple[float, float] | None:
    """The pair of a locked scale, or None for any other scale."""
    if isinstance(scale, str) and scale in ("layer", "channel"):
        return None
    wanted = Sentence(
        'scale is "layer", "channel" or a pair (vmin, vmax) of finite numbers, not {scale}', scale=repr(scale)
    )
    if isinstance(scale, str):
        raise RequestError(wanted)
    try:
        low, high = (float(limit) for limit in scale)
    except (TypeError, ValueError) as error:
        raise RequestError(wanted) from error
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RequestError(wanted)
    if low > high:
        raise RequestError(
            "the scale's first number is its minimum, but {low} is above {high}",
            low=repr(low),
            high=repr(high),
        )
    return low, high
