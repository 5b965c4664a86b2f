"""What an explanation says, in plain values, and when its sum agrees with the captured value."""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

Numbers = tuple[tuple[str, float], ...]

# Sums in another order differ by a few rounding errors of the largest partial sum.
_ROUNDINGS = 4
_CUDNN = frozenset({"convolution", "recurrent"})  # a graphics card has these from another library
_PRODUCTS = frozenset({"linear", "attention", *_CUDNN})
_TF32 = 2.0**-10  # ten bits after the point, however the values are stored


@dataclass(frozen=True)
class Term:
    """One product of a sum: a number of the input, at ``place`` on its last axis, times its weight."""

    place: int
    value: float
    weight: float
    product: float


@dataclass(frozen=True)
class Patch:
    """What a window covers in one channel of the input, the last axis running fastest.

    Attributes:
        channel: which channel of the input.
        axes: for each axis the places that the window covers; a place outside the input is padding.
        length: how many places the input has along each axis.
        values: the numbers there, row by row; None for padding that a maximum or a mean ignores.
        weights: what each is multiplied with; empty for a pooling.
        total: the sum of the products, or the pooled value.
    """

    channel: int
    axes: tuple[tuple[int, ...], ...]
    length: tuple[int, ...]
    values: tuple[float | None, ...]
    weights: tuple[float, ...]
    total: float


@dataclass(frozen=True)
class Explanation:
    """How one number came about, or ``reason``: why it is not explained.

    Attributes:
        kind: ``"convolution"``, ``"pooling"``, ``"linear"``, ``"normalisation"``, ``"activation"``,
            ``"softmax"``, ``"move"``, ``"lookup"``, ``"addition"``, ``"scale"``, ``"resizing"``,
            ``"attention"``, ``"recurrent"``; empty when it is not explained.
        formula: how it was computed, in symbols.
        text: the same with this cell's numbers, rounded to six digits.
        value: the captured number.
        total: the number as computed here, in double precision.
        magnitude: the sum of the absolute values of what was added, which bounds the rounding errors.
        tolerance: by how much the two may differ, from the precision in which the layer computed.
        agrees: whether they differ by no more than that.
        precision: that precision, such as ``"float32"``.
        numbers: named numbers of the formula, such as bias, mean and variance.
        patch: the window in the channel that was asked for, or that counts most.
        channels: for every channel of the input that the cell sees, the sum of its products.
        terms: the products of a linear layer that count most, largest first.
        others: how many more products there are, and their sum.
        source: the cell of the input that the number was taken from unchanged, where there is one.
    """

    kind: str
    formula: str
    text: str
    total: float
    magnitude: float
    value: float = math.nan
    tolerance: float = 0.0
    agrees: bool = False
    precision: str = ""
    numbers: Numbers = ()
    patch: Patch | None = None
    channels: tuple[tuple[int, float], ...] = ()
    terms: tuple[Term, ...] = ()
    others: tuple[int, float] = (0, 0.0)
    source: tuple[int, ...] | None = None
    reason: str = ""

    @property
    def explained(self) -> bool:
        """Whether there is arithmetic to show."""
        return not self.reason

    @property
    def difference(self) -> float:
        """The captured number minus the computed one."""
        return self.value - self.total


def unexplained(reason: str) -> Explanation:
    """Return an explanation that says why the number is not explained."""
    return Explanation("", "", "", math.nan, 0.0, reason=reason)


def judged(found: Explanation, output: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation with the captured number added, and whether the two numbers agree."""
    value = number(output[cell])
    precision, step = _precision(output, found.kind)
    reach = max(found.magnitude, abs(found.total))
    tolerance = _ROUNDINGS * step * reach + _least_step(output)
    same = value == found.total or (math.isnan(value) and math.isnan(found.total))
    agrees = same or (math.isfinite(tolerance) and abs(value - found.total) <= tolerance)
    return replace(found, value=value, tolerance=tolerance, agrees=agrees, precision=precision)


def _least_step(output: Tensor) -> float:
    """Return how far apart the output's smallest numbers are; some processors have none below the normal."""
    least = torch.finfo(output.dtype) if output.is_floating_point() else torch.finfo(torch.float32)
    return max(torch.finfo(torch.float32).tiny, least.smallest_normal * least.eps)


def doubles(values: Tensor) -> Tensor:
    """Return the values on the processor, in double precision, which not every device has."""
    return values.detach().cpu().double()


def number(value: Tensor) -> float:
    """Return the one number that a tensor holds, with or without a gradient."""
    return float(value.detach())


def short(value: float) -> str:
    """Return a number with six digits, and a real minus sign."""
    return f"{value:.6g}".replace("-", "−")


def bracketed(value: float) -> str:
    """Return a number with six digits, in brackets if it has a minus sign."""
    return short(value) if value >= 0 else f"({short(value)})"


def product_text(value: float, weight: float) -> str:
    """Return one product in words, negative weights in brackets."""
    return f"{short(value)} × {bracketed(weight)}"


def _precision(output: Tensor, kind: str) -> tuple[str, float]:
    """Return the name and the relative step of the precision that a layer computed in."""
    if not output.is_floating_point():
        return str(output.dtype).removeprefix("torch."), 0.0
    rounded = kind in _PRODUCTS and output.is_cuda and output.dtype == torch.float32
    if rounded and _tensor_cores(kind):
        return "TF32", _TF32
    return str(output.dtype).removeprefix("torch."), torch.finfo(output.dtype).eps


def _tensor_cores(kind: str) -> bool:
    """Return whether products of float32 are rounded to TF32 on this graphics card."""
    library = torch.backends.cudnn if kind in _CUDNN else torch.backends.cuda.matmul
    return bool(library.allow_tf32)
