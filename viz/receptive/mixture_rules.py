"""Rules for operations that mix whole axes, such as sums and attention."""

from collections.abc import Sequence

import torch
from torch import Tensor

from .boxes import EMPTY, Boxes, compact, merged, spread
from .masks import ZERO, hidden_by_softmax, hidden_entries, is_constant, of_attention, seen_through, zeros
from .operations import Operation, Rule

ATTENTION, LINEAR, NORMALISATION, POOLING = "attention", "linear", "normalisation", "pooling"


def mixture_rule(name: str, *, reduction: bool) -> tuple[Rule | None, str]:
    """Return the rule for an operation that mixes axes, and its name.

    The rule is None for other operations.
    """
    if name in _RULES:
        return _RULES[name]
    if "batch_norm" in name:
        return _batch_norm, NORMALISATION
    if name.startswith(("_scaled_dot_product", "scaled_dot_product")):
        return _attention, ATTENTION
    return (_reduced, POOLING) if reduction else (None, "")


def _reduced(operation: Operation) -> Boxes:
    boxes, axes = operation.boxes("self"), operation.get("dim")
    chosen = [] if axes is None else [axes] if isinstance(axes, int) else list(axes)
    return boxes.each(lambda plane: merged(plane, chosen, operation.shape))


def _running(operation: Operation) -> Boxes:
    """Mix each entry with those before it along one axis."""
    axis = operation.arguments["dim"]

    def run(plane: Tensor) -> Tensor:
        thin = compact(plane)
        grown = thin.cummax(axis).values if thin.ndim else thin
        return grown.expand(plane.shape)

    return operation.boxes("self").each(run)


def _softmax(operation: Operation) -> Boxes:
    """Mix along one axis, without masked entries.

    These become zero for every picture.
    """
    hidden, axis = hidden_by_softmax(operation), operation.arguments["dim"]
    if hidden is None:
        return _along(operation)

    def mixed(plane: Tensor) -> Tensor:
        seen = torch.where(hidden, EMPTY, compact(plane)).amax(axis, keepdim=True)
        return torch.where(hidden, EMPTY, seen).expand(plane.shape)

    return operation.boxes("self").each(mixed)


def _along(operation: Operation) -> Boxes:
    """Mix along one axis and keep the shape."""
    axis = operation.arguments["dim"]
    return operation.boxes("self").each(lambda plane: spread(plane, [axis]))


def _ranked(operation: Operation) -> Boxes:
    """Mix along one axis, of which only some entries are kept."""
    axis, kept = operation.arguments["dim"], operation.shape
    return _along(operation).each(lambda plane: plane.narrow(axis, 0, kept[axis]))


def _batch_norm(operation: Operation) -> Boxes:
    """Mix all but the channels, unless running statistics are used."""
    boxes = operation.boxes("input")
    if operation.get("training", "train", "use_input_stats"):
        boxes = boxes.each(lambda plane: spread(plane, [axis for axis in range(plane.ndim) if axis != 1]))
    return _scaled(operation, boxes)


def _scaled(operation: Operation, boxes: Boxes) -> Boxes:
    """Add what a normalisation's scales and shifts see, if anything."""
    scales = scale_boxes(operation)
    return operation.union([boxes, *scales], operation.shape) if scales else boxes


def scale_boxes(operation: Operation) -> list[Boxes]:
    """Return the boxes of a normalisation's scales and shifts.

    They line up with its output; none depends on the picture in most models.
    """
    channels_first = "normalized_shape" not in operation.arguments
    behind = len(operation.shape) - 2 if channels_first else 0
    return [boxes.followed_by(behind) for boxes in operation.others("input")]


def _layer_norm(operation: Operation) -> Boxes:
    count = len(operation.arguments["normalized_shape"])
    mixed = operation.boxes("input").each(lambda plane: spread(plane, list(range(-count, 0))))
    return _scaled(operation, mixed)


def _group_norm(operation: Operation) -> Boxes:
    groups = operation.arguments["group"]

    def mixed(plane: Tensor) -> Tensor:
        thin = compact(plane)
        if groups == 1 or thin.shape[1] == 1:
            return spread(plane, list(range(1, plane.ndim)))
        each = thin.unflatten(1, (groups, -1))
        return spread(each, list(range(2, each.ndim))).flatten(1, 2).expand(plane.shape)

    return _scaled(operation, operation.boxes("input").each(mixed))


