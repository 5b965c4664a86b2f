"""Breakdown of a view's number: its cell, receptive field and arithmetic."""

from typing import Any

from ..errors import RequestError
from ..hooks.activations import LayerActivations
from ..maps.cells import cell_at
from ..receptive import Fields, receptive_fields
from ..request.arrangement import NOTHING_KNOWN, Arrangement, Arrangements
from ..request.inspection import Inspection
from .found import Breakdown, Place
from .taken import take

__all__ = ["break_down", "cell_in", "check_wanted", "is_edited"]


def break_down(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    wanted: Inspection,
    place: Place,
    *,
    fields: Fields | None = None,
    channel: int | None = None,
    known: Arrangements = NOTHING_KNOWN,
) -> Breakdown:
    """Return a number's cell, receptive field and arithmetic.

    It takes one or two passes, with the edits that the caller applied.

    Args:
        layers: the model's layers.
        arguments: what the model is called with.
        wanted: the view's layer, call, leaf and layout.
        place: (channel, height, width) in the view's maps.
        fields: the layer's receptive fields, if known: the same for all pictures.
        channel: whose patch of a convolution to show; by default, or if the cell does not see it, the one
            that counts most.
        known: what is known of the layers' layouts, as the view drew them.

    Raises:
        VizError: there is no such layer, call or place, or the place is not in a layer's output.
    """
    check_wanted(wanted)
    taken = take(layers, arguments, wanted, known)
    cell = cell_in(wanted, place, tuple(taken.value.shape), taken.type, taken.image_size, taken.arrangement)
    seen = fields or receptive_fields(layers, arguments, taken.name, wanted.call, wanted.leaf)
    found = taken.explained(cell, channel)
    if channel is not None and found.channels and found.patch is None:
        found = taken.explained(cell)
    return Breakdown(taken.name, cell, seen.at(cell), seen.size, found, is_edited(wanted, taken.name))


def check_wanted(wanted: Inspection) -> None:
    """Refuse views whose numbers no layer or operation made.

    Raises:
        RequestError: the view shows an input, a gradient, a difference or a model in training mode.
    """
    if wanted.training is not None:
        raise RequestError("In training mode no number is taken apart: look at the model in evaluation mode.")
    if wanted.gradient is not None:
        raise RequestError(
            "Gradients are not taken apart: choose the view of one layer to take a value apart."
        )
    if wanted.show == "difference" and wanted.edits:
        raise RequestError("A difference is not taken apart: choose the maps before or after the edits.")
    if wanted.of_inputs:
        raise RequestError("Only what a layer returns can be taken apart: choose its output as the value.")


def cell_in(
    wanted: Inspection,
    place: Place,
    shape: tuple[int, ...],
    layer_type: str,
    image_size: tuple[int, int] | None,
    arrangement: Arrangement | None = None,
) -> tuple[int, ...]:
    """Return the index of a view's place in a layer's value.

    The index has a number for every axis of ``shape``.

    Raises:
        LayoutError: values of this shape cannot be drawn in this way.
        RequestError: there is no such place.
    """
    return cell_at(
        shape,
        place,
        kind=wanted.kind,
        row=wanted.row,
        index=wanted.index,
        layer_type=layer_type,
        image_size=image_size,
        arrangement=arrangement,
    )


def is_edited(wanted: Inspection, name: str) -> bool:
    """Check whether an edit in force changes this call's output."""
    return any(
        (edit.layer, edit.side) == (name, "output") and edit.call in (None, wanted.call)
        for edit in wanted.in_force
    )
