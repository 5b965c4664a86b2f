"""Places of edits in a pass: tensors of layers, and their axes."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import torch

from ..findings.edit_checks import batch_second, channel_axis, known_of
from ..hooks.activations import LayerActivations
from ..hooks.edits import first_tensor
from ..hooks.records import Call
from ..maps.layout_guess import Size
from ..passes.forward import input_size
from ..request.arrangement import NOTHING_KNOWN, Arrangement, Arrangements
from ..request.edit_request import EditRequest
from .edit_place import EditPlace
from .overwriting import overwriting


def edit_places(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    edits: Iterable[EditRequest],
    known: Arrangements = NOTHING_KNOWN,
) -> tuple[EditPlace, ...]:
    """Find each edit's place in a pass with these arguments.

    The places are in the edits' order.

    Raises:
        EditError: a layer has nothing there to be edited.
        UnknownLayerError: an edit names no layer of the model.
    """
    wanted, size = tuple(edits), input_size(arguments)
    if not wanted:  # otherwise a capture without a selector would record every layer
        return ()
    of_inputs = any(edit.of_inputs for edit in wanted)
    with layers.capture(*(edit.layer for edit in wanted), inputs=of_inputs) as record:
        layers.run(*arguments)
    backward = tuple(edit.layer for edit in wanted if edit.backward)
    written = overwriting(layers, arguments, *backward) if backward else None
    found: list[EditPlace] = []
    for edit in wanted:
        about = (layers.kind(edit.layer), size, known_of(edit, known))
        each = [_place(edit, call, about) for call in record[edit.layer]]
        if written is not None and edit.backward:
            each = [
                replace(place, overwritten=written.meets(edit.layer, number, place.path))
                for number, place in enumerate(each)
            ]
        found += _alike(edit, each)
    return tuple(found)


def _place(edit: EditRequest, call: Call, about: tuple[str, Size, Arrangement | None]) -> EditPlace:
    value, side = (call.inputs, "inputs") if edit.of_inputs else (call.output, "output")
    path, tensor = first_tensor(value, side)
    axis = channel_axis(tensor.shape, *about) % tensor.ndim
    second = batch_second(tensor.shape, *about)
    container = "Tensor" if isinstance(value, torch.Tensor) else type(value).__name__
    return EditPlace(edit, path, container, tensor.ndim, axis, int(second))


def _alike(edit: EditRequest, calls: list[EditPlace]) -> Iterator[EditPlace]:
    """Yield one place for all calls alike, or one for each."""
    if edit.call is not None:
        yield calls[edit.call]
    elif len(list(groupby(calls))) == 1:
        yield calls[0]
    else:
        yield from (replace(place, edit=replace(edit, call=n)) for n, place in enumerate(calls))
