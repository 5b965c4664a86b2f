"""Overview of a model: a small picture of every layer."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ..answers.model import Thumb
from ..errors import VizError
from ..findings.values import LayerValues
from ..maps.colour.scaling import locked_scaling, scaling
from ..maps.colour.wanted import Range
from ..maps.mosaic import Mosaic, drawn_mosaic
from ..maps.ordering import channel_order
from ..maps.tiling import default_columns, tiling
from ..request.inspection import Inspection
from .differences import joint_range
from .drawing import arranged

LONGEST_SIDE = 112
LINK_SIDE, LINK_MAPS = 56, 2  # of a link's picture, which is shown half as large on most screens


@dataclass(frozen=True)
class Thumbnail:
    """One layer as a small picture.

    Attributes:
        layer: its dotted name.
        type: its class.
        shape: what its first call returned, batch included; empty if it returned no tensor.
        map: the mean over channels (height, width), or all values if each channel is a single value, with
            NaN where the last row has none; of a link (maps, height, width), its strongest maps.
        maps: how many maps there are, their height and their width; empty without a picture.
        magnitudes: whether the values are complex, so that these are their magnitudes.
        problem: why there is no picture; then ``map`` is empty.
    """

    layer: str
    type: str
    shape: tuple[int, ...]
    map: NDArray[np.float32] = field(repr=False, compare=False)
    problem: str = ""
    maps: tuple[int, ...] = ()
    magnitudes: bool = False

    @property
    def bytes(self) -> int:
        """Approximate memory that it takes."""
        return self.map.nbytes + 500


def thumbnail(values: LayerValues, wanted: Inspection, longest: int = LONGEST_SIDE) -> Thumbnail:
    """The first call of a layer as a small picture.

    A layer that cannot be drawn has the reason as its ``problem``.
    """
    leaf = next(iter(values.calls[0].values()), None) if values.calls else None
    shape = leaf.array.shape if leaf else ()
    try:
        maps = arranged(values, wanted).maps
    except VizError as error:
        return Thumbnail(values.layer, values.type, shape, np.empty((0, 0), np.float32), str(error))
    small = _small(_mean_map(maps, longest), longest)
    is_complex = leaf is not None and leaf.array.dtype.kind == "c"
    return Thumbnail(values.layer, values.type, shape, small, maps=maps.shape, magnitudes=is_complex)


def strongest(values: LayerValues, wanted: Inspection) -> Thumbnail:
    """The two maps of a layer's first call that vary most.

    They are side by side; other layers are as in ``thumbnail``.
    """
    found = thumbnail(values, wanted, LINK_SIDE)
    if found.problem:
        return found
    maps = arranged(values, wanted).maps
    if maps.shape[1:] == (1, 1):
        return found
    best = (channel_order(maps, "variance") or [0])[:LINK_MAPS]
    small = [_small(np.asarray(maps[channel], np.float32), LINK_SIDE) for channel in best]
    return replace(found, map=np.stack(small))


def thumbnail_png(thumb: Thumbnail, colormap: str = "auto", limits: Range | None = None) -> bytes:
    """The picture as PNG, one pixel per value.

    It has a scale of its own unless limits are given.
    """
    return _mosaic(thumb, colormap, limits).png


def thumbnail_facts(thumb: Thumbnail, colormap: str = "auto", limits: Range | None = None) -> Thumb:
    """Return a small picture's facts for the browser."""
    mosaic = None if thumb.problem else _mosaic(thumb, colormap, limits)
    low, high = limits or (None, None)
    return Thumb(
        layer=thumb.layer,
        type=thumb.type,
        shape=thumb.shape,
        png=base64.b64encode(mosaic.png).decode() if mosaic else "",
        height=mosaic.height if mosaic else 0,
        width=mosaic.width if mosaic else 0,
        problem=thumb.problem,
        maps=thumb.maps,
        magnitudes=thumb.magnitudes,
        low=low,
        high=high,
    )


def joint_limits(thumbs: Sequence[Thumbnail]) -> Range:
    """One scale for all pictures.

    They are means, so it is narrower than that of all values.
    """
    drawn = [thumb.map for thumb in thumbs if not thumb.problem]
    return joint_range(*drawn) if drawn else (0.0, 0.0)


def _mosaic(thumb: Thumbnail, colormap: str, limits: Range | None) -> Mosaic:
    """Return a small picture as a mosaic."""
    maps = _as_maps(thumb)
    found = locked_scaling(*limits, colormap) if limits else scaling(maps, colormap, "layer")
    blank = None
    if thumb.maps[1:] == (1, 1) and maps.size > thumb.maps[0]:
        # The grid of single values has more places than there are values.
        blank = np.arange(maps.size).reshape(maps.shape) >= thumb.maps[0]
    return drawn_mosaic(maps, found, tiling(maps.shape, columns=len(maps)), blank)


def _as_maps(thumb: Thumbnail) -> NDArray[np.float32]:
    return thumb.map if thumb.map.ndim == 3 else thumb.map[None]  # noqa: PLR2004  maps, height, width


def _mean_map(maps: NDArray[np.generic], longest: int) -> NDArray[np.float32]:
    """The mean over channels, or single values as a grid.

    A grid that will shrink has full rows only: blocks need values.
    """
    if maps.shape[1:] != (1, 1):
        mean: NDArray[np.float32] = np.asarray(maps, np.float32).mean(axis=0)
        return mean
    columns = default_columns(len(maps))
    rows = len(maps) // columns if columns > longest else ceil(len(maps) / columns)
    grid = np.full(rows * columns, np.nan, np.float32)
    grid[: len(maps)] = maps[: len(grid), 0, 0]
    return grid.reshape(-1, columns)


def _small(values: NDArray[np.float32], longest: int) -> NDArray[np.float32]:
    """Means over blocks, so that no side is longer.

    Rows and columns that fill no block are cut.
    """
    step = ceil(max(values.shape) / longest)
    if step == 1:
        return values
    down, across = (max(1, side // step) for side in values.shape)
    high, wide = min(step, values.shape[0]), min(step, values.shape[1])
    blocks = values[: down * high, : across * wide].reshape(down, high, across, wide)
    means: NDArray[np.float32] = blocks.mean(axis=(1, 3), dtype=np.float32)
    return means
