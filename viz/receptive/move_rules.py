"""Rules for operations that leave or move values without mixing them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import torch
from torch import Tensor

from .boxes import EMPTY, Boxes, compact, reshaped, slim, spread
from .operations import Operation, Rule, anything

# Each works on one value, but torch does not mark it so; the last row is for quantised values.
POINTWISE = frozenset(
    {"hardswish", "_prelu_kernel", "_to_copy", "log_sigmoid_forward", "rrelu_with_noise"}
    | {"native_dropout", "tril", "triu", "lift_fresh"}
    | {"quantize_per_tensor", "dequantize", "add_relu", "mul_relu"}
    | {"relu6", "batch_norm2d", "add", "mul"}
)
_RESHAPED = frozenset({"view", "_unsafe_view", "reshape", "_reshape_alias", "flatten", "unflatten"})
_MOVED = frozenset(
    {"flip", "rot90", "repeat"}
    | {"pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "native_channel_shuffle"}
    | {"reflection_pad1d", "reflection_pad2d", "reflection_pad3d", "replication_pad1d"}
    | {"replication_pad2d", "replication_pad3d"}
    | {"unsafe_split", "unsafe_chunk", "unsafe_split_with_sizes", "split_with_sizes_copy"}
)
_CHOSEN = frozenset({"index", "index_select", "gather", "take", "masked_select", "embedding"})
PUTTING = frozenset({"index_put", "index_fill"})
_MADE_NEW = frozenset({"fill", "zero", "uniform", "normal", "bernoulli", "random"})


def move_rule(function: Any, name: str) -> Rule | None:
    """Return the rule for an operation that mixes no places, or None."""
    if name in _MADE_NEW or name.startswith("new_") or name.endswith("_like"):
        return _made
    if _is_pointwise(function, name):
        return pointwise
    if name in _RESHAPED:
        return _reshaped
    if name in _CHOSEN:
        return chosen
    return _SPECIAL.get(name) or (moved if name in _MOVED or function.is_view else None)


@cache
def _is_pointwise(function: Any, name: str) -> bool:
    """Check for an operation on one value.

    torch tags some of them only in the form that writes nothing in place.
    """
    if torch.Tag.pointwise in function.tags or name in POINTWISE:
        return True
    packet = getattr(torch.ops.aten, name, None)
    tags = [tag for each in packet.overloads() for tag in getattr(packet, each).tags] if packet else []
    return torch.Tag.pointwise in tags and torch.Tag.reduction not in tags


def _made(operation: Operation) -> Boxes:
    """Give new values the boxes of what they are made from.

    The tensor itself only lends its shape, unless it holds the odds of a draw.
    """
    odds = operation.name == "bernoulli" and "p" not in operation.arguments
    parts = [operation.boxes("self")] if odds else operation.others("self")
    return operation.union(parts, operation.shape)


def _copied(operation: Operation) -> Boxes:
    return operation.union([operation.boxes("src")], operation.shape)


def _blanked(operation: Operation) -> Boxes:
    """Take the boxes away where constants are written.

    Where the picture decides the place or the value, anything may be anywhere.
    """
    if operation.others() or operation.get("accumulate"):
        return anything(operation)
    return operation.boxes("self").each(lambda plane: put(operation, plane, torch.tensor(EMPTY)))


def put(operation: Operation, plane: Tensor, value: Tensor) -> Tensor:
    """Return a plane with a value where an operation's index says."""
    given = {**operation.arguments, "self": plane, "values": value, "value": value}
    given = {name: _on_the_processor(given[name]) for name in operation.arguments}
    function = getattr(torch.ops.aten, operation.name)
    written: Tensor = function(**given)
    return written


def _reshaped(operation: Operation) -> Boxes:
    return operation.boxes("self").each(lambda plane: reshaped(plane, operation.shape))


def pointwise(operation: Operation) -> Boxes:
    """Return the union of the boxes read at each place."""
    read = operation.read()
    if len(read) == 1 and read[0].shape == operation.shape:
        return read[0]
    return operation.union(read, operation.shape)


def moved(operation: Operation) -> Boxes | list[Boxes]:
    """Move the boxes as the values.

    Where the picture decides how they move, another picture would move others.
    """
    return anything(operation) if operation.others() else _carried(operation)


def _carried(operation: Operation) -> list[Boxes]:
    """Run the operation on the planes, to carry boxes as values."""
    (name, first), *others = operation.arguments.items()
    boxes = operation.known(first)
    if boxes is None:
        return [operation.nothing(out.shape) for out in operation.outs]
    rest = {other: _on_the_processor(value) for other, value in others}
    runs = [operation.function(**{name: plane}, **rest) for plane in boxes.planes]
    if isinstance(operation.out, Tensor):
        runs = [[run] for run in runs]
    carried = [Boxes(planes, boxes.cause) for planes in zip(*runs, strict=True)]
    return carried if operation.function.is_view else [each.each(slim) for each in carried]