def _product(operation: Operation) -> Boxes:
    """Mix rows and columns of a matrix product, and an addend."""
    names = list(operation.arguments)
    left, right = factors(names)
    parts = [_rows(operation, left, right), _columns(operation, left, right)]
    added = [operation.boxes("self")] if left != "self" else []
    return operation.union([*parts, *added], operation.shape)


def _columns(operation: Operation, left: str, right: str) -> Boxes:
    """Return the boxes of the right factor's columns, zero products left out."""
    hidden, factor = _zeros(operation, left), _factor(operation, right)
    if hidden is None:
        return factor.each(lambda plane: compact(plane).amax(-2, keepdim=True))
    return factor.each(lambda plane: seen_through(compact(plane), hidden))


def _rows(operation: Operation, left: str, right: str) -> Boxes:
    """Return the boxes of the left factor's rows, zero products left out."""
    hidden, factor = _zeros(operation, right), _factor(operation, left)
    if hidden is None:
        return factor.each(lambda plane: compact(plane).amax(-1, keepdim=True))

    def seen(plane: Tensor) -> Tensor:
        turned = compact(plane).transpose(-1, -2)
        return seen_through(turned, hidden.transpose(-1, -2)).transpose(-1, -2)

    return factor.each(seen)


def _factor(operation: Operation, name: str) -> Boxes:
    """Return the boxes of a factor, without those of masked entries."""
    mask, boxes = operation.masked(operation.arguments[name]), operation.boxes(name)
    if mask is None:
        return boxes
    hidden = hidden_entries(mask, ZERO)
    return boxes.each(lambda plane: torch.where(hidden, EMPTY, compact(plane)).expand(plane.shape))


def _zeros(operation: Operation, name: str) -> Tensor | None:
    """Return the mask of a factor's zeros, if any are known."""
    factor: Tensor = operation.arguments[name]
    if is_constant(operation, factor):
        return zeros(factor)
    mask = operation.masked(factor)
    return None if mask is None else hidden_entries(mask, ZERO)


def factors(names: Sequence[str]) -> tuple[str, str]:
    """Return the names of the two factors of a matrix product."""
    pairs = (("mat1", "mat2"), ("batch1", "batch2"), ("self", "mat2"))
    return next(pair for pair in pairs if pair[0] in names and pair[1] in names)


def _linear(operation: Operation) -> Boxes:
    seen = operation.boxes("input").each(lambda plane: compact(plane).amax(-1, keepdim=True))
    weights = [boxes.each(lambda plane: plane.amax(-1)) for boxes in operation.others("input", "bias")]
    return operation.union([seen, *weights, *operation.others("input", "weight")], operation.shape)


def _attention(operation: Operation) -> Boxes:
    """Mix each query with the unmasked keys and values, and its mask."""
    query, key = operation.boxes("query"), operation.boxes("key")
    own_heads = key.shape[1] == query.shape[1]
    hidden = of_attention(operation.arguments, operation) if own_heads else None

    def mixed(plane: Tensor) -> Tensor:
        if hidden is not None:
            return seen_through(compact(plane).amax(-1, keepdim=True), hidden)
        return compact(plane).amax(
            [-2, -1] if own_heads else [-3, -2, -1], keepdim=True
        )  # heads may share one

    seen = [boxes.each(mixed) for boxes in (key, operation.boxes("value"))]
    lines = (query, *operation.others("query", "key", "value"))
    own = (boxes.each(lambda plane: compact(plane).amax(-1, keepdim=True)) for boxes in lines)
    return operation.union([*own, *seen], operation.shape)


_RULES: dict[str, tuple[Rule | None, str]] = {
    "_softmax": (_softmax, ATTENTION),
    "_safe_softmax": (_softmax, ATTENTION),
    "_log_softmax": (_along, ATTENTION),
    "cumsum": (_running, POOLING),
    "cumprod": (_running, POOLING),
    "logcumsumexp": (_running, POOLING),
    "topk": (_ranked, POOLING),
    "sort": (_along, POOLING),
    "native_layer_norm": (_layer_norm, NORMALISATION),
    "native_group_norm": (_group_norm, NORMALISATION),
    "mm": (_product, LINEAR),
    "bmm": (_product, LINEAR),
    "addmm": (_product, LINEAR),
    "baddbmm": (_product, LINEAR),
    "linear": (_linear, LINEAR),
}
