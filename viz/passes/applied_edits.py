"""Requested edits in a run: their blocks, and their layers' channel axes."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import torch

from ..errors import EditError
from ..findings.edit_checks import batch_second, channel_axis, known_of
from ..hooks.activations import LayerActivations
from ..hooks.edits import clamp, freeze_to_mean, noise, scale, zero_channel
from ..hooks.edits import replace as replaced
from ..hooks.gradient_taps import GradientEdit, InputGradientEdit
from ..hooks.values.structure import map_tensors
from ..maps.layout_guess import Size
from ..request.arrangement import NOTHING_KNOWN, Arrangement, Arrangements
from ..request.edit_request import EditRequest
from .donors import Donated

Change = Callable[[torch.Tensor], torch.Tensor]


@contextlib.contextmanager
def edited(
    layers: LayerActivations,
    edits: Iterable[EditRequest],
    image_size: Size | None = None,
    donated: Donated | None = None,
    known: Arrangements = NOTHING_KNOWN,
) -> Iterator[None]:
    """Apply these edits inside a block, the first one first.

    Args:
        layers: the model's layers.
        edits: what to change.
        image_size: the model input's (height, width), which tells channels first from channels last.
        donated: for edits that take values from another picture, those values: see ``viz.passes.donors``.
        known: what is known of the layers' layouts, and so of the axes of their channels.

    Raises:
        EditError: raised when the layer runs: an edit does not fit what the layer returns.
        UnknownLayerError: an edit names no layer of the model.
    """
    with contextlib.ExitStack() as blocks:
        for edit, donor in _of_calls(edits, donated or {}):
            about = _ValueFacts(layers.kind(edit.layer), image_size, known_of(edit, known))
            change = _on_first_tensor(edit, about, donor)
            if edit.backward:
                kind = InputGradientEdit if edit.of_inputs else GradientEdit
                tap = partial(kind, gradient=change, call=edit.call, first_alone=True)
                blocks.enter_context(layers.trace(tap, edit.layer))
                continue
            blocks.enter_context(
                layers.edit(
                    edit.layer,
                    output=change if edit.side == "output" else None,
                    inputs=change if edit.side == "inputs" else None,
                    call=edit.call,
                )
            )
        yield


def on_first_tensor(value: Any, change: Change) -> Any:
    """The value with its first tensor changed, which the page draws.

    Raises:
        EditError: there is no tensor in it.
    """
    waiting = [change]
    new = map_tensors(value, lambda tensor: waiting.pop()(tensor) if waiting else tensor)
    if waiting:
        raise EditError("there is no tensor in this {type} to be edited.", type=type(value).__name__)
    return new


def _of_calls(
    edits: Iterable[EditRequest], donated: Donated
) -> Iterator[tuple[EditRequest, torch.Tensor | None]]:
    """The edits with their donated values, for each call if these differ."""
    for edit in edits:
        given = donated.get(edit, ())
        if edit.call is not None or len(given) <= 1:
            yield edit, given[edit.call or 0] if given else None
        else:
            yield from ((replace(edit, call=call), value) for call, value in enumerate(given))


class _ValueFacts(NamedTuple):
    """Facts beside a value's shape that tell the axis of its channels."""

    layer_type: str
    image_size: Size | None
    arrangement: Arrangement | None


def _on_first_tensor(
    edit: EditRequest, about: _ValueFacts, donor: torch.Tensor | None
) -> Callable[[Any], Any]:
    def change(tensor: torch.Tensor) -> torch.Tensor:
        if not (tensor.is_floating_point() or tensor.is_complex()):
            raise EditError(
                "{layer} works with {type} values here, which cannot be edited.",
                layer=edit.layer,
                type=tensor.dtype,
            )
        axis = channel_axis(tensor.shape, *about)
        if batch_second(tensor.shape, *about):
            turned = None if donor is None else donor.transpose(0, 1)
            return _function(edit, axis, turned)(tensor.transpose(0, 1)).transpose(0, 1)
        return _function(edit, axis, donor)(tensor)

    return lambda value: on_first_tensor(value, change)


def _function(edit: EditRequest, axis: int, donor: torch.Tensor | None) -> Change:
    channels = edit.channels or None
    if donor is not None:
        return replaced(donor, channels, axis=axis)
    match edit.kind:
        case "zero":
            return zero_channel(*edit.channels, axis=axis) if channels else torch.zeros_like
        case "scale":
            return scale(edit.amount, channels, axis=axis)
        case "mean":
            return freeze_to_mean(*edit.channels, axis=axis)
        case "noise":
            return noise(edit.amount, edit.seed, channels, axis=axis)
        case "clamp":
            return clamp(-abs(edit.amount), abs(edit.amount), channels, axis=axis)
    raise EditError(
        "nothing was recorded of {name} that could be put into {layer}.",
        name=repr(edit.donor),
        layer=edit.layer,
    )
