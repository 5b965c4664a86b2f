"""An engine's work for the tasks of this room."""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ..engine.limits import check_cost
from ..engine.task import Bench
from ..errors import RequestError
from ..findings.values import LayerValues, Leaf
from ..hooks.values.structure import leaves
from ..maps.colour.tables import weights_colormap
from ..maps.mosaic import render_mosaic
from ..passes.loaded import LoadedModel
from ..pictures.photo import Photo
from ..profile.cost import layer_cost
from ..receptive import Fields, receptive_fields
from ..request.inspection import Inspection
from ..views.drawing import arranged
from .breakdown import break_down, cell_in, check_wanted
from .filters import Filter, filter_of
from .found import Breakdown, FilterView, Place
from .tasks import BreakdownTask, FilterTask

Remembered = Callable[[Hashable, Callable[[], Any]], Any]
"""(key, work) → the answer kept under the key, or what the work returns now."""


def breakdown(task: BreakdownTask, bench: Bench) -> Breakdown:
    """Find one number's origin on the picture, and its arithmetic."""
    loaded = bench.loaded(task.wanted.model, task.wanted.weights)
    row = loaded.row(task.wanted.layer)
    check_cost(task.wanted.layer, layer_cost(row) if row else 0, bench.limits)
    return number_breakdown(loaded, task.wanted, task.photo, task.at, task.channel, bench.remembered)


def weights(task: FilterTask, bench: Bench) -> FilterView:
    """The weights that make one channel of a view."""
    values = bench.captured(task.wanted, task.photo, whole=False)
    loaded = bench.loaded(task.wanted.model, task.wanted.weights)
    return channel_filter(loaded, values, task.wanted, task.channel)


def number_breakdown(
    loaded: LoadedModel,
    wanted: Inspection,
    photo: Photo,
    place: Place,
    channel: int | None,
    remembered: Remembered,
) -> Breakdown:
    """Return one number broken down.

    The layer's receptive fields are kept, because they fit every picture.

    Raises:
        CallError: the layer has no such call.
        RequestError: there is no such place, or no layer made the number.
        UnknownLayerError: there is no such layer.
    """
    check_wanted(wanted)
    arguments = loaded.inputs.of(photo)
    fields, known = _fields(loaded, wanted, arguments, remembered), loaded.known(photo)
    with loaded.as_wanted(wanted, photo):
        return break_down(
            loaded.layers, arguments, wanted, place, fields=fields, channel=channel, known=known
        )


def _fields(
    loaded: LoadedModel, wanted: Inspection, arguments: tuple[Any, ...], remembered: Remembered
) -> Fields:
    shapes: Hashable = tuple(tuple(tensor.shape) for tensor in leaves(arguments).values())
    key = ("fields", wanted.model, wanted.weights, wanted.layer, wanted.call, wanted.leaf, shapes)

    def found() -> Fields:
        name = loaded.layers.select(wanted.layer)[0]
        return receptive_fields(loaded.layers, arguments, name, wanted.call, wanted.leaf)

    fields: Fields = remembered(key, found)
    return fields


def channel_filter(loaded: LoadedModel, values: LayerValues, wanted: Inspection, channel: int) -> FilterView:
    """Return the weights that make one channel of a view's maps.

    Raises:
        RequestError: there is no such channel, or the layer has no such weights.
    """
    check_wanted(wanted)
    leaf = _leaf(values, wanted)
    about = (leaf.array.shape, values.type, values.image_size, leaf.arrangement)
    cell = cell_in(wanted, (channel, 0, 0), *about)
    found = filter_of(loaded.layers.module(loaded.layers.select(wanted.layer)[0]), cell)
    if found is None:
        raise RequestError(
            "{what} has no filters: no weights of its own make a channel of {layer}.",
            what=values.type,
            layer=wanted.layer,
        )
    return _drawn(found, weights_colormap(wanted.colormap))


def _leaf(values: LayerValues, wanted: Inspection) -> Leaf:
    arranged(values, wanted)  # raises an error that says what is wrong with the request
    tensors = values.call(wanted.call)
    return tensors[wanted.leaf or next(iter(tensors))]


def _drawn(found: Filter, colormap: str) -> FilterView:
    limit = float(np.abs(found.kernels[np.isfinite(found.kernels)]).max(initial=0.0))
    mosaic = render_mosaic(found.kernels, colormap=colormap, scale=(-limit, limit))
    count, height, width = found.kernels.shape
    return FilterView(
        mosaic.png,
        mosaic.width,
        mosaic.columns,
        (count, height, width),
        found.depth,
        found.first,
        limit,
        found.bias,
    )
