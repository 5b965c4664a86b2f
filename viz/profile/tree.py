"""The tree of a model's layers, from one forward pass.

Each has its type, its settings, and its output or the reason for none.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import count
from typing import Any

import torch
from torch import nn

from ..hooks.activations import LayerActivations
from ..hooks.functional import Place
from ..hooks.selectors import canonical_names, layers_of
from ..hooks.witness import Witness
from ..layer_names import SEPARATOR, calling_layer, is_operation
from .details import detail
from .rows import LayerRow, Shape, with_operations
from .uncalled import Reasons


def survey(
    layers: LayerActivations, *inputs: Any, operations: bool = False, **keywords: Any
) -> tuple[LayerRow, ...]:
    """Return a model's layers in definition order, from one forward pass.

    A layer without a call has a reason, made of what was seen of this pass. Only shapes are copied or kept. A
    shared layer is one row. With ``operations`` there is also a row for each operation outside layers, after
    the rows of what ended before it under the same layer.

    >>> [(row.name, row.shapes[0]) for row in lg.survey(layers, images)][:2]
    [('conv1', (1, 6, 28, 28)), ('relu1', (1, 6, 28, 28))]
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


def _aliases(modules: Mapping[str, nn.Module]) -> dict[str, tuple[str, ...]]:
    """Return the other names of each layer by its first name."""
    names: dict[int, list[str]] = defaultdict(list)
    for name, layer in modules.items():
        names[id(layer)].append(name)
    return {first: tuple(others) for first, *others in names.values()}


def _has_shape(output: Any) -> bool:
    return isinstance(output, torch.Tensor) and not output.is_nested
