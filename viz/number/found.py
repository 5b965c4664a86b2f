"""Findings about one number, or about a channel's weights, in plain values."""

from dataclasses import dataclass, field

from ..findings.explanation import Explanation, Field

_NUMBER = 36  # bytes of a Python number and of its place in a tuple
Place = tuple[int, int, int]
"""(channel, height, width) in the maps of a view."""


@dataclass(frozen=True)
class Breakdown:
    """Facts about one number, as plain values.

    Attributes:
        layer: the layer's name.
        cell: the number's index along every axis of what the layer returned.
        field: the box on the model's input that it comes from.
        size: (height, width) of the model's input.
        explanation: how the layer made it from its own input.
        edited: whether an edit changed it after the layer had made it.
    """

    layer: str
    cell: tuple[int, ...]
    field: Field
    size: tuple[int, int]
    explanation: Explanation
    edited: bool = False

    @property
    def bytes(self) -> int:
        """About how much memory its numbers take."""
        patch, found = self.explanation.patch, self.explanation
        window = len(patch.values) + len(patch.weights) if patch else 0
        return _NUMBER * (window + 2 * len(found.channels) + 4 * len(found.terms))


@dataclass(frozen=True)
class FilterView:
    """The weights that make one channel, drawn; plain values and bytes only.

    Attributes:
        png: the kernels side by side, one pixel for each weight, blue below zero and red above.
        columns: how many kernels are in a row.
        kernels: how many there are, each (height, width) as it is drawn.
        depth: how many slices of a volume's kernel stand below each other in that; 1 for others.
        first: the channel of the input that the first one looks at.
        limit: the largest absolute weight, which is the end of the colours.
        bias: the addend at the end; None if there is none.
    """

    png: bytes = field(repr=False)
    width: int
    columns: int
    kernels: tuple[int, int, int]
    depth: int
    first: int
    limit: float
    bias: float | None

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return len(self.png)
