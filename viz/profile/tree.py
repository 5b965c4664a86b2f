"""The tree of a model's layers: what each is, and what it returned in one forward pass, or why nothing."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import count
from typing import Any

import torch
from torch import nn

from ..hooks.activations import LayerActivations
from ..hooks.functional import SEPARATOR, Place, calling_layer, is_operation
from ..hooks.selectors import canonical_names, layers_of
from ..hooks.witness import Witness
from .details import detail
from .uncalled import Evidence, Reasons

Shape = tuple[int, ...] | None


@dataclass(frozen=True)
class LayerRow:
    """One layer, in plain values.

    Attributes:
        name: dotted name; for a layer with several, the first.
        type: the name of its class.
        detail: its settings in a few words, such as ``64→64, 3×3, stride 1``.
        parameters: the number of its parameters, including those of the layers inside it.
        depth: 0 for the outermost layers.
        calls: how often it ran.
        shapes: for each call, the shape of what it returned; None where that is not one tensor.
        aliases: its other names.
        reason: why it has no call, or None when it has.
        ends: for each call, its place in the order in which all calls ended, from 0.
        children: whether there are layers inside it.
        evidence: what the reason rests on (``viz.profile.uncalled.Evidence``), or None without a reason.
    """

    name: str
    type: str
    detail: str
    parameters: int
    depth: int
    calls: int
    shapes: tuple[Shape, ...]
    aliases: tuple[str, ...]
    reason: str | None
    ends: tuple[int, ...]
    children: bool
    evidence: Evidence | None = None

    @property
    def order(self) -> int | None:
        """The place of its first call, by which layers are in execution order; None if it has no call."""
        return self.ends[0] if self.ends else None


def survey(
    layers: LayerActivations, *inputs: Any, operations: bool = False, **keywords: Any
) -> tuple[LayerRow, ...]:
    """Return every layer of the model in definition order, from one forward pass with these inputs.

    A layer without a call has a reason, made of what was seen of this pass: see ``viz.hooks.witness``. Only
    shapes are copied or kept. A shared layer is one row. With ``operations`` there is also a row for
    each operation outside layers, after the rows of what ended before it under the same layer.
    """
    shapes: dict[str, list[Shape]] = defaultdict(list)
    ends: dict[str, list[int]] = defaultdict(list)
    places = count()

    def see(name: str, output: Any) -> None:
        shapes[name].append(tuple(output.shape) if _has_shape(output) else None)
        ends[name].append(next(places))

    def witness(by_layer: Mapping[Place, str]) -> Witness:
        return Witness(layers.model, by_layer, see)

    with layers.trace(witness) as seen, layers.watch_operations(see) if operations else nullcontext():
        layers.run(*inputs, **keywords)
    modules = layers_of(layers.model)
    reasons, aliases = Reasons(layers.model, modules, seen.seen), _aliases(modules)
    rows = [_row(name, reasons, aliases[name], shapes, ends) for name in canonical_names(modules)]
    found = [_operation_row(name, shapes[name], ends[name]) for name in shapes if is_operation(name)]
    return tuple(with_operations(rows, found))


def first_layer(rows: Sequence[LayerRow]) -> str:
    """Return the layer to begin with: the first convolution that ran, else the first layer that ran."""
    ran = [row for row in rows if row.calls]
    convolutions = [row for row in ran if row.type.startswith("Conv")]
    return (convolutions or ran or list(rows))[0].name


def _row(
    name: str,
    reasons: Reasons,
    aliases: tuple[str, ...],
    shapes: Mapping[str, list[Shape]],
    ends: Mapping[str, list[int]],
) -> LayerRow:
    layer, seen = reasons.layers[name], tuple(shapes.get(name, ()))
    reason = None if seen else reasons.of(name)
    return LayerRow(
        name=name,
        type=type(layer).__name__,
        detail=detail(layer),
        parameters=sum(weight.numel() for weight in layer.parameters()),
        depth=name.count("."),
        calls=len(seen),
        shapes=seen,
        aliases=aliases,
        reason=reason.said if reason else None,
        ends=tuple(ends.get(name, ())),
        children=next(layer.children(), None) is not None,
        evidence=reason.evidence if reason else None,
    )


def _operation_row(name: str, shapes: Sequence[Shape], ends: Sequence[int]) -> LayerRow:
    return LayerRow(
        name=name,
        type=name.rpartition(SEPARATOR)[2].split()[0],
        detail="",
        parameters=0,
        depth=name.count(".") + bool(calling_layer(name)),
        calls=len(shapes),
        shapes=tuple(shapes),
        aliases=(),
        reason=None,
        ends=tuple(ends),
        children=False,
    )


def with_operations(rows: Sequence[LayerRow], operations: Sequence[LayerRow]) -> list[LayerRow]:
    """Return the rows with each operation after those that ended before it under the same layer."""
    placed = list(rows)
    for operation in operations:
        layer = calling_layer(operation.name)
        elder = [row for row in placed if _parent(row.name) == layer and _ended_before(row, operation)]
        behind = elder[-1] if elder else next((row for row in placed if row.name == layer), None)
        at = 0 if behind is None else placed.index(behind) + 1
        while elder and at < len(placed) and _inside(placed[at].name, behind.name if behind else ""):
            at += 1
        placed.insert(at, operation)
    return placed


def _ended_before(row: LayerRow, operation: LayerRow) -> bool:
    return row.order is not None and operation.order is not None and row.order < operation.order


def _parent(name: str) -> str:
    return calling_layer(name) if is_operation(name) else name.rpartition(".")[0]


def _inside(name: str, layer: str) -> bool:
    return name.startswith((f"{layer}.", f"{layer} {SEPARATOR}"))


def _aliases(modules: Mapping[str, nn.Module]) -> dict[str, tuple[str, ...]]:
    """Return the other names of each layer by its first name."""
    names: dict[int, list[str]] = defaultdict(list)
    for name, layer in modules.items():
        names[id(layer)].append(name)
    return {first: tuple(others) for first, *others in names.values()}


def _has_shape(output: Any) -> bool:
    return isinstance(output, torch.Tensor) and not output.is_nested
