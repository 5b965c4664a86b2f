"""One number of an operation outside layers, such as a sum."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn

from ...findings.explanation import Explanation, unexplained
from ...sentences import Sentence
from .explanation import bracketed, doubles, judged, number, short
from .layers import explain
from .products import addition, linear

# Functions that compute what a layer computes, and the names of their arguments behind the input.
_AS_LAYERS: dict[str, tuple[type[nn.Module], tuple[str, ...]]] = {
    "relu": (nn.ReLU, ()),
    "relu6": (nn.ReLU6, ()),
    "gelu": (nn.GELU, ()),
    "silu": (nn.SiLU, ()),
    "mish": (nn.Mish, ()),
    "sigmoid": (nn.Sigmoid, ()),
    "tanh": (nn.Tanh, ()),
    "hardswish": (nn.Hardswish, ()),
    "hardsigmoid": (nn.Hardsigmoid, ()),
    "softsign": (nn.Softsign, ()),
    "logsigmoid": (nn.LogSigmoid, ()),
    "selu": (nn.SELU, ()),
    "elu": (nn.ELU, ("alpha",)),
    "celu": (nn.CELU, ("alpha",)),
    "leaky_relu": (nn.LeakyReLU, ("negative_slope",)),
    "hardtanh": (nn.Hardtanh, ("min_val", "max_val")),
    "softplus": (nn.Softplus, ("beta", "threshold")),
    "softmax": (nn.Softmax, ("dim",)),
    "log_softmax": (nn.LogSoftmax, ("dim",)),
    "max_pool2d": (nn.MaxPool2d, ("kernel_size", "stride", "padding", "dilation", "ceil_mode")),
    "avg_pool2d": (
        nn.AvgPool2d,
        ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"),
    ),
    "adaptive_avg_pool2d": (nn.AdaptiveAvgPool2d, ("output_size",)),
    "adaptive_max_pool2d": (nn.AdaptiveMaxPool2d, ("output_size",)),
}
# These take numbers from their first input as they are.
_MOVES = frozenset(
    {"chunk", "expand", "flatten", "flip", "getitem", "movedim", "narrow", "permute", "repeat", "reshape"}
    | {"roll", "select", "split", "squeeze", "swapaxes", "t", "tile", "transpose", "unflatten", "unsqueeze"}
    | {"view"}
)


# NumPy's names of arguments, and torch's own for the function ``split``, as torch's methods call them.
_USUAL = {"axis": "dim", "keepdims": "keepdim", "split_size_or_sections": "split_size"}


class _OperationCall(NamedTuple):
    """An operation's arguments and output, and one number's place in it."""

    function: str
    inputs: Sequence[Any]
    keywords: Mapping[str, Any]
    output: Tensor
    cell: tuple[int, ...]
    leaf: str


def explain_operation(
    function: str,
    inputs: Sequence[Any],
    output: Tensor,
    cell: tuple[int, ...],
    *,
    keywords: Mapping[str, Any] | None = None,
    leaf: str = "",
) -> Explanation:
    """Return how an operation's number was made, or why that is unknown.

    Args:
        function: its plain name, such as ``add``.
        inputs: its positional arguments, as captured.
        output: the tensor that it returned.
        cell: an index along every axis of the output.
        keywords: its arguments by name.
        leaf: which of several tensors the output is, such as ``output[1]``.
    """
    given = _OperationCall(function, inputs, _usual(keywords or {}), output, cell, leaf)
    unknown = unexplained(Sentence("The arithmetic of {what} is not explained here.", what=function))
    tensors = [each for each in inputs if isinstance(each, Tensor)]
    if any(each.is_complex() or each.is_quantized for each in (output, *tensors)):
        return unknown
    alike = layer_like(function, inputs, given.keywords)
    if alike and tensors:
        return explain(alike, tensors[:1], output, cell)
    explains = _EXPLAINED.get(function) or (_move if function in _MOVES else None)
    found = explains(given) if explains else None
    return judged(found, output, cell) if found else unknown


def layer_like(function: str, inputs: Sequence[Any], keywords: Mapping[str, Any]) -> nn.Module | None:
    """Return a layer that computes the same as a function's call.

    None if no layer does.
    """
    if function not in _AS_LAYERS:
        return None
    kind, names = _AS_LAYERS[function]
    known = inspect.signature(kind).parameters
    settings = dict(zip(names, inputs[1:], strict=False)) | _usual(keywords)
    return kind(**{name: value for name, value in settings.items() if name in known and name != "inplace"})


def _usual(keywords: Mapping[str, Any]) -> dict[str, Any]:
    return {_USUAL.get(name, name): value for name, value in keywords.items()}


def _operands(given: _OperationCall) -> tuple[float, float] | None:
    """Return the two numbers that an operator joined, after broadcasting."""
    if len(given.inputs) != 2:  # noqa: PLR2004  (left and right)
        return None
    shape = given.output.shape
    both = (
        number(each.expand(shape)[given.cell]) if isinstance(each, Tensor) else float(each)
        for each in given.inputs
    )
    left, right = both
    return left, right


def _sum(given: _OperationCall) -> Explanation | None:
    both = _operands(given)
    if both is None:
        return None
    left, right = both
    if "alpha" in given.keywords:
        right *= float(given.keywords["alpha"])
    return addition((torch.tensor(left, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)), ())


def _difference(given: _OperationCall) -> Explanation | None:
    both = _operands(given)
    if both is None:
        return None
    left, right = _in_order(both, given, lambda left, right: left - right)
    right *= float(given.keywords.get("alpha", 1))
    return _binary(left, "−", right, left - right, abs(left) + abs(right))


def _product(given: _OperationCall) -> Explanation | None:
    both = _operands(given)
    if both is None:
        return None
    left, right = both
    return _binary(left, "×", right, left * right, abs(left * right))


def _quotient(given: _OperationCall) -> Explanation | None:
    both = _operands(given)
    if both is None or given.keywords.get("rounding_mode"):
        return None
    left, right = _in_order(both, given, _divided)
    total = _divided(left, right)
    return _binary(left, "÷", right, total, abs(total))


def _divided(left: float, right: float) -> float:
    return float(torch.tensor(left, dtype=torch.float64) / right)  # by zero too, as torch divides


def _in_order(
    both: tuple[float, float], given: _OperationCall, compute: Callable[[float, float], float]
) -> tuple[float, float]:
    """Return the operands as the code has them.

    In ``1 - x``, x is the function's first argument.
    """
    left, right = both
    wanted = number(given.output[given.cell])
    swapped = isinstance(given.inputs[0], Tensor) and not isinstance(given.inputs[1], Tensor)
    if swapped and abs(compute(right, left) - wanted) < abs(compute(left, right) - wanted):
        return right, left
    return left, right


def _binary(left: float, sign: str, right: float, total: float, magnitude: float) -> Explanation:
    text = f"{short(left)} {sign} {bracketed(right)} = {short(total)}"
    numbers = (("input 0", left), ("input 1", right))
    return Explanation("operation", f"x {sign} y", text, total, magnitude, numbers=numbers)


def _matrix_product(given: _OperationCall) -> Explanation | None:
    """Return the explanation of one cell of a matrix product."""
    tensors = [each for each in given.inputs if isinstance(each, Tensor)]
    if len(tensors) != 2:  # noqa: PLR2004  (two matrices)
        return None
    left, right, cell = *tensors, given.cell
    if right.ndim == 1:
        right, cell = right[:, None], (*cell, 0)
    if left.ndim == 1:
        left, cell = left[None], (*cell[:-1], 0, cell[-1])
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    row = left.expand(*batch, *left.shape[-2:])[cell[:-1]]
    column = right.expand(*batch, *right.shape[-2:])[cell[:-2]][:, cell[-1]]
    return _weighted(row, column[None], None, 0)


def _linear(given: _OperationCall) -> Explanation | None:
    named = dict(zip(("input", "weight", "bias"), given.inputs, strict=False)) | dict(given.keywords)
    weight = named.get("weight")
    if weight is None or weight.ndim != 2:  # noqa: PLR2004  (outputs, inputs)
        return None
    return _weighted(named["input"][given.cell[:-1]], weight, named.get("bias"), given.cell[-1])


def _weighted(row: Tensor, weights: Tensor, bias: Tensor | None, place: int) -> Explanation:
    layer = cast("nn.Linear", SimpleNamespace(weight=weights, bias=bias))
    return linear(layer, row[None], (0, place))


def _joined(given: _OperationCall) -> Explanation | None:
    """Return the explanation of a number of ``cat`` or ``stack``."""
    if not given.inputs or not isinstance(given.inputs[0], list | tuple):
        return None
    axis = int(given.inputs[1] if len(given.inputs) > 1 else given.keywords.get("dim", 0))
    axis, at, stacked = axis % given.output.ndim, given.cell, given.function == "stack"
    place = at[axis]
    for turn, part in enumerate(given.inputs[0]):
        length = 1 if stacked else part.shape[axis]
        if place < length:
            source = (*at[:axis], *(() if stacked else (place,)), *at[axis + 1 :])
            return _taken(Sentence("the number of input {place}", place=turn), part, source, f"input {turn}")
        place -= length
    return None


def _move(given: _OperationCall) -> Explanation | None:
    """Return where a number came from, by moving all cells' numbers."""
    from_here = given.inputs[0] if given.inputs else None
    name = "__getitem__" if given.function == "getitem" else given.function
    if not isinstance(from_here, Tensor) or not hasattr(Tensor, name):
        return None
    cells = torch.arange(from_here.numel()).view(from_here.shape)
    rest = [each.cpu() if isinstance(each, Tensor) else each for each in given.inputs[1:]]
    moved = getattr(Tensor, name)(cells, *rest, **given.keywords)
    if isinstance(moved, tuple | list):
        moved = moved[int(given.leaf.removeprefix("output").strip("[]") or 0)]
    source = tuple(int(each) for each in torch.unravel_index(moved[given.cell], from_here.shape))
    return _taken(Sentence("the input's own number"), from_here, source, "input")


