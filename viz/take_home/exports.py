"""Files for a visitor to take home: figures and numbers of layers."""

import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import save

from ..errors import RequestError
from ..findings.values import LayerValues
from ..maps.colour.scaling import Scale
from ..maps.colour.tables import is_stretched
from ..maps.colour.wanted import Range
from ..maps.facts import share_beyond
from ..maps.figures import feature_map_figure, save_figure
from ..maps.layout import Layout
from ..maps.ordering import channel_order
from ..request.inspection import Inspection
from ..views.drawing import arranged, coloured
from ..views.overview import Thumbnail, joint_limits
from .captions import captions
from .card import CARD, NOWHERE, Card, Origin, card_of, in_json
from .overview_figure import overview_figure

SCALE_TITLES = {
    "clipped": "colours as far as the 1st and the 99th percentile reach",
    "model": "one scale for the whole model",
}
STRETCHED_TITLE = "colours by the square root of the distance from zero, or from the lowest value of one sign"


def export(
    form: str,
    values: LayerValues,
    wanted: Inspection,
    limits: Range | None = None,
    *,
    origin: Origin = NOWHERE,
    model: str = "",
) -> bytes:
    """Return a layer's file in one of the forms of ``EXPORTS``.

    Files of numbers say in a card what they are, and figures in a title; ``origin`` is the part of it that
    they do not know themselves. ``model`` is what the title calls the model with its weights. ``limits`` are
    the whole model's, for its scale.

    Raises:
        RequestError: such a file cannot hold these numbers.
    """
    if form in _ARRAYS:
        return _ARRAYS[form](values, wanted, card_of(values, wanted, origin))
    layout = arranged(values, wanted)
    maps, (colormap, scale) = layout.maps, coloured(values, wanted, layout, limits)
    titles = (
        title_of(values, wanted, layout, origin, model),
        _scale_title(wanted, maps, scale),
        STRETCHED_TITLE if is_stretched(colormap) else "",
    )
    figure = feature_map_figure(
        maps,
        title=" · ".join(filter(None, titles)),
        colormap=colormap,
        scale=scale,
        channels=channel_order(maps, wanted.order),
    )
    return save_figure(figure, form)


def title_of(values: LayerValues, wanted: Inspection, layout: Layout, origin: Origin, model: str) -> str:
    """Return a figure's title: its model, layer, layout and captions."""
    titles = (
        model or wanted.model,
        _place_title(values, wanted),
        gradient_title(values),
        "" if layout.plain else layout.description,
        *captions(wanted, origin),
    )
    return " · ".join(filter(None, titles))


def _scale_title(wanted: Inspection, maps: NDArray[Any], scale: Scale) -> str:
    """Return a title about the limits of colours, where they need one.

    Two equal percentiles clip nothing.
    """
    clips = wanted.scale != "clipped" or isinstance(scale, str) or share_beyond(maps, *scale)
    return SCALE_TITLES.get(wanted.scale, "") if clips else ""


def _place_title(values: LayerValues, wanted: Inspection) -> str:
    """Return the layer's name with its call and tensor, where needed."""
    call = f"call {wanted.call + 1} of {len(values.calls)}" if len(values.calls) > 1 else ""
    return ", ".join(filter(None, (wanted.layer, call, wanted.leaf)))


def gradient_title(values: LayerValues) -> str:
    """Return a title that names a gradient's score; empty for other values."""
    return f"gradient of {values.score_of}" if values.score_of else ""


def overview_file(form: str, thumbs: Sequence[Thumbnail], wanted: Inspection, title: str) -> bytes:
    """Return all layers as one figure in a file.

    Each layer has a scale of its own unless one for the whole model is wanted. ``title`` says which model it
    is, with which weights.

    Raises:
        RequestError: the format is not PNG, SVG or PDF.
    """
    limits = joint_limits(thumbs) if wanted.scale == "model" else None
    title += ", one scale for all" if limits else ""
    title += f", {STRETCHED_TITLE}" if is_stretched(wanted.colormap) else ""
    return save_figure(overview_figure(thumbs, title=title, colormap=wanted.colormap, limits=limits), form)


def arrays_file(values: LayerValues, wanted: Inspection, card: Card) -> bytes:
    """Return an NPZ with every tensor of the call under its path.

    Tensors are as the layer returned them, batch row included. The card is one more array, a single text in
    JSON.
    """
    buffer = io.BytesIO()
    tensors = values.call(wanted.call)
    arrays: dict[str, Any] = {path: leaf.array for path, leaf in tensors.items()}
    arrays[CARD] = np.array(in_json(card))
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def tensors_file(values: LayerValues, wanted: Inspection, card: Card) -> bytes:
    """Return a safetensors file with every tensor of the call.

    The card is in its metadata: one text in JSON, because a safetensors file has its metadata in no order.
    Tensors stand under their paths, as the layer returned them.

    Raises:
        RequestError: such a file holds no numbers of this type.
    """
    arrays = {path: np.ascontiguousarray(leaf.array) for path, leaf in values.call(wanted.call).items()}
    try:
        return save(arrays, metadata={CARD: in_json(card)})
    except (KeyError, SafetensorError) as error:
        kinds = ", ".join(sorted({str(array.dtype) for array in arrays.values()}))
        raise RequestError(
            "A safetensors file holds no numbers of type {kinds}: download them as NPZ.", kinds=kinds
        ) from error


_ARRAYS: dict[str, Callable[[LayerValues, Inspection, Card], bytes]] = {
    "npz": arrays_file,
    "safetensors": tensors_file,
}
