"""One number of an activation, a softmax or a gated linear unit."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from torch import Tensor, nn

from ...findings.explanation import Explanation
from ...sentences import Sentence
from .explanation import bracketed, doubles, number, short

# Source: Klambauer et al., Self-normalizing neural networks (2017), equation 14.
_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


class _Function(NamedTuple):
    """An activation function of one number, which is ``{x}`` in the formula.

    Addends on the way are of the size of the number, up to ``most``, however small the result is.
    """

    formula: Callable[[Any], str]
    value: Callable[[Any, float], float]
    most: float = 1.0


def activation(layer: nn.Module, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of an activation.

    The layer is one of ``FUNCTIONS`` or ``NAMED``.
    """
    kind = _kind(layer)
    function = NAMED[type(layer).__name__] if kind is None else FUNCTIONS[kind]
    value = number(inputs[cell])
    total = math.nan if math.isnan(value) else function.value(layer, value)
    return _of_one_value(function.formula(layer), value, total, function.most)


def is_activation(layer: nn.Module) -> bool:
    """Return whether the layer is a known activation or an identity."""
    return isinstance(layer, nn.Identity) or _kind(layer) is not None or type(layer).__name__ in NAMED


def _kind(layer: nn.Module) -> type | None:
    return next((kind for kind in type(layer).__mro__ if kind in FUNCTIONS), None)


