"""Explanations' numbers as text, and their agreement with the captured value."""

import math
import os
from dataclasses import replace

import torch
from torch import Tensor

from ...findings.explanation import Explanation

# Sums in another order differ by a few rounding errors of the largest partial sum.
_ROUNDINGS = 4
_CUDNN = frozenset({"convolution", "recurrent"})  # a graphics card has these from another library
_PRODUCTS = frozenset({"linear", "attention", *_CUDNN})
_TF32 = 2.0**-10  # ten bits after the point, however the values are stored


def judged(found: Explanation, output: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation with the captured number, and their agreement."""
    value = number(output[cell])
    precision, step = _precision(output, found.kind)
    reach = max(found.magnitude, abs(found.total))
    tolerance = _ROUNDINGS * step * reach + _least_step(output)
    same = value == found.total or (math.isnan(value) and math.isnan(found.total))
    agrees = same or (math.isfinite(tolerance) and abs(value - found.total) <= tolerance)
    return replace(found, value=value, tolerance=tolerance, agrees=agrees, precision=precision)


def _least_step(output: Tensor) -> float:
    """Return the distance between the output's smallest numbers.

    It is at least the smallest normal float32: some processors lack subnormal numbers.
    """
    least = torch.finfo(output.dtype) if output.is_floating_point() else torch.finfo(torch.float32)
    return max(torch.finfo(torch.float32).tiny, least.smallest_normal * least.eps)


def doubles(values: Tensor) -> Tensor:
    """Return the values on the processor, in double precision.

    Not every device has double precision.
    """
    return values.detach().cpu().double()


def number(value: Tensor) -> float:
    """Return a tensor's only number, with or without a gradient."""
    return float(value.detach())


def short(value: float) -> str:
    """Return a number with six digits, and a real minus sign."""
    return f"{value:.6g}".replace("-", "−")


def bracketed(value: float) -> str:
    """Return a number with six digits, in brackets if negative."""
    return short(value) if value >= 0 else f"({short(value)})"


def product_text(value: float, weight: float) -> str:
    """Return one product in words, negative weights in brackets."""
    return f"{short(value)} × {bracketed(weight)}"


def _precision(output: Tensor, kind: str) -> tuple[str, float]:
    """Return the name and the relative step of a layer's precision."""
    if not output.is_floating_point():
        return str(output.dtype).removeprefix("torch."), 0.0
    rounded = kind in _PRODUCTS and output.is_cuda and output.dtype == torch.float32
    if rounded and _tensor_cores(kind):
        return "TF32", _TF32
    return str(output.dtype).removeprefix("torch."), torch.finfo(output.dtype).eps


def _tensor_cores(kind: str) -> bool:
    """Return whether products of float32 are rounded to TF32 on this card."""
    library = torch.backends.cudnn if kind in _CUDNN else torch.backends.cuda.matmul
    return bool(library.allow_tf32) and os.environ.get("NVIDIA_TF32_OVERRIDE") != "0"
