"""Any tensor or array as maps."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ..hooks.records import Call, LayerRecord, to_array
from ..maps.colour.scaling import Scale
from ..maps.layout import arrange
from ..maps.mosaic import Mosaic, render_mosaic

_WITHOUT_A_BATCH = {2: "table", 3: "maps"}  # as render_mosaic reads them


def show(
    value: Any,
    *,
    kind: str = "auto",
    row: int = 0,
    index: int = 0,
    colormap: str = "viridis",
    scale: Scale = "layer",
    order: Sequence[int] | None = None,
    columns: int | None = None,
) -> Mosaic:
    """Draw a tensor, an array, or a captured call's output as maps.

    Args:
        value: of two or three axes, (channels, height, width); of more, the batch comes first. A call's
            output has the batch first in any case.
        kind: how its axes become maps otherwise, such as ``"tokens"`` or ``"vector"``.
        row: which input of the batch.
        index: which slice of a volume, or which query of attention.
        colormap: see ``render_mosaic``.
        scale: see ``render_mosaic``.
        order: the channels to show, in this order.
        columns: tiles per row.

    >>> lg.show(torch.rand(64, 7, 9)).count
    64

    Raises:
        CallError: a layer's record has not exactly one call.
        LayoutError: values of this shape or type cannot be drawn.
        RequestError: there is no such kind, row, index, colormap, scale, channel or number of columns.
    """
    captured, array = isinstance(value, Call | LayerRecord), array_of(value)
    if kind == "auto" and not captured:
        kind = _WITHOUT_A_BATCH.get(array.ndim, kind)
    maps = arrange(array, kind=kind, row=row, index=index).maps
    return render_mosaic(maps, colormap=colormap, scale=scale, order=order, columns=columns)


def array_of(value: Any) -> NDArray[Any]:
    """Return the numbers of a tensor, array or captured call's output."""
    if isinstance(value, Call | LayerRecord):
        value = value.output
    return to_array(value) if isinstance(value, torch.Tensor) else np.asarray(value)