def prelu(layer: nn.PReLU, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a ReLU with learned slopes.

    Source: He et al., Delving deep into rectifiers (2015), equation 1.
    """
    slopes, value = layer.weight.detach(), number(inputs[cell])
    slope = number(slopes[cell[1] if len(slopes) > 1 else 0])
    total = value if value > 0 else slope * value
    return _of_one_value(f"max(0, {{x}}) + {bracketed(slope)} × min(0, {{x}})", value, total)


def softmax(layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a softmax or its logarithm.

    Source: Goodfellow, Bengio and Courville, Deep learning (2016), section 4.1.
    """
    row, place = softmax_row(layer, inputs, cell)
    value, largest = float(row[place]), float(row.max())
    below = row - largest
    weights = below.exp()
    total_weight = float(weights.sum())
    share = math.exp(value - largest) / total_weight
    logarithm = isinstance(layer, nn.LogSoftmax)
    total = value - largest - math.log(total_weight) if logarithm else share
    text = f"exp({short(value)} − {bracketed(largest)}) ÷ {short(total_weight)} = {short(share)}"
    # A rounding of an exponent is, at the same size, a relative error of its power: of this one, and of each
    # in the sum, by its share. The logarithm turns relative errors into absolute ones.
    exponents = abs(value - largest) + float((weights * below.abs()).nansum()) / total_weight
    magnitude = abs(total) + (1.0 + exponents) * (1.0 if logarithm else share)
    numbers = (("x", value), ("largest", largest), ("sum", total_weight))
    return Explanation(
        "softmax",
        Sentence("log(exp(x − largest) ÷ Σ over {count} values: exp(x − largest))", count=len(row))
        if logarithm
        else Sentence("exp(x − largest) ÷ Σ over {count} values: exp(x − largest)", count=len(row)),
        f"log({text.split(' = ', maxsplit=1)[0]}) = {short(total)}" if logarithm else text,
        total,
        magnitude,
        numbers=numbers,
    )


def softmax_row(layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> tuple[Tensor, int]:
    """Return a softmax's input row (S) and the cell's place in it.

    The row is in double precision.
    """
    axis = _axis(layer, inputs.ndim) % inputs.ndim
    row = doubles(inputs.movedim(axis, -1)[(*cell[:axis], *cell[axis + 1 :])])
    return (-row if isinstance(layer, nn.Softmin) else row), cell[axis]


def gate(layer: nn.GLU, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a gated linear unit.

    Source: Dauphin et al., Language modeling with gated convolutional networks (2017), equation 1.
    """
    axis = layer.dim % inputs.ndim
    half = inputs.shape[axis] // 2
    value = number(inputs[cell])
    other = number(inputs[(*cell[:axis], cell[axis] + half, *cell[axis + 1 :])])
    total = value * _sigmoid(other)
    text = f"{short(value)} × sigmoid({short(other)}) = {short(total)}"
    numbers = (("x", value), ("gate", other))
    return Explanation("activation", Sentence("x × sigmoid(gate)"), text, total, abs(value), numbers=numbers)


def _of_one_value(formula: str, value: float, total: float, most: float = 1.0) -> Explanation:
    shown = bracketed(value)
    return Explanation(
        "activation",
        formula.replace("{x}", "x"),
        f"{formula.replace('{x}', shown)} = {short(total)}",
        total,
        max(abs(total), min(abs(value), most)),
        numbers=(("x", value),),
    )


def _axis(layer: Any, dimensions: int) -> int:
    """Return a softmax's axis, by torch's rule if ``dim`` is None."""
    if isinstance(layer, nn.Softmax2d):
        return -3
    if layer.dim is not None:
        return int(layer.dim)
    return 0 if dimensions in (0, 1, 3) else 1


def _sigmoid(x: float) -> float:
    small = math.exp(-abs(x))  # a large positive exponent would overflow
    return 1 / (1 + small) if x >= 0 else small / (1 + small)


def _softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _elu(x: float, alpha: float) -> float:
    return x if x > 0 else alpha * math.expm1(x)


def _gelu(layer: nn.GELU, x: float) -> float:
    """Source: Hendrycks and Gimpel, Gaussian error linear units (2016), section 2."""
    if layer.approximate == "tanh":
        return x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return x / 2 * math.erfc(-x / math.sqrt(2))


def _gelu_formula(layer: nn.GELU) -> str:
    if layer.approximate == "tanh":
        return "{x} ÷ 2 × (1 + tanh(√(2 ÷ π) × ({x} + 0.044715 × {x}³)))"
    return "{x} ÷ 2 × (1 + erf({x} ÷ √2))"


def _celu_formula(layer: nn.CELU) -> str:
    alpha = short(layer.alpha)
    return f"max(0, {{x}}) + {alpha} × (exp(min(0, {{x}}) ÷ {alpha}) − 1)"


def _clamped(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


def _fixed(formula: str) -> Callable[[Any], str]:
    return lambda _: formula


def _entry(formula: str, value: Callable[[float], float]) -> _Function:
    return _Function(_fixed(formula), lambda _, x: value(x))


FUNCTIONS: dict[type, _Function] = {
    nn.ReLU: _entry("max(0, {x})", lambda x: max(0.0, x)),
    nn.ReLU6: _entry("min(max(0, {x}), 6)", lambda x: _clamped(x, 0.0, 6.0)),
    nn.Sigmoid: _entry("1 ÷ (1 + exp(−{x}))", _sigmoid),
    nn.Tanh: _entry("tanh({x})", math.tanh),
    nn.SiLU: _entry("{x} × sigmoid({x})", lambda x: x * _sigmoid(x)),
    nn.Mish: _entry("{x} × tanh(log(1 + exp({x})))", lambda x: x * math.tanh(_softplus(x))),
    nn.Hardswish: _entry("{x} × min(max({x} + 3, 0), 6) ÷ 6", lambda x: x * _clamped(x + 3, 0.0, 6.0) / 6),
    nn.Hardsigmoid: _entry("min(max({x} + 3, 0), 6) ÷ 6", lambda x: _clamped(x + 3, 0.0, 6.0) / 6),
    nn.Softsign: _entry("{x} ÷ (1 + |{x}|)", lambda x: x / (1 + abs(x))),
    nn.LogSigmoid: _entry("−log(1 + exp(−{x}))", lambda x: -_softplus(-x)),
    nn.Tanhshrink: _entry("{x} − tanh({x})", lambda x: x - math.tanh(x)),
    nn.SELU: _entry(
        "1.0507 × (max(0, {x}) + 1.67326 × (exp(min(0, {x})) − 1))",
        lambda x: _SELU_SCALE * _elu(x, _SELU_ALPHA),
    ),
    nn.GELU: _Function(_gelu_formula, _gelu, most=8.0),  # beyond that 1 + erf is exactly 0
    nn.LeakyReLU: _Function(
        lambda layer: f"max(0, {{x}}) + {bracketed(layer.negative_slope)} × min(0, {{x}})",
        lambda layer, x: x if x > 0 else layer.negative_slope * x,
    ),
    nn.ELU: _Function(
        lambda layer: f"max(0, {{x}}) + {bracketed(layer.alpha)} × (exp(min(0, {{x}})) − 1)",
        lambda layer, x: _elu(x, layer.alpha),
    ),
    nn.CELU: _Function(
        _celu_formula, lambda layer, x: x if x > 0 else layer.alpha * math.expm1(x / layer.alpha)
    ),
    nn.Hardtanh: _Function(
        lambda layer: f"min(max({short(layer.min_val)}, {{x}}), {short(layer.max_val)})",
        lambda layer, x: _clamped(x, layer.min_val, layer.max_val),
    ),
    nn.Softplus: _Function(
        lambda layer: f"log(1 + exp({short(layer.beta)} × {{x}})) ÷ {short(layer.beta)}",
        lambda layer, x: x if x * layer.beta > layer.threshold else _softplus(x * layer.beta) / layer.beta,
    ),
    nn.Threshold: _Function(
        lambda layer: f"{{x}} > {short(layer.threshold)} ? {{x}} : {short(layer.value)}",
        lambda layer, x: x if x > layer.threshold else layer.value,
    ),
    nn.Hardshrink: _Function(
        lambda layer: f"|{{x}}| > {short(layer.lambd)} ? {{x}} : 0",
        lambda layer, x: x if abs(x) > layer.lambd else 0.0,
    ),
    nn.Softshrink: _Function(
        lambda layer: f"sign({{x}}) × max(0, |{{x}}| − {short(layer.lambd)})",
        lambda layer, x: math.copysign(max(abs(x) - layer.lambd, 0.0), x),
    ),
}


def _twin(layer: nn.Module) -> _Function:
    """Return a torch activation's function for its twin in another library."""
    function = FUNCTIONS[type(layer)]
    return _Function(lambda _: function.formula(layer), lambda _, x: function.value(layer, x), function.most)


NAMED: dict[str, _Function] = {
    "Sigmoid": _twin(nn.Sigmoid()),
    "Tanh": _twin(nn.Tanh()),
    "GELU": _twin(nn.GELU()),
    "GELUTanh": _twin(nn.GELU("tanh")),
    **dict.fromkeys(("Swish", "SwishMe"), _twin(nn.SiLU())),
    **dict.fromkeys(("Mish", "MishMe"), _twin(nn.Mish())),
    **dict.fromkeys(("HardSwish", "HardSwishMe"), _twin(nn.Hardswish())),
    **dict.fromkeys(("HardSigmoid", "HardSigmoidMe"), _twin(nn.Hardsigmoid())),
    **dict.fromkeys(
        ("HardMish", "HardMishMe"),
        _entry("{x} × min(max({x} + 2, 0), 2) ÷ 2", lambda x: x / 2 * _clamped(x + 2, 0.0, 2.0)),
    ),
    "QuickGELU": _entry("{x} × sigmoid(1.702 × {x})", lambda x: x * _sigmoid(1.702 * x)),
}
"""Activations of other libraries, by the names of their classes."""
