"""One number of a lesson: the expected value, and the one computed on this machine."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class Line:
    """One number, or a few that belong together.

    Attributes:
        key: which number it is; the page's catalogue has a sentence for it.
        expected: what the document says, or what follows by hand for other parameters.
        found: what was computed just now.
        right: whether the two agree.
        name: a part of the sentence that is the same in every language, such as a method's name.
    """

    key: str
    expected: str
    found: str
    right: bool
    name: str = ""


def line(key: str, expected: object, found: object, name: str = "") -> Line:
    """Return a line that is right if both values are written the same."""
    said, came = text(expected), text(found)
    return Line(key, said, came, said == came, name)


def moves(key: str, found: float, name: str = "") -> Line:
    """Return a line that is right if a difference is greater than zero."""
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
