"""Rules for operations that mix whole axes: sums and means, normalisation, matrix products, attention."""

from collections.abc import Sequence

from torch import Tensor

from .boxes import Boxes, compact, merged, spread
from .operations import Operation, Rule

ATTENTION, LINEAR, NORMALISATION, POOLING = "attention", "linear", "normalisation", "pooling"


def mixture_rule(name: str, *, reduction: bool) -> tuple[Rule | None, str]:
    """Return the rule for an operation that mixes axes, and what to call it; None for other operations."""
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


def _along(operation: Operation) -> Boxes:
    """Mix along one axis and keep the shape: softmax, a running sum."""
    axis = operation.arguments["dim"]
    return operation.boxes("self").each(lambda plane: spread(plane, [axis]))


def _ranked(operation: Operation) -> Boxes:
    """Mix along one axis of which only some entries are kept, such as the largest."""
    axis, kept = operation.arguments["dim"], operation.shape
    return _along(operation).each(lambda plane: plane.narrow(axis, 0, kept[axis]))


def _batch_norm(operation: Operation) -> Boxes:
    """Running statistics mix nothing; those of the input itself mix all but the channels."""
    boxes = operation.boxes("input")
    if not operation.get("training", "train", "use_input_stats"):
        return boxes
    return boxes.each(lambda plane: spread(plane, [axis for axis in range(plane.ndim) if axis != 1]))


def _layer_norm(operation: Operation) -> Boxes:
    count = len(operation.arguments["normalized_shape"])
    return operation.boxes("input").each(lambda plane: spread(plane, list(range(-count, 0))))


def _group_norm(operation: Operation) -> Boxes:
    groups = operation.arguments["group"]

    def mixed(plane: Tensor) -> Tensor:
        thin = compact(plane)
        if groups == 1 or thin.shape[1] == 1:
            return spread(plane, list(range(1, plane.ndim)))
        each = thin.unflatten(1, (groups, -1))
        return spread(each, list(range(2, each.ndim))).flatten(1, 2).expand(plane.shape)

    return operation.boxes("input").each(mixed)


def _product(operation: Operation) -> Boxes:
    """A matrix product, plus what is added to it: each value sees one row and one column."""
    names = list(operation.arguments)
    left, right = factors(names)
    parts = [
        operation.boxes(left).each(lambda plane: compact(plane).amax(-1, keepdim=True)),
        operation.boxes(right).each(lambda plane: compact(plane).amax(-2, keepdim=True)),
    ]
    added = [operation.boxes("self")] if left != "self" else []
    return operation.union([*parts, *added], operation.shape)


def factors(names: Sequence[str]) -> tuple[str, str]:
    """Return which two of an operation's arguments, given by name, are the factors of a matrix product."""
    pairs = (("mat1", "mat2"), ("batch1", "batch2"), ("self", "mat2"))
    return next(pair for pair in pairs if pair[0] in names and pair[1] in names)


def _linear(operation: Operation) -> Boxes:
    return operation.union(
        [operation.boxes("input").each(lambda plane: compact(plane).amax(-1, keepdim=True))], operation.shape
    )


def _attention(operation: Operation) -> Boxes:
    """Each query sees itself, and all keys and values; masks belong to the model and are ignored."""
    query, key = operation.boxes("query"), operation.boxes("key")
    together = [-2, -1] if key.shape[1] == query.shape[1] else [-3, -2, -1]  # several heads may share one key
    seen = [
        boxes.each(lambda plane: compact(plane).amax(together, keepdim=True))
        for boxes in (key, operation.boxes("value"))
    ]
    own = query.each(lambda plane: compact(plane).amax(-1, keepdim=True))
    return operation.union([own, *seen], operation.shape)


_RULES: dict[str, tuple[Rule | None, str]] = {
    "_softmax": (_along, ATTENTION),
    "_safe_softmax": (_along, ATTENTION),
    "_log_softmax": (_along, ATTENTION),
    "cumsum": (_along, POOLING),
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
