"""One number of a linear layer, lookup, scale or sum."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor, nn

from ...findings.explanation import Explanation, Numbers, Term
from ...sentences import Sentence, counted
from .explanation import bracketed, doubles, number, product_text, short

_KEPT = 64  # terms that an explanation carries
_GAINS, _SHIFTS = (
    ("gamma", "scale", "alpha", "lambda1", "weight"),
    ("beta", "bias"),
)  # names that libraries use
_SHOWN = 4  # of them in a line of text


def linear(layer: nn.Linear, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a linear layer."""
    values = doubles(inputs[cell[:-1]]).flatten()
    weights = doubles(layer.weight[cell[-1]])
    products = values * weights
    bias = 0.0 if layer.bias is None else number(layer.bias[cell[-1]])
    total = float(products.sum()) + bias
    terms = _largest(values, weights, products)
    rest = len(products) - len(terms), float(products.sum()) - sum(term.product for term in terms)
    return Explanation(
        "linear",
        counted("input × weight", "Σ over {count} inputs: input × weight", count=len(products))
        if layer.bias is None
        else counted(
            "input × weight + bias", "Σ over {count} inputs: input × weight + bias", count=len(products)
        ),
        _text(terms, products, None if layer.bias is None else bias, total),
        total,
        float(products.abs().sum()) + abs(bias),
        numbers=() if layer.bias is None else (("bias", bias),),
        terms=terms,
        others=rest,
    )


def lookup(layer: nn.Embedding, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of an embedding."""
    row = int(inputs[cell[:-1]])
    value = number(layer.weight[row, cell[-1]])
    text = f"row {row}, column {cell[-1]} of the table: {short(value)}"
    return Explanation(
        "lookup", Sentence("table[row, column]"), text, value, abs(value), numbers=(("row", float(row)),)
    )


def scaled(layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a layer that scales channels.

    Source: Touvron et al., Going deeper with image transformers (2021), equation 6.
    """
    names = dict(layer.named_parameters(recurse=False))
    gains, shifts = (next((names[one] for one in known if one in names), None) for known in (_GAINS, _SHIFTS))
    in_front = len(getattr(layer, "shape", ())) > 1 or type(layer).__name__.endswith("2d")
    place = cell[-3] if in_front else cell[-1]
    value = number(inputs[cell])
    gain = 1.0 if gains is None else number(gains.flatten()[place])
    shift = 0.0 if shifts is None else number(shifts.flatten()[place])
    total = value * gain + shift
    written = product_text(value, gain)
    numbers: Numbers = (("x", value), ("weight", gain))
    if shifts is None:
        formula, text = Sentence("x × weight"), f"{written} = {short(total)}"
    else:
        formula, text = Sentence("x × weight + bias"), f"{written} + {bracketed(shift)} = {short(total)}"
        numbers = (*numbers, ("bias", shift))
    return Explanation("scale", formula, text, total, abs(value * gain) + abs(shift), numbers=numbers)


def addition(parts: Sequence[Tensor], cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a sum of equal-shaped tensors."""
    values = [number(part[cell]) for part in parts]
    total = sum(values)
    text = f"{' + '.join(map(short, values))} = {short(total)}"
    numbers = tuple((f"input {place}", value) for place, value in enumerate(values))
    formula = counted("the only input", "the sum of {count} inputs", count=len(values))
    return Explanation("addition", formula, text, total, sum(map(abs, values)), numbers=numbers)


def _largest(values: Tensor, weights: Tensor, products: Tensor) -> tuple[Term, ...]:
    order = products.abs().argsort(descending=True, stable=True)[:_KEPT].tolist()
    return tuple(
        Term(place, number(values[place]), number(weights[place]), number(products[place])) for place in order
    )


def _text(terms: Sequence[Term], products: Tensor, bias: float | None, total: float) -> str:
    shown = [product_text(term.value, term.weight) for term in terms[:_SHOWN]]
    left = len(products) - len(shown)
    rest = float(products.sum()) - sum(term.product for term in terms[:_SHOWN])
    more = [f"{short(rest)} (the other {left})"] if left else []
    ending = [] if bias is None else [f"{short(bias)} (bias)"]
    return f"{' + '.join([*shown, *more, *ending])} = {short(total)}"