def chosen(operation: Operation) -> Boxes | list[Boxes]:
    """Move values as an index says.

    Where the picture decides the index, each comes from all along the indexed axes, and from what its index
    sees.
    """
    indices = operation.others()
    found = _choice(operation) if indices else None
    if found is None:
        return moved(operation)
    axes, behind = found
    first = next(iter(operation.arguments))
    source = operation.boxes(first).each(lambda plane: spread(plane, axes))
    taken = _carried(replace(operation, known=lambda _: source))
    return operation.union([*taken, *(boxes.followed_by(behind) for boxes in indices)], operation.shape)


def _choice(operation: Operation) -> tuple[Sequence[int], int] | None:
    """Return the indexed axes, and how many axes follow the index's own.

    None if that cannot be told, as with a mask: each of its values shifts those behind.
    """
    given, rank = operation.arguments, len(operation.shape)
    if operation.name in {"gather", "take"}:
        return ([given["dim"]] if "dim" in given else []), 0
    if operation.name == "index_select":
        return [given["dim"]], (-1 - given["dim"]) % max(rank, 1)
    if operation.name == "embedding":
        return [0], 1
    indices = given.get("indices", [])
    axes = [axis for axis, index in enumerate(indices) if index is not None]
    if not axes or any(indices[axis].dtype in {torch.bool, torch.uint8} for axis in axes):
        return None
    together = axes[-1] - axes[0] == len(axes) - 1  # otherwise torch puts the index's axes first
    own = max(indices[axis].ndim for axis in axes)
    return axes, rank - own - (axes[0] if together else 0)


def _on_the_processor(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_on_the_processor(part) for part in value]
    return value.cpu() if isinstance(value, Tensor) else value


def _joined(operation: Operation) -> Boxes:
    tensors, axis = operation.arguments["tensors"], operation.arguments["dim"]
    parts = [operation.known(tensor) or operation.nothing(tensor.shape) for tensor in tensors]
    if operation.name == "cat":
        parts = [
            part for part in parts if part.shape != (0,)
        ]  # torch lets an empty vector be joined to anything
        axis %= len(operation.shape)
    run: Callable[..., Tensor] = torch.cat if operation.name == "cat" else torch.stack
    planes = (
        run(_thinned([part.planes[side] for part in parts], axis, run), axis).expand(operation.shape)
        for side in range(operation.planes)
    )
    return Boxes(tuple(planes))


def _thinned(planes: list[Tensor], axis: int, run: Callable[..., Tensor]) -> list[Tensor]:
    """Return planes with one entry along axes where none changes.

    The joined axis of ``torch.cat`` is kept.
    """
    for each in range(planes[0].ndim):
        joint = run is torch.cat and each == axis
        if not joint and all(plane.stride(each) == 0 or plane.shape[each] == 1 for plane in planes):
            planes = [plane.narrow(each, 0, 1) for plane in planes]
    return planes


def _padded(operation: Operation) -> Boxes:
    boxes, pad = operation.boxes("self"), operation.arguments["pad"]
    if not any(pad):
        return boxes
    grown = {boxes.planes[0].ndim - 1 - side // 2 for side, width in enumerate(pad) if width}

    def widened(plane: Tensor) -> Tensor:
        for axis in set(range(plane.ndim)) - grown:
            if plane.stride(axis) == 0 and plane.shape[axis]:
                plane = plane.narrow(axis, 0, 1)
        return torch.constant_pad_nd(plane, pad, EMPTY).expand(operation.shape)

    return boxes.each(widened)


def _rolled(operation: Operation) -> Boxes:
    shifts, axes = operation.arguments["shifts"], operation.arguments["dims"]

    def rolled(plane: Tensor) -> Tensor:
        return torch.roll(compact(plane) if axes else plane, shifts, axes).expand(plane.shape)

    return operation.boxes("self").each(rolled)


def _unfolded(operation: Operation) -> Boxes:
    settings = dict(operation.arguments)
    del settings["self"]
    height, width = settings.pop("padding")

    def unfolded(plane: Tensor) -> Tensor:
        padded = torch.constant_pad_nd(plane, [width, width, height, height], EMPTY)
        run: Tensor = operation.function(padded, **settings, padding=[0, 0])
        return run

    return operation.boxes("self").each(unfolded)


_SPECIAL: dict[str, Rule] = {
    "copy": _copied,
    **dict.fromkeys(PUTTING, _blanked),
    "cat": _joined,
    "stack": _joined,
    "constant_pad_nd": _padded,
    "im2col": _unfolded,
    "roll": _rolled,
}