def _taken(formula: Sentence, part: Tensor, source: tuple[int, ...], what: str) -> Explanation:
    value = number(part[source])
    text = f"{what}{list(source)} = {short(value)}"
    return Explanation("move", formula, text, value, abs(value), source=source)


def _gathered(given: _OperationCall) -> Explanation | None:
    """Return the sum or the mean over some axes."""
    inputs = given.inputs[0] if given.inputs else None
    axes = given.inputs[1] if len(given.inputs) > 1 else given.keywords.get("dim")
    if not isinstance(inputs, Tensor) or given.keywords.get("dtype") is not None:
        return None
    every = range(inputs.ndim)
    chosen = [axes] if isinstance(axes, int) else list(axes or every)  # no axis means every one
    gone = sorted({axis % inputs.ndim for axis in chosen})
    kept = given.output.ndim == inputs.ndim
    rest = iter(given.cell)
    index: list[Any] = []
    for axis in every:
        if axis in gone:
            index.append(slice(None))
            if kept:
                next(rest)
        else:
            index.append(next(rest))
    values = doubles(inputs[tuple(index)]).flatten()
    count = len(values) if given.function == "mean" else 1
    total = float(values.sum()) / count
    formula = (
        Sentence("(Σ over {count} values) ÷ {count}", count=len(values))
        if given.function == "mean"
        else Sentence("Σ over {count} values", count=len(values))
    )
    text = f"{short(float(values.sum()))}{f' ÷ {count}' if count > 1 else ''} = {short(total)}"
    return Explanation("operation", formula, text, total, float(values.abs().sum()) / count)


_EXPLAINED: dict[str, Callable[[_OperationCall], Explanation | None]] = {
    "add": _sum,
    "sub": _difference,
    "mul": _product,
    "multiply": _product,
    "div": _quotient,
    "truediv": _quotient,
    "true_divide": _quotient,
    "matmul": _matrix_product,
    "bmm": _matrix_product,
    "mm": _matrix_product,
    "linear": _linear,
    "cat": _joined,
    "concat": _joined,
    "stack": _joined,
    "sum": _gathered,
    "mean": _gathered,
}
