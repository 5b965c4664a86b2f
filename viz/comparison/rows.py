"""Table of a comparison: a row for each layer of two sides."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..sentences import Sentence
from .terms import Tolerance


@dataclass(frozen=True)
class DivergenceRow:
    """One layer of ``a`` beside its counterpart in ``b``.

    It covers all of their calls that correspond.

    Attributes:
        layer: its name in ``a``; None if only ``b`` has it.
        other: its name in ``b``; None if only ``a`` has it. The model itself has the empty name.
        shape: of its output in ``a`` (in ``b``, if only ``b`` has it); None if that is not one tensor.
        max_abs: largest |a − b|, infinite where one of the two is not finite.
        max_rel: largest |a − b| / |b| where b is not 0.
        cosine: cosine of the angle between the two, over values that both are finite; None for zeros.
        outside: share of values outside the tolerance. This and the three before are None if the two could
            not be compared; of other shapes, all values are outside.
        made_here: whether ``other``, given what ``layer`` was given, returns something else than ``layer``:
            then the difference begins here, and in no layer inside. Otherwise it was handed down. None if
            this cannot be tried.
        first: whether this is the layer with the first call, in the order of execution, that is outside.
        reason: why it has no counterpart; None if it has one.

    >>> row = lg.divergence(model, lg.models.load("lenet", "random"), images).first
    >>> row.layer, row.shape, row.made_here
    ('conv1', (1, 6, 28, 28), True)
    """

    layer: str | None
    other: str | None
    shape: tuple[int, ...] | None
    max_abs: float | None
    max_rel: float | None
    cosine: float | None
    outside: float | None
    made_here: bool | None
    first: bool = False
    reason: Sentence | None = None


@dataclass(frozen=True)
class Divergence:
    """Rows in the order of execution, blocks after their contents.

    A layer that is outside the tolerance stands where its first call outside it ended.

    Attributes:
        rows: one for each pair of layers, and for each layer that only one side has.
        tolerance: the tolerance that was applied.
        same_inputs: whether both were given the same, within the tolerance; None if that is unknown.

    >>> table = lg.divergence(model, lg.models.load("lenet", "random"), images)
    >>> table.first.layer, len(table.rows)
    ('conv1', 13)
    """

    rows: tuple[DivergenceRow, ...]
    tolerance: Tolerance
    same_inputs: bool | None = None

    @property
    def first(self) -> DivergenceRow | None:
        """The row where the two part; None if they agree."""
        return next((row for row in self.rows if row.first), None)

    def __iter__(self) -> Iterator[DivergenceRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)
