"""Comparison of computed with expected values, written as a lesson writes them."""

from collections.abc import Iterable

from torch import Tensor

from .line import Line


def line(key: str, expected: object, found: object, name: str = "") -> Line:
    """Return a line that is right if both values read alike."""
    said, came = text(expected), text(found)
    return Line(key, said, came, said == came, name)


def moves(key: str, found: float, name: str = "") -> Line:
    """Return a line that is right if a difference is above zero."""
    return Line(key, "> 0", text(found), found > 0, name)


def text(value: object) -> str:
    """Return a value as a lesson writes it: ``0.25, 0.25``, ``(2, 64, 56, 56)``, ``None``.

    Shapes, which are tuples of whole numbers, keep their parentheses.
    """
    if isinstance(value, Tensor):
        return text(value.flatten().tolist())
    if isinstance(value, tuple) and value and all(type(part) is int for part in value):
        return str(value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(text, value))
    return f"{value:g}".replace("-", "−") if isinstance(value, float) else str(value)


def farthest(one: Tensor, other: Tensor) -> float:
    """Return the largest difference between two tensors of one shape."""
    return float((one - other).abs().max())
