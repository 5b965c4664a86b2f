"""One number of a view, close up: its cell, where on the picture it comes from, and its arithmetic."""

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from viz.activations import LayerActivations
from viz.arithmetic import Explanation, explain
from viz.cells import cell_at
from viz.errors import RequestError
from viz.functional import is_operation
from viz.inspection import Inspection
from viz.receptive import Field, Fields, receptive_fields
from viz.records import leaves

__all__ = ["CloseUp", "close_up"]


@dataclass(frozen=True)
class CloseUp:
    """What there is to say about one number; plain values only.

    Attributes:
        layer: the layer's name.
        cell: the number's index along every axis of what the layer returned.
        field: the box on the model's input that it comes from.
        explanation: how the layer made it of its own input.
    """

    layer: str
    cell: tuple[int, ...]
    field: Field
    explanation: Explanation


def close_up(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    wanted: Inspection,
    place: tuple[int, int, int],
    *,
    fields: Fields | None = None,
    channel: int | None = None,
) -> CloseUp:
    """Return where the number at one place of a view comes from; for the price of one forward pass, or two.

    Args:
        layers: the model's layers.
        arguments: what the model is called with.
        wanted: the view's layer, call, leaf and layout.
        place: (channel, height, width) in the view's maps.
        fields: the layer's receptive fields, where they are known: they are the same for all pictures.
        channel: whose patch of a convolution to show; the one that counts most by default.

    Raises:
        CallError: the layer has no such call.
        RequestError: there is no such place, or it is not in what a layer returned.
        UnknownLayerError: there is no such layer.
    """
    if wanted.of_inputs or is_operation(wanted.layer):
        raise RequestError("only what a layer returns can be taken apart: choose a layer's output.")
    name = layers.select(wanted.layer)[0]
    with layers.capture(name, inputs=True) as record:
        layers.run(*arguments, until=(name, wanted.call))
        call = record[name][wanted.call]
    value, layer = _leaf(call.output, wanted), layers.module(name)
    cell = _cell(wanted, place, value, type(layer).__name__, arguments)
    given = (*(call.inputs or ()), *(call.keywords or {}).values())
    known = fields or receptive_fields(layers, arguments, name, wanted.call, wanted.leaf)
    return CloseUp(name, cell, known.at(cell), explain(layer, given, value, cell, channel=channel))


def _cell(
    wanted: Inspection,
    place: tuple[int, int, int],
    value: Tensor,
    layer_type: str,
    arguments: tuple[Any, ...],
) -> tuple[int, ...]:
    height, width = next(iter(leaves(arguments).values())).shape[-2:]
    shape, size = tuple(value.shape), (height, width)
    return cell_at(shape, place, kind=wanted.kind, index=wanted.index, layer_type=layer_type, image_size=size)


def _leaf(output: Any, wanted: Inspection) -> Tensor:
    found = leaves(output)
    path = wanted.leaf or next(iter(found), "")
    if path not in found:
        raise RequestError(f"{wanted.layer} returned no {path or 'tensor'}; it returned {', '.join(found)}.")
    return found[path]
