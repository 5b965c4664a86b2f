"""A layer's values and a request → the view that the page draws."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LayoutError, RequestError
from ..maps.colour import AUTO, SIGNED_DEFAULT, Limit, Scale, locked_scaling
from ..maps.layout import Layout, arrange, kinds
from ..maps.mosaic import Mosaic, render_mosaic
from ..maps.statistics import channel_statistics, finite_or_none, histogram, rounded, statistics
from ..maps.viewport import Viewport
from ..passes.forward import LayerValues, Leaf
from ..request.inspection import Geometry, Inspection, LayerView
from ..sentences import Sentence

BINS = 48
SCALES = ("layer", "channel", "clipped", "model")
OWN_LIMITS = ("layer", "channel")  # scales that leave no value of these maps out
Range = tuple[float, float]
ORDERS = ("index", "mean", "maximum", "variance", "zeros")


def draw_view(
    values: LayerValues, wanted: Inspection, limits: Range | None = None, order: Sequence[int] | None = None
) -> LayerView:
    """The view of one call of one layer; ``limits`` and ``order`` are given where other values decide them.

    Raises:
        CallError: the layer has no such call.
        LayoutError: the value cannot be drawn as maps.
        RequestError: the request names a tensor, layout, colormap or scale that does not exist.
    """
    path, leaf = _leaf(values, wanted)
    layout = arranged(values, wanted)
    order = order or channel_order(layout.maps, wanted.order)
    mosaic = _mosaic(layout, wanted, limits, order)
    return LayerView(
        layer=values.layer,
        type=values.type,
        call=wanted.call,
        calls=len(values.calls),
        shape=leaf.array.shape,
        dtype=leaf.dtype,
        device=values.device,
        png=mosaic.png,
        geometry=_geometry(mosaic, sorted_channels=order is not None),
        **_figures(layout.maps),
        **_colours(mosaic, layout.maps, own=wanted.scale in OWN_LIMITS and limits is None),
        axes=layout.axes,
        note=_note(values, path, layout),
        leaf=path,
        leaves=_paths(values, wanted),
        kind=layout.kind,
        kinds=kinds(leaf.array.shape, values.type, values.image_size, leaf.dtype),
        index=wanted.index,
        slices=layout.slices,
        row=wanted.row,
        rows=layout.rows,
        scale=wanted.scale,
    )


def _figures(maps: NDArray[np.generic]) -> dict[str, Any]:
    """What a view says of the numbers themselves."""
    return {
        "statistics": {name: finite_or_none(number) for name, number in asdict(statistics(maps)).items()},
        "channels": _channel_columns(maps),
        "histogram": tuple(histogram(maps, BINS).counts.tolist()),
    }


def _colours(mosaic: Mosaic, maps: NDArray[np.generic], *, own: bool) -> dict[str, Any]:
    """What a view says of its colours; whether the limits are these maps' ``own``."""
    return {
        "colormap": mosaic.colormap,
        "vmin": _listed(mosaic.vmin),
        "vmax": _listed(mosaic.vmax),
        "beyond": 0.0 if own else _share_beyond(maps, mosaic),
    }


def _share_beyond(maps: NDArray[Any], mosaic: Mosaic) -> float:
    """The share of all values that are finite and beyond the colours' limits."""
    outside = ((maps < mosaic.vmin) | (maps > mosaic.vmax)) & np.isfinite(maps)
    return float(np.count_nonzero(outside)) / maps.size


def _note(values: LayerValues, path: str, layout: Layout) -> str:
    """How the value became maps, and of what it is the gradient if it is one."""
    if not values.score_of:
        return layout.description
    of = {"score": values.score_of, "note": layout.description}
    if path.startswith("inputs"):
        return Sentence("gradient of {score} with respect to this layer's input: {note}", **of)
    return Sentence("gradient of {score} with respect to this layer's output: {note}", **of)


def arranged(values: LayerValues, wanted: Inspection) -> Layout:
    """The maps of one call of one layer; see ``draw_view`` for what is raised."""
    _, leaf = _leaf(values, wanted)
    return arrange(
        leaf.array,
        kind=wanted.kind,
        row=wanted.row,
        index=wanted.index,
        layer_type=values.type,
        image_size=values.image_size,
    )


def _paths(values: LayerValues, wanted: Inspection) -> tuple[str, ...]:
    """What can be drawn of this call; inputs are offered before they are captured."""
    return (*values.call(wanted.call), *(() if wanted.of_inputs else ("inputs",)))


