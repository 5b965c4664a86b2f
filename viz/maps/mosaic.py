"""Feature maps as one PNG, and the way back from its pixels.

The PNG is an image of levels with the colormap as its palette: no value is drawn twice and no colour is
rounded. A value that is not finite needs a colour of its own, so it takes a palette entry that this picture
leaves free: one that repeats another entry's colour (viridis has two) or that no value of this picture uses.
If too few are free, the same picture is written in full colour, at some cost in time and size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checked import checked_maps
from .colour.scaling import Levels, Limit, Scale, Scaling, colour_codes, scaling
from .png import palette_png, rgba_png
from .tiling import Tiling, tiling
from .viewport import PAD, Viewport, block_means

GAP_COLOUR = (255, 255, 255, 0)
NAN_COLOUR = (255, 0, 255, 255)
POSITIVE_INFINITY_COLOUR = (0, 255, 0, 255)
NEGATIVE_INFINITY_COLOUR = (0, 255, 255, 255)
ODD_COLOURS = (NAN_COLOUR, POSITIVE_INFINITY_COLOUR, NEGATIVE_INFINITY_COLOUR)
_PALETTE_SIZE = 256


@dataclass(frozen=True, kw_only=True, eq=False)
class Mosaic(Tiling):
    r"""One layer's maps as a PNG of tiles.

    ``vmin`` and ``vmax`` are floats, or arrays indexed by channel number for ``scale="channel"``.
    ``constant`` says that there are finite values, all of them equal.

    >>> mosaic = lg.show(layers(images)["conv1"].output)
    >>> mosaic.columns, mosaic.map_height, mosaic.png[:4]
    (3, 28, b'\x89PNG')
    """

    png: bytes
    vmin: Limit
    vmax: Limit
    colormap: str
    constant: bool

    def __repr__(self) -> str:
        maps = f"{self.count} maps of {self.map_height} × {self.map_width} in {self.columns} columns"
        limits = f"{np.min(self.vmin):.4g} to {np.max(self.vmax):.4g}"
        return f"Mosaic({maps}, {self.colormap} from {limits}, a PNG of {self.width} × {self.height} pixels)"

    def _repr_png_(self) -> bytes:
        """Return the picture, for notebooks."""
        return self.png


def render_mosaic(
    maps: ArrayLike,
    *,
    colormap: str = "viridis",
    scale: Scale = "layer",
    order: Sequence[int] | None = None,
    columns: int | None = None,
    viewport: Viewport | None = None,
) -> Mosaic:
    """A mosaic of maps (channels, height, width), one pixel per value.

    Args:
        maps: real numbers of any precision, never changed; a single map (height, width) is one channel.
        colormap: any matplotlib colormap, or ``"auto"``: viridis, and a diverging one where both signs occur.
            With ``_root`` behind it, colours follow the square root of values.
        scale: ``"layer"``: one range for all channels, including those that ``order`` leaves out;
            ``"channel"``: one range each; or a pair (vmin, vmax). Diverging colormaps make it symmetric.
        order: the channels to show, each once, in this order; all of them when None.
        columns: tiles per row, at most as many as there are tiles; when None, near 4:3.
        viewport: if not all values fit into it, each pixel is the mean of the values behind it, on the same
            scale.

    NaN and the infinities are drawn in ``NAN_COLOUR``, ``POSITIVE_INFINITY_COLOUR`` and
    ``NEGATIVE_INFINITY_COLOUR``.

    >>> mosaic = lg.render_mosaic(np.zeros((64, 7, 9)))
    >>> mosaic.columns, mosaic.width, mosaic.height, mosaic.channel_at(10, 0)
    (8, 79, 63, 1)

    Raises:
        LayoutError: not real numbers of shape (channels, height, width), or empty.
        RequestError: unknown colormap, scale, channel or number of columns.
    """
    values = checked_maps(maps)
    tiles = tiling(values.shape, order, columns, viewport)
    return drawn_mosaic(values, scaling(values, colormap, scale), tiles)


def drawn_mosaic(
    maps: NDArray[np.generic], found: Scaling, tiles: Tiling, blank: NDArray[np.bool_] | None = None
) -> Mosaic:
    """Return the mosaic of maps whose colours and places are known.

    ``blank`` has the pixels that are transparent, (channels, height, width), in the order and the size that
    are drawn.
    """
    shown, vmin, vmax = _shown(maps, found, tiles)
    png = _drawn(shown, _Painting(found.colormap, vmin, vmax, tiles.columns, blank))
    return Mosaic(**vars(tiles), png=png, **found._asdict())


def _shown(
    values: NDArray[np.generic], found: Scaling, tiles: Tiling
) -> tuple[NDArray[np.generic], Limit, Limit]:
    """Return the tiles' values (tiles, height, width) and limits, in their order."""
    vmin, vmax = found.vmin, found.vmax
    if tiles.order != tuple(range(len(values))):
        shown = list(tiles.order)
        values = values[shown]
        vmin, vmax = (limit[shown] if isinstance(limit, np.ndarray) else limit for limit in (vmin, vmax))
    if tiles.shrunk:
        values = block_means(values, tiles.tile_height, tiles.tile_width)
    return values, vmin, vmax


