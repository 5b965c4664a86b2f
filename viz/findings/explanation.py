"""Explanation of one number, in plain values."""

import math
from dataclasses import dataclass

Numbers = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Term:
    """One product of a sum: an input number times its weight.

    ``place``: where the number lies on the input's last axis.
    """

    place: int
    value: float
    weight: float
    product: float


@dataclass(frozen=True)
class Patch:
    """A window's numbers in one channel of the input.

    The last axis runs fastest.

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
    """Arithmetic of one number, or the ``reason`` why it is not explained.

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
        """True if there is arithmetic to show."""
        return not self.reason

    @property
    def difference(self) -> float:
        """The captured number minus the computed one."""
        return self.value - self.total


def unexplained(reason: str) -> Explanation:
    """Return an explanation that says why the number is not explained."""
    return Explanation("", "", "", math.nan, 0.0, reason=reason)


@dataclass(frozen=True)
class Field:
    """A box on the model's input, in pixels.

    The row ``bottom`` and the column ``right`` are just outside it.

    Attributes:
        whole: whether the box is the whole picture.
        cause: what made it whole: ``"pooling"``, ``"attention"``, ``"linear"``, ``"normalisation"``, the name
            of an operation that is not known here, or ``""`` if the windows just grew that large.
        note: the same in one sentence.
    """

    top: int
    left: int
    bottom: int
    right: int
    whole: bool
    cause: str
    note: str