def _leaf(values: LayerValues, wanted: Inspection) -> tuple[str, Leaf]:
    """The tensor that the request names, or the first one of its side, with its path."""
    tensors = values.call(wanted.call)
    side = "inputs" if wanted.of_inputs else "output"
    path = wanted.leaf if wanted.leaf not in ("", "inputs") else _first(tensors, side)
    if path is None:
        if wanted.of_inputs:
            raise LayoutError("{layer} was given no tensor, so there is nothing to draw.", layer=values.layer)
        raise LayoutError("{layer} returned no tensor, so there is nothing to draw.", layer=values.layer)
    if path not in tensors:
        raise RequestError(
            "{layer} returned no {path}; it returned {paths}.",
            layer=values.layer,
            path=repr(path),
            paths=", ".join(tensors),
        )
    if tensors[path].problem:
        raise LayoutError("{layer}: {problem}", layer=values.layer, problem=tensors[path].problem)
    return path, tensors[path]


def _first(tensors: Mapping[str, Leaf], side: str) -> str | None:
    return next((path for path in tensors if path.startswith(side)), None)


def _mosaic(layout: Layout, wanted: Inspection, limits: Range | None, order: Sequence[int] | None) -> Mosaic:
    colormap, scale = colouring(layout.maps, wanted, limits)
    # Signals are drawn taller than wide by the page, so their channels need not shrink with their times.
    viewport = Viewport(*wanted.viewport, uneven=layout.kind == "signals") if all(wanted.viewport) else None
    return render_mosaic(
        layout.maps,
        colormap=colormap,
        scale=scale,
        order=order,
        columns=wanted.columns or None,
        viewport=viewport,
    )


def channel_png(values: LayerValues, wanted: Inspection, channel: int, limits: Range | None = None) -> bytes:
    """One map as PNG, one pixel per value, in the colours that it has among the others.

    Raises:
        RequestError: there is no such channel; see ``draw_view`` for the rest.
    """
    maps = arranged(values, wanted).maps
    colormap, scale = colouring(maps, wanted, limits)
    return render_mosaic(maps, colormap=colormap, scale=scale, order=[channel]).png


def chosen_colormap(wanted: Inspection) -> str:
    """The colormap asked for; what has a sign has a diverging one also where all values are of one sign."""
    signed = wanted.gradient is not None or wanted.show == "difference"
    return SIGNED_DEFAULT if signed and wanted.colormap == AUTO else wanted.colormap


def colouring(
    maps: NDArray[np.generic], wanted: Inspection, limits: Range | None = None
) -> tuple[str, Scale]:
    """The colormap and the scale as a mosaic or a figure takes them, of these limits where there are some.

    Raises:
        RequestError: the scale of the whole model is wanted, and its limits were not given.
    """
    colormap = chosen_colormap(wanted)
    if limits is None and wanted.scale == "model":
        raise RequestError("one scale for the whole model needs the model's limits; choose another scale.")
    if limits is None and wanted.scale == "clipped":
        limits = percentiles(maps)
    if limits is None:
        return colormap, wanted.scale
    found = locked_scaling(*limits, colormap)
    return found.colormap, (float(found.vmin), float(found.vmax))


def percentiles(maps: NDArray[np.generic]) -> Range:
    """The 1st and the 99th percentile of the finite values, and (0, 0) where there are none."""
    finite = maps[np.isfinite(maps)].astype(np.float64)
    # Values that occur: halfway between the two largest doubles there is none.
    low, high = np.percentile(finite, (1, 99), method="inverted_cdf") if finite.size else (0.0, 0.0)
    return float(low), float(high)


def channel_order(maps: NDArray[np.generic], by: str) -> list[int] | None:
    """The channels with the largest figure first, ties in their own order; None for ``"index"``.

    Raises:
        RequestError: channels are not sorted by that.
    """
    if by == "index":
        return None
    if by not in ORDERS:
        raise RequestError(
            "channels are sorted by {orders}, not by {name}.", orders=", ".join(ORDERS), name=repr(by)
        )
    figures = np.nan_to_num(getattr(channel_statistics(maps), by), nan=-np.inf)
    return [int(channel) for channel in np.argsort(-figures, kind="stable")]


def _geometry(mosaic: Mosaic, *, sorted_channels: bool) -> Geometry:
    return Geometry(
        channels=mosaic.count,
        columns=mosaic.columns,
        tile_height=mosaic.tile_height,
        tile_width=mosaic.tile_width,
        map_height=mosaic.map_height,
        map_width=mosaic.map_width,
        pad=mosaic.pad,
        width=mosaic.width,
        height=mosaic.height,
        order=tuple(mosaic.order) if sorted_channels else (),
    )


def _channel_columns(maps: NDArray[np.generic]) -> dict[str, tuple[float | None, ...]]:
    found = channel_statistics(maps)
    return {
        name: rounded(getattr(found, name)) for name in ("minimum", "maximum", "mean", "variance", "zeros")
    }


def _listed(limit: Limit) -> float | tuple[float, ...]:
    return tuple(limit.tolist()) if isinstance(limit, np.ndarray) else limit
