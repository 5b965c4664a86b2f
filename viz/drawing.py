"""A layer's values and a request → the view that the page draws."""

import numpy as np

from viz.errors import LayoutError, RequestError
from viz.forward import LayerValues, Leaf
from viz.inspection import Geometry, Inspection, LayerView
from viz.layout import Layout, arrange
from viz.mosaic import Mosaic, render_mosaic
from viz.statistics import channel_statistics, statistics


def draw_view(values: LayerValues, inspection: Inspection) -> LayerView:
    """The view of one call of one layer.

    Raises:
        CallError: the layer has no such call.
        LayoutError: the value cannot be drawn as maps.
        RequestError: the request names a tensor, layout, colormap or scale that does not exist.
    """
    tensors = values.call(inspection.call)
    path, leaf = _choose(values, tensors, inspection.leaf)
    layout = arrange(leaf.array, kind=inspection.kind, layer_type=values.type)
    mosaic = render_mosaic(layout.maps, colormap=inspection.colormap, scale=inspection.scale)
    return LayerView(
        layer=values.layer,
        type=values.type,
        call=inspection.call,
        calls=len(values.calls),
        shape=leaf.array.shape,
        dtype=leaf.dtype,
        device=values.device,
        png=mosaic.png,
        geometry=_geometry(mosaic, layout),
        statistics=statistics(leaf.array).as_dict(),
        channels=channel_statistics(layout.maps),
        colormap=mosaic.colormap,
        vmin=_plain(mosaic.vmin),
        vmax=_plain(mosaic.vmax),
        axes=layout.axes,
        note=layout.description,
        leaves=tuple(tensors),
    )