class _Painting(NamedTuple):
    """Colours, limits and columns with which a set of maps is drawn."""

    colormap: str
    vmin: Limit
    vmax: Limit
    columns: int
    blank: NDArray[np.bool_] | None = None


def _drawn(values: NDArray[np.generic], painting: _Painting) -> bytes:
    """The PNG of maps (tiles, height, width) that are shown in order."""
    codes, table = colour_codes(values, painting.colormap, painting.vmin, painting.vmax)
    marks = _marks(values)
    if painting.blank is not None:
        marks.append((GAP_COLOUR, painting.blank))
    colours = [colour for colour, _ in marks]
    if len(values) > 1:
        colours.append(GAP_COLOUR)
    codes, table, free = _with_free_codes(codes, table, len(colours))
    table[free] = np.array(colours, dtype=np.uint8).reshape(-1, 4)
    for (_, where), code in zip(marks, free, strict=False):
        codes[where] = code
    rows = _canvas(codes, painting.columns, free[-1] if len(values) > 1 else 0)
    if codes.dtype == np.uint8:
        rows[:, 0] = 0
        return palette_png(rows, table)
    return rgba_png(rows[:, 1:], table)


def _marks(values: NDArray[np.generic]) -> list[tuple[tuple[int, ...], NDArray[np.bool_]]]:
    """The colour and places of each kind of non-finite value that occurs."""
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
    """Equal codes and table with ``needed`` entries that no pixel uses.

    The codes stay bytes if possible. ``codes`` may be written into.
    """
    size = len(table)
    extended = np.concatenate([table, np.zeros((needed, 4), dtype=np.uint8)])
    added = np.arange(size, size + needed)
    if len(extended) <= _PALETTE_SIZE:
        return codes, extended, added
    first = _first_of_equal_colours(table)
    repeats = np.flatnonzero(first != np.arange(size))
    if codes.dtype == np.uint8:
        for code in repeats[:needed]:
            np.copyto(codes, first[code].astype(np.uint8), where=codes == code)
    free = repeats if len(repeats) >= needed else _unused(codes, size)
    if codes.dtype == np.uint8 and len(free) >= needed:
        return codes, table.copy(), free[:needed]
    return codes.astype(np.uint16), extended, added


def _first_of_equal_colours(table: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The first entry of equal colour, for each of a colour table."""
    _, first, group = np.unique(table.view(np.uint32)[:, 0], return_index=True, return_inverse=True)
    return first[group]


def _unused(codes: Levels, size: int) -> NDArray[np.intp]:
    """The codes below ``size`` that are not used."""
    free = np.ones(size, dtype=np.bool_)
    free[codes] = False
    return np.flatnonzero(free)


def _canvas(codes: Levels, columns: int, gap: int) -> Levels:
    """The tiles in their places, with a spare first column.

    They are (height, 1 + width), for gaps are on the left.
    """
    count, height, width = codes.shape
    rows = ceil(count / columns)
    tiles = np.full((rows, height + PAD, columns, width + PAD), gap, dtype=codes.dtype)
    places = tiles[:, :height, :, PAD:].swapaxes(1, 2)
    full = count // columns
    places[:full] = codes[: full * columns].reshape(full, columns, height, width)
    if full < rows:
        places[full, : count - full * columns] = codes[full * columns :]
    return tiles.reshape(rows * (height + PAD), columns * (width + PAD))[:-PAD]
