"""Positions of channels in a mosaic, and back."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt
from operator import index

import numpy as np

from ..errors import RequestError
from .viewport import PAD, Tiles, Viewport, tiles_in

_IDEAL_ASPECT, _TALLEST, _WIDEST = 4 / 3, 3 / 4, 3


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiling:
    """Tiles of equal size in reading order.

    Tiles are ``tile_width + pad`` pixels apart, with no margin around them: tile k begins at
    ``x = (k % columns) * (tile_width + pad)``, ``y = (k // columns) * (tile_height + pad)``. Between tiles,
    and where the last row has none, the picture is transparent.

    ``order[k]`` is the channel of tile k. A tile shows ``map_height`` by ``map_width`` values: as many as it
    has pixels, or more if the viewport is too small.
    """

    columns: int
    tile_height: int
    tile_width: int
    map_height: int
    map_width: int
    order: tuple[int, ...]
    pad: int = PAD

    @property
    def shrunk(self) -> bool:
        """True if a pixel stands for more than one value."""
        return (self.tile_height, self.tile_width) != (self.map_height, self.map_width)

    @property
    def count(self) -> int:
        """Number of tiles."""
        return len(self.order)

    @property
    def rows(self) -> int:
        """Number of rows of tiles."""
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
        """The channel at pixel (x, y), or None between tiles and outside."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        column, right = divmod(int(x), self.tile_width + self.pad)
        row, down = divmod(int(y), self.tile_height + self.pad)
        place = row * self.columns + column
        if right >= self.tile_width or down >= self.tile_height or place >= self.count:
            return None
        return self.order[place]

    def tile_box(self, channel: int) -> tuple[int, int, int, int]:
        """The pixels (left, top, right, bottom) of a channel.

        Right and bottom are just outside.

        Raises:
            RequestError: the mosaic does not show that channel.
        """
        if channel not in self.order:
            raise RequestError(
                "this mosaic shows no channel {channel}; it shows {count} channels",
                channel=channel,
                count=self.count,
            )
        row, column = divmod(self.order.index(channel), self.columns)
        left, top = column * (self.tile_width + self.pad), row * (self.tile_height + self.pad)
        return left, top, left + self.tile_width, top + self.tile_height


def tiling(
    shape: tuple[int, ...],
    order: Sequence[int] | None = None,
    columns: int | None = None,
    viewport: Viewport | None = None,
) -> Tiling:
    """The tiles of maps of this shape, (channels, height, width).

    Args:
        shape: of all maps, also those that are not shown.
        order: the channels to show, each once, in this order; all of them when None.
        columns: tiles per row, at most as many as there are tiles; see ``default_columns``, and
            ``viz.maps.viewport.tiles_in`` where there is a viewport.
        viewport: what the picture must fit into, if anything.

    Raises:
        RequestError: a channel that does not exist or comes twice, or an impossible number of columns.
    """
    channels, height, width = shape
    shown = _checked_order(order, channels)
    asked = None if columns is None else _checked_columns(columns, len(shown))
    if viewport is None:
        tiles = Tiles(asked or default_columns(len(shown), width / height), height, width)
    else:
        tiles = tiles_in(viewport, (len(shown), height, width), asked)
    return Tiling(
        columns=tiles.columns,
        tile_height=tiles.height,
        tile_width=tiles.width,
        map_height=height,
        map_width=width,
        order=shown,
    )


def default_columns(count: int, tile_aspect: float = 1.0) -> int:
    """Return the number of tiles of this width / height per row.

    It is the divisor of ``count`` that brings the mosaic nearest to 4:3, so that 64 square tiles make 8x8 and
    128 make 16x8. If every divisor makes it taller than 4:3 upright or wider than 3:1, the last row is not
    full.
    """
    exact = [n for n in range(1, count + 1) if count % n == 0]
    best = min(exact, key=lambda n: abs(log(n * n / count * tile_aspect / _IDEAL_ASPECT)))
    if _TALLEST <= best * best / count * tile_aspect <= _WIDEST:
        return best
    return min(count, max(1, round(sqrt(count * _IDEAL_ASPECT / tile_aspect))))


def _checked_order(order: Sequence[int] | None, count: int) -> tuple[int, ...]:
    """The channels to show, after checking that each exists and comes once."""
    if order is None:
        return tuple(range(count))
    try:
        shown = tuple(index(channel) for channel in order)
    except TypeError as error:
        raise RequestError(
            "order is a sequence of channel numbers, not {order}", order=repr(order)
        ) from error
    strange = sorted({channel for channel in shown if not 0 <= channel < count})
    if strange:
        raise RequestError(
            "there is no channel {channel}: this layer has channels 0 to {last}",
            channel=strange[0],
            last=count - 1,
        )
    if not shown or len(set(shown)) < len(shown):
        raise RequestError("order names at least one channel, and none of them twice")
    return shown


def _checked_columns(columns: int, count: int) -> int:
    """The number of tiles per row, at most ``count``."""
    if isinstance(columns, bool) or not isinstance(columns, int | np.integer) or columns < 1:
        raise RequestError("columns is a whole number from 1 up, not {columns}", columns=repr(columns))
    return min(int(columns), count)
