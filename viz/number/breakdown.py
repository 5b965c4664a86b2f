"""One number of a view broken down: its cell, where on the picture it comes from, and its arithmetic."""

import contextlib
from collections.abc import Collection, Iterator
from typing import Any

from torch import Tensor, nn

from ..errors import RequestError
from ..hooks.activations import LayerActivations
from ..hooks.records import leaves
from ..layer_names import is_operation
from ..maps.cells import cell_at
from ..passes.forward import input_size
from ..receptive import Fields, receptive_fields
from ..request.arrangement import NOTHING_KNOWN, Arrangement, Arrangements
from ..request.inspection import Inspection
from .arithmetic import explain, explain_operation
from .found import Breakdown, Place

__all__ = ["break_down", "cell_in", "check_wanted", "outermost"]


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
    """Return where a number comes from, in one or two passes, with the edits that the caller applied.

    Args:
        layers: the model's layers.
        arguments: what the model is called with.
        wanted: the view's layer, call, leaf and layout.
        place: (channel, height, width) in the view's maps.
        fields: the layer's receptive fields, if known: the same for all pictures.
        channel: whose patch of a convolution to show; the one that counts most by default.
        known: what is known of the layers' layouts, as the view drew them.

    Raises:
        VizError: there is no such layer, call or place, or the place is not in a layer's output.
    """
    check_wanted(wanted)
    name = layers.select(wanted.layer)[0]
    with layers.capture(name, inputs=True) as record, _watched_inside(layers, name) as ran:
        layers.run(*arguments, until=(name, wanted.call))
        call = record[name][wanted.call]
    leaf, value = _shown_tensor(call.output, wanted)
    about = (layers.kind(name), input_size(arguments), known.get((name, wanted.call), {}).get(leaf))
    cell = cell_in(wanted, place, tuple(value.shape), *about)
    seen = fields or receptive_fields(layers, arguments, name, wanted.call, wanted.leaf)
    how: dict[str, Any] = {"keywords": call.keywords or {}, "leaf": leaf}
    if is_operation(name):
        found = explain_operation(about[0], call.inputs or (), value, cell, **how)
    else:
        how |= {"channel": channel, "ran": outermost(layers, layers.module(name), ran)}
        found = explain(layers.module(name), call.inputs or (), value, cell, **how)
    return Breakdown(name, cell, seen.at(cell), seen.size, found, _is_edited(wanted, name))


def check_wanted(wanted: Inspection) -> None:
    """Refuse views whose numbers were not made by a layer or an operation.

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
    """Return the index, along every axis of a layer's value of this shape, of one place in a view of it.

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


@contextlib.contextmanager
def _watched_inside(layers: LayerActivations, name: str) -> Iterator[set[str]]:
    """Yield the names of the layers inside this one that have run; the set grows while the model runs."""
    ran: set[str] = set()
    layer = None if is_operation(name) else layers.module(name)
    inside = {each for each in layer.modules() if each is not layer} if layer else set()
    with contextlib.ExitStack() as hooks:
        if inside:
            hooks.enter_context(layers.watch(lambda name, _: ran.add(name), lambda _, each: each in inside))
        yield ran


def outermost(layers: LayerActivations, layer: nn.Module, ran: Collection[str]) -> tuple[str, ...]:
    """Return the names, within a layer, of those inside it that ran and are inside no other one that did.

    Args:
        layers: the model's layers.
        layer: one of them.
        ran: names of layers of the model that ran.
    """
    known = dict(layers.model.named_modules())
    inside = {known[name] for name in ran}
    found: list[str] = []
    for name, each in layer.named_modules():
        if each in inside and not any(name.startswith(f"{other}.") for other in found):
            found.append(name)
    return tuple(found)


def _shown_tensor(output: Any, wanted: Inspection) -> tuple[str, Tensor]:
    found = leaves(output)
    path = wanted.leaf or next(iter(found), "")
    if path not in found:
        raise RequestError(
            "{layer} returned no {path}; it returned {paths}.",
            layer=wanted.layer,
            path=path or "tensor",
            paths=", ".join(found),
        )
    return path, found[path]


def _is_edited(wanted: Inspection, name: str) -> bool:
    """Return whether an edit in force changes what this call of the layer returns."""
    return any(
        (edit.layer, edit.side) == (name, "output") and edit.call in (None, wanted.call)
        for edit in wanted.in_force
    )
