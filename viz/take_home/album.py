"""Album: many layers drawn as on the page, bounded in size."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from ..engine.task import OnePicture
from ..errors import RequestError, VizError
from ..findings.values import LayerValues
from ..maps.colour.wanted import Range
from ..maps.mosaic import Mosaic, render_mosaic
from ..maps.ordering import channel_order
from ..maps.statistics import Statistics, statistics
from ..profile.rows import LayerRow
from ..request.inspection import Inspection
from ..views.drawing import arranged, coloured

MOST_VALUES = 12_000_000  # in all sheets together: one byte each in a picture
MOST_SHEETS = 400


@dataclass(frozen=True, eq=False)
class Sheet:
    """One call of one layer.

    Attributes:
        layer: its dotted name.
        type: its class.
        call: which of its ``calls``, counted from 0.
        shape: what it returned, batch included.
        dtype: the tensor's own dtype.
        channels: how many maps there are in all; the mosaic shows those of its ``order``.
        maps: the maps that are shown, (shown, height, width), in the mosaic's order.
        mosaic: these as one picture, with the limits of their colours.
        figures: the statistics of all values.
        problem: why there are no maps; then there is no mosaic either.
    """

    layer: str
    type: str
    call: int
    calls: int
    shape: tuple[int, ...] = ()
    dtype: str = ""
    channels: int = 0
    maps: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 0, 0), np.float32), repr=False)
    mosaic: Mosaic | None = field(default=None, repr=False)
    figures: Statistics | None = None
    problem: str = ""

    @property
    def title(self) -> str:
        """Its name, with the call if there are several."""
        return self.layer if self.calls == 1 else f"{self.layer} ({self.call + 1}/{self.calls})"

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return self.maps.nbytes + (len(self.mosaic.png) if self.mosaic else 0) + 2000


@dataclass(frozen=True)
class Album(OnePicture[tuple[Sheet, ...]]):
    """The task of drawing all layers, or one block's, in execution order.

    ``block`` is a layer's name: it and everything inside it are drawn; all layers if it is empty.
    """

    done_by = "take_home.work:album"
    block: str = ""

    @property
    def key(self) -> Hashable:
        """The request and the block that are drawn."""
        return ("album", replace(self.wanted, layer="", call=0), self.block)


def chosen_rows(rows: Sequence[LayerRow], block: str) -> list[LayerRow]:
    """The layers that run, of the block if one is named.

    Raises:
        RequestError: none of them runs.
    """
    inside = [row for row in rows if not block or row.name == block or row.name.startswith(f"{block}.")]
    found = [row for row in inside if row.calls]
    if not found:
        raise RequestError(
            "no layer named {block} runs in this model, so there is nothing to take home.", block=repr(block)
        )
    return found


def sheets_of(
    values: LayerValues, wanted: Inspection, most: int = MOST_VALUES, limits: Range | None = None
) -> Iterator[Sheet]:
    """Yield a sheet for each call of a layer, bounded in size.

    Its maps have at most ``most`` values, but there is at least one map.
    """
    for call in range(len(values.calls)):
        plain = replace(wanted, layer=values.layer, call=call, leaf="", kind="auto", row=0, index=0)
        about = Sheet(values.layer, values.type, call, len(values.calls))
        try:
            yield _drawn(about, values, plain, most, limits)
        except VizError as error:
            yield replace(about, problem=str(error))


def level(sizes: Sequence[int], most: int) -> int:
    """Return the size to which larger ones are cut.

    All together then have at most ``most``.

    Source: filling vessels with water; every vessel below the level is full.
    """
    left, ordered = most, sorted(sizes)
    for place, size in enumerate(ordered):
        share = left // (len(ordered) - place)
        if size > share:
            return share
        left -= size
    return most


def _drawn(about: Sheet, values: LayerValues, wanted: Inspection, most: int, limits: Range | None) -> Sheet:
    layout = arranged(values, wanted)
    leaf = next(leaf for path, leaf in values.call(wanted.call).items() if path.startswith("output"))
    maps = layout.maps
    colormap, scale = coloured(values, wanted, layout, limits)
    order = channel_order(maps, wanted.order) or list(range(len(maps)))
    shown = order[: max(1, most // max(1, maps[0].size))]
    mosaic = render_mosaic(maps, colormap=colormap, scale=scale, order=shown)
    return replace(
        about,
        shape=leaf.array.shape,
        dtype=leaf.dtype,
        channels=len(maps),
        maps=np.asarray(maps[shown], np.float32),
        mosaic=mosaic,
        figures=statistics(maps),
    )


def maps_size(shape: tuple[int, ...] | None) -> int:
    """Return the number of values of a call's output."""
    return prod(shape) if shape else 0
