"""One number taken apart: where on the picture it comes from, and the arithmetic that made it."""

from .message import Answer, Exact, Message


class Patch(Message, frozen=True, kw_only=True):
    """One channel of a layer's input where a window lies, the last axis running fastest.

    Attributes:
        axes: for each axis the places that the window covers; a place outside the input is padding.
        length: how many places the input has along each axis.
        values: the numbers there, row by row; null for padding that a maximum or a mean ignores.
        weights: what each is multiplied with; empty for a pooling.
        total: the sum of the products, or the pooled value.
    """

    channel: int
    axes: tuple[tuple[int, ...], ...]
    length: tuple[int, ...]
    values: tuple[Exact | None, ...]
    weights: tuple[Exact | None, ...]
    total: Exact


class NumberFacts(Answer, frozen=True, kw_only=True):
    """Where one number comes from.

    Attributes:
        cell: the number's index along every axis of what the layer returned.
        box: top, left, bottom and right in pixels of the model's input, the ends excluded.
        size: height and width of that input.
        whole: whether the number may depend on all of it.
        note: a sentence about the box.
        edited: whether an edit changed the number after the layer had made it.
    """

    layer: str
    cell: tuple[int, ...]
    box: tuple[int, int, int, int]
    size: tuple[int, int]
    whole: bool
    note: str
    edited: bool


class Unexplained(NumberFacts, frozen=True, kw_only=True):
    """cell.json, of a number whose arithmetic is not shown; ``reason`` says why.

    Attributes:
        kind: empty.
    """

    kind: str
    reason: str


class Arithmetic(NumberFacts, frozen=True, kw_only=True):
    """cell.json: how a layer made one number from its input: terms that add up to the total.

    Attributes:
        kind: what kind of arithmetic, such as ``convolution``; never empty.
        formula: how it was computed, in symbols.
        text: the same with this cell's numbers, rounded.
        value: the captured number.
        total: the number as computed here, in double precision.
        difference: value − total.
        agrees: whether the two differ by no more than rounding explains.
        precision: in which the layer computed, such as ``float32``.
        numbers: named numbers of the formula, such as bias, mean and variance.
        patch: the window in the channel that was asked for, or that counts most.
        channels: every channel of the input that the cell sees, with the sum of its products, largest first.
        terms: place, value, weight and product of the products that count most, largest first.
        others: how many more products there are, and their sum.
        source: the cell of the input that the number was taken from unchanged, where there is one.
    """

    kind: str
    formula: str
    text: str
    value: Exact
    total: Exact
    difference: Exact
    agrees: bool
    precision: str
    numbers: tuple[tuple[str, Exact], ...]
    patch: Patch | None
    channels: tuple[tuple[int, Exact], ...]
    terms: tuple[tuple[int, Exact, Exact, Exact], ...]
    others: tuple[int, Exact]
    source: tuple[int, ...] | None
