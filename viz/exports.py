"""What a visitor takes home: a layer's figure, its numbers as NPZ or safetensors, and the colour bar."""

import io
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import save

from viz.drawing import arranged, channel_order, chosen_colormap, colour_scale
from viz.errors import RequestError
from viz.figures import colour_bar, feature_map_figure, save_figure
from viz.forward import LayerValues
from viz.inspection import Inspection
from viz.overview import Thumbnail, overview_figure
from viz.sentences import said

EXPORTS = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "npz": "application/octet-stream",
    "safetensors": "application/octet-stream",
}


def export(form: str, values: LayerValues, wanted: Inspection) -> bytes:
    """The file's bytes; ``form`` is a key of ``EXPORTS``.

    Raises:
        RequestError: such a file cannot hold these numbers.
    """
    if form in _ARRAYS:
        return _ARRAYS[form](values, wanted)
    maps = arranged(values, wanted).maps
    figure = feature_map_figure(
        maps,
        title=" · ".join(filter(None, (wanted.model, wanted.layer, gradient_title(values)))),
        colormap=chosen_colormap(wanted),
        scale=colour_scale(maps, wanted.scale),
        channels=channel_order(maps, wanted.order),
    )
    return save_figure(figure, form)


def gradient_title(values: LayerValues) -> str:
    """Whose gradient these values are, for the title of a figure; nothing for values themselves."""
    return f"gradient of {values.score_of}" if values.score_of else ""


def overview_file(form: str, thumbs: Sequence[Thumbnail], wanted: Inspection) -> bytes:
    """All layers as one figure.

    Raises:
        RequestError: the format is none of PNG, SVG and PDF.
    """
    title = f"{wanted.model}, {wanted.weights.partition(':')[0]} weights"
    return save_figure(overview_figure(thumbs, title=title, colormap=wanted.colormap), form)


def arrays_file(values: LayerValues, wanted: Inspection) -> bytes:
    """An NPZ with every tensor of the call under its path, as the layer returned it, batch row included."""
    buffer = io.BytesIO()
    tensors = values.call(wanted.call)
    arrays: dict[str, Any] = {path: leaf.array for path, leaf in tensors.items()}
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def tensors_file(values: LayerValues, wanted: Inspection) -> bytes:
    """A safetensors file with every tensor of the call under its path, as the layer returned it.

    Raises:
        RequestError: such a file holds no numbers of this type.
    """
    arrays = {path: np.ascontiguousarray(leaf.array) for path, leaf in values.call(wanted.call).items()}
    try:
        return save(arrays)
    except (KeyError, SafetensorError) as error:
        kinds = ", ".join(sorted({str(array.dtype) for array in arrays.values()}))
        raise RequestError(said("safetensors_type", kinds=kinds)) from error


_ARRAYS: dict[str, Callable[[LayerValues, Inspection], bytes]] = {
    "npz": arrays_file,
    "safetensors": tensors_file,
}


@lru_cache(maxsize=512)
def colour_bar_svg(vmin: float, vmax: float, colormap: str, ink: str) -> bytes:
    """A colour bar on nothing, its labels in the colour ``ink`` (six hexadecimal digits)."""
    return colour_bar(vmin, vmax, colormap, colour=f"#{ink}", form="svg")
