"""Feature maps → one PNG with one pixel per value, and the way back from a pixel to its channel.

The PNG is an image of levels with the colormap as its palette: no value is drawn twice and no colour is
rounded. What is no value needs a colour of its own, so it takes a palette entry that this picture leaves
free: one that repeats another entry's colour (viridis has two) or that no value of this picture uses. Where
too few are free, the same picture is written in full colour, at some cost in time and size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt
from operator import index
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz.colour import Levels, Limit, Scale, checked_maps, colour_table, levels, scaling
from viz.errors import RequestError
from viz.png import palette_png, rgba_png

PAD = 1
GAP_COLOUR = (255, 255, 255, 0)
NAN_COLOUR = (255, 0, 255, 255)
POSITIVE_INFINITY_COLOUR = (0, 255, 0, 255)
NEGATIVE_INFINITY_COLOUR = (0, 255, 255, 255)
_IDEAL_ASPECT = 4 / 3
_PALETTE_SIZE = 256


@dataclass(frozen=True, eq=False)
class Mosaic:
    """One layer's maps as tiles in reading order.

    Tiles are ``tile_width + pad`` pixels apart, with no margin around them: tile k begins at
    ``x = (k % columns) * (tile_width + pad)``, ``y = (k // columns) * (tile_height + pad)``. Between tiles,
    and where the last row has none, the picture is transparent.

    ``order[k]`` is the channel of tile k; ``vmin`` and ``vmax`` are floats, or arrays indexed by channel
    number for ``scale="channel"``. ``constant`` says that all finite values of the layer are equal.
    """

    png: bytes
    columns: int
    tile_height: int
    tile_width: int
    pad: int
    vmin: Limit
    vmax: Limit
    colormap: str
    constant: bool
    order: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many tiles there are."""
        return len(self.order)

    @property
    def rows(self) -> int:
        """How many rows of tiles there are."""
        return ceil(self.count / self.columns)

    @property
    def width(self) -> int:
        """The width of the picture in pixels."""
        return self.columns * (self.tile_width + self.pad) - self.pad

    @property
    def height(self) -> int:
        """The height of the picture in pixels."""
        return self.rows * (self.tile_height + self.pad) - self.pad

    def channel_at(self, x: float, y: float) -> int | None:
        """The channel that is drawn at pixel (x, y), or None between tiles and outside."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        column, right = divmod(int(x), self.tile_width + self.pad)
        row, down = divmod(int(y), self.tile_height + self.pad)
        place = row * self.columns + column
        if right >= self.tile_width or down >= self.tile_height or place >= self.count:
            return None
        return self.order[place]

    def tile_box(self, channel: int) -> tuple[int, int, int, int]:
        """The pixels (left, top, right, bottom) of a channel; right and bottom are just outside.

        Raises:
            RequestError: the mosaic does not show that channel.
        """
        if channel not in self.order:
            raise RequestError(f"this mosaic shows no channel {channel}; it shows {self.count} channels")
        row, column = divmod(self.order.index(channel), self.columns)
        left, top = column * (self.tile_width + self.pad), row * (self.tile_height + self.pad)
        return left, top, left + self.tile_width, top + self.tile_height


def render_mosaic(
    maps: ArrayLike,
    *,
    colormap: str = "viridis",
    scale: Scale = "layer",
    order: Sequence[int] | None = None,
    columns: int | None = None,
) -> Mosaic:
    """A mosaic of maps (channels, height, width), one PNG pixel per value.

    Args:
        maps: real numbers of any precision; a single map (height, width) counts as one channel. Never
            changed.
        colormap: any matplotlib colormap, or ``"auto"``: viridis, and a diverging one where both signs occur.
        scale: ``"layer"``: one range for all channels, also for those that ``order`` leaves out;
            ``"channel"``: one range each; or a pair (vmin, vmax). Diverging colormaps make the range
            symmetric around zero.
        order: the channels to show, each once, in this order; all of them when None.
        columns: tiles per row, at most as many as there are tiles; see ``default_columns``.

    NaN and the infinities are drawn in ``NAN_COLOUR``, ``POSITIVE_INFINITY_COLOUR`` and
    ``NEGATIVE_INFINITY_COLOUR``.

    >>> mosaic = render_mosaic(np.zeros((64, 7, 9)))
    >>> mosaic.columns, mosaic.width, mosaic.height, mosaic.channel_at(10, 0)
    (8, 79, 63, 1)

    Raises:
        LayoutError: not real numbers of shape (channels, height, width), or none at all.
        RequestError: unknown colormap, scale, channel or number of columns.
    """
    values = checked_maps(maps)
    count, tile_height, tile_width = values.shape
    shown = _checked_order(order, count)
    across = _checked_columns(columns, len(shown), tile_width / tile_height)
    colours = scaling(values, colormap, scale)
    vmin, vmax = colours.vmin, colours.vmax
    if order is not None:
        values = values[list(shown)]
        vmin, vmax = (
            limit[list(shown)] if isinstance(limit, np.ndarray) else limit for limit in (vmin, vmax)
        )
    png = _drawn(values, _Painting(colour_table(colours.colormap), vmin, vmax, across))
    return Mosaic(
        png,
        across,
        tile_height,
        tile_width,
        PAD,
        colours.vmin,
        colours.vmax,
        colours.colormap,
        colours.constant,
        shown,
    )


def default_columns(count: int, tile_aspect: float = 1.0) -> int:
    """How many tiles of a given width / height share a row.

    The divisor of ``count`` that brings the mosaic nearest to 4:3, so that 64 square tiles make 8x8 and 128
    make 16x8; where each divisor makes it taller than 4:3 upright or wider than 3:1, the last row is not
    full.
    """
    exact = [n for n in range(1, count + 1) if count % n == 0]
    best = min(exact, key=lambda n: abs(log(n * n / count * tile_aspect / _IDEAL_ASPECT)))
    if 3 / 4 <= best * best / count * tile_aspect <= 3:  # noqa: PLR2004 - the limits named above
        return best
    return min(count, max(1, round(sqrt(count * _IDEAL_ASPECT / tile_aspect))))


class _Painting(NamedTuple):
    """How a set of maps is drawn, apart from the maps."""

    table: NDArray[np.uint8]
    vmin: Limit
    vmax: Limit
    columns: int


def _drawn(values: NDArray[np.generic], painting: _Painting) -> bytes:
    """The PNG of maps (tiles, height, width), which are all shown and in order."""
    codes = levels(values, painting.vmin, painting.vmax, len(painting.table))
    marks = _marks(values)
    colours = [colour for colour, _ in marks]
    if len(values) > 1:
        colours.append(GAP_COLOUR)
    codes, table, free = _with_free_codes(codes, painting.table, len(colours))
    table[free] = np.array(colours, dtype=np.uint8).reshape(-1, 4)
    for (_, where), code in zip(marks, free, strict=False):
        codes[where] = code
    rows = _canvas(codes, painting.columns, free[-1] if len(values) > 1 else 0)
    if codes.dtype == np.uint8:
        rows[:, 0] = 0
        return palette_png(rows, table)
    return rgba_png(rows[:, 1:], table)


def _marks(values: NDArray[np.generic]) -> list[tuple[tuple[int, ...], NDArray[np.bool_]]]:
    """The colour and the places of each kind of value that is no finite number, if there are any."""
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return []
    kinds = (
        (NAN_COLOUR, np.isnan(values)),
        (POSITIVE_INFINITY_COLOUR, values == np.inf),
        (NEGATIVE_INFINITY_COLOUR, values == -np.inf),
    )
    return [(colour, where) for colour, where in kinds if where.any()]


def _with_free_codes(
    codes: Levels, table: NDArray[np.uint8], needed: int
) -> tuple[Levels, NDArray[np.uint8], NDArray[np.intp]]:
    """Equal codes and table with ``needed`` entries that no pixel uses; bytes as long as that is possible."""
    size = len(table)
    extended = np.concatenate([table, np.zeros((needed, 4), dtype=np.uint8)])
    added = np.arange(size, size + needed)
    if len(extended) <= _PALETTE_SIZE:
        return codes, extended, added
    first = _first_of_equal_colours(table)
    repeats = np.flatnonzero(first != np.arange(size))
    if codes.dtype == np.uint8 and len(repeats):
        codes = first.astype(np.uint8).take(codes)
    free = repeats if len(repeats) >= needed else _unused(codes, size)
    if codes.dtype == np.uint8 and len(free) >= needed:
        return codes, table.copy(), free[:needed]
    return codes.astype(np.uint16), extended, added


def _first_of_equal_colours(table: NDArray[np.uint8]) -> NDArray[np.intp]:
    """For each entry of a colour table, the first entry of that colour."""
    _, first, group = np.unique(table.view(np.uint32)[:, 0], return_index=True, return_inverse=True)
    return first[group]


def _unused(codes: Levels, size: int) -> NDArray[np.intp]:
    """The codes below ``size`` that occur nowhere."""
    free = np.ones(size, dtype=np.bool_)
    free[codes] = False
    return np.flatnonzero(free)


def _canvas(codes: Levels, columns: int, gap: int) -> Levels:
    """Tiles in their places, (height, 1 + width): gaps are on the left, so the first column is spare."""
    count, height, width = codes.shape
    rows = ceil(count / columns)
    tiles = np.full((rows, height + PAD, columns, width + PAD), gap, dtype=codes.dtype)
    places = tiles[:, :height, :, PAD:].swapaxes(1, 2)
    full = count // columns
    places[:full] = codes[: full * columns].reshape(full, columns, height, width)
    if full < rows:
        places[full, : count - full * columns] = codes[full * columns :]
    return tiles.reshape(rows * (height + PAD), columns * (width + PAD))[:-PAD]


def _checked_order(order: Sequence[int] | None, count: int) -> tuple[int, ...]:
    """The channels to show, every one of them existing and once."""
    if order is None:
        return tuple(range(count))
    try:
        shown = tuple(index(channel) for channel in order)
    except TypeError as error:
        raise RequestError(f"order is a sequence of channel numbers, not {order!r}") from error
    strange = sorted({channel for channel in shown if not 0 <= channel < count})
    if strange:
        raise RequestError(f"there is no channel {strange[0]}: this layer has channels 0 to {count - 1}")
    if not shown or len(set(shown)) < len(shown):
        raise RequestError("order names at least one channel, and none of them twice")
    return shown


def _checked_columns(columns: int | None, count: int, tile_aspect: float) -> int:
    """The number of tiles per row, at most ``count``."""
    if columns is None:
        return default_columns(count, tile_aspect)
    if isinstance(columns, bool) or not isinstance(columns, int | np.integer) or columns < 1:
        raise RequestError(f"columns is a whole number from 1 up, not {columns!r}")
    return min(int(columns), count)
