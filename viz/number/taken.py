"""One pass up to a layer, for taking its numbers apart."""

import contextlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from ..errors import RequestError
from ..findings.explanation import Explanation
from ..hooks.activations import LayerActivations
from ..hooks.records import leaves
from ..layer_names import is_operation
from ..passes.forward import input_size
from ..request.arrangement import NOTHING_KNOWN, Arrangement, Arrangements
from ..request.inspection import Inspection
from .arithmetic import explain, explain_operation
from .arithmetic.operations import layer_like

__all__ = ["LayerCall", "outermost", "take"]


@dataclass(frozen=True, eq=False)
class LayerCall:
    """A layer's call: its inputs, and one tensor of its output.

    Attributes:
        name: the layer's.
        type: the class of the layer, or the name of the operation.
        layer: the module; None for an operation.
        inputs: what it was given by position; ``keywords`` by name.
        leaf: the path of the tensor; ``value`` is the tensor itself.
        ran: the names, within the layer, of the outermost layers inside it that ran.
        image_size: (height, width) of the model's input, if that is a picture.
        arrangement: how the tensor is known to lie.
    """

    name: str
    type: str
    layer: nn.Module | None
    inputs: Sequence[Any]
    keywords: dict[str, Any]
    leaf: str
    value: Tensor
    ran: tuple[str, ...]
    image_size: tuple[int, int] | None
    arrangement: Arrangement | None

    def explained(self, cell: tuple[int, ...], channel: int | None = None) -> Explanation:
        """Return how one number of the tensor was made.

        ``channel`` is the one whose patch of a convolution to show.
        """
        how: dict[str, Any] = {"keywords": self.keywords, "leaf": self.leaf}
        if self.layer is None:
            return explain_operation(self.type, self.inputs, self.value, cell, **how)
        return explain(self.layer, self.inputs, self.value, cell, channel=channel, ran=self.ran, **how)

    @property
    def alike(self) -> nn.Module | None:
        """The layer, or one that computes the same as the operation."""
        return self.layer or layer_like(self.type, self.inputs, self.keywords)

    @property
    def given(self) -> Tensor | None:
        """The first tensor that it was given."""
        given = (*self.inputs, *self.keywords.values())
        return next((each for each in given if isinstance(each, Tensor)), None)


def take(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    wanted: Inspection,
    known: Arrangements = NOTHING_KNOWN,
) -> LayerCall:
    """Return a call of the view's layer, from one pass.

    The edits that the caller applied are in force.

    Raises:
        VizError: there is no such layer or call, or the call returned no such tensor.
    """
    name = layers.select(wanted.layer)[0]
    with layers.capture(name, inputs=True) as record, _watched_inside(layers, name) as ran:
        layers.run(*arguments, until=(name, wanted.call))
        call = record[name][wanted.call]
    leaf, value = _shown_tensor(call.output, wanted)
    layer = None if is_operation(name) else layers.module(name)
    return LayerCall(
        name,
        layers.kind(name),
        layer,
        call.inputs or (),
        dict(call.keywords or {}),
        leaf,
        value,
        outermost(layers, layer, ran) if layer else (),
        input_size(arguments),
        known.get((name, wanted.call), {}).get(leaf),
    )


@contextlib.contextmanager
def _watched_inside(layers: LayerActivations, name: str) -> Iterator[set[str]]:
    """Yield the names of layers inside this one, as they run."""
    ran: set[str] = set()
    layer = None if is_operation(name) else layers.module(name)
    inside = {each for each in layer.modules() if each is not layer} if layer else set()
    with contextlib.ExitStack() as hooks:
        if inside:
            hooks.enter_context(layers.watch(lambda name, _: ran.add(name), lambda _, each: each in inside))
        yield ran


def outermost(layers: LayerActivations, layer: nn.Module, ran: Collection[str]) -> tuple[str, ...]:
    """Return the names of the outermost layers that ran inside one.

    The names are those within the layer.

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
