"""One number taken apart: where on the picture it comes from, and the arithmetic that made it."""

from .message import Answer, Exact, Message


class PatchFacts(Message, frozen=True, kw_only=True):
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
    weights: tuple[Exact, ...]
    total: Exact


class Box(Message, frozen=True):
    """A part of the model's input in pixels; the row ``bottom`` and the column ``right`` are just outside."""

    top: int
    left: int
    bottom: int
    right: int


class InputSize(Message, frozen=True):
    """The model's input in pixels."""

    height: int
    width: int


class Named(Message, frozen=True):
    """A number of a formula, such as its bias."""

    name: str
    value: Exact


class ChannelSums(Message, frozen=True, kw_only=True):
    """Channels of an input with the sum of their products, in columns; the largest sum comes first."""

    channel: tuple[int, ...]
    total: tuple[Exact, ...]


class Terms(Message, frozen=True, kw_only=True):
    """Products of a sum, in columns; the largest one comes first.

    Attributes:
        place: of the number on the input's last axis.
        value: the number there; times ``weight`` it is the ``product``.
    """

    place: tuple[int, ...]
    value: tuple[Exact, ...]
    weight: tuple[Exact, ...]
    product: tuple[Exact, ...]


class Rest(Message, frozen=True):
    """How many products are not among the terms, and their sum."""

    count: int
    total: Exact


class NumberFacts(Answer, frozen=True, kw_only=True):
    """Where one number comes from.

    Attributes:
        cell: the number's index along every axis of what the layer returned.
        whole: whether the number may depend on all of it.
        note: a sentence about the box.
        edited: whether an edit changed the number after the layer had made it.
    """

    layer: str
    cell: tuple[int, ...]
    box: Box
    size: InputSize
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
        patch: the window in the channel that was asked for, or that counts most.
        channels: those of the input that the cell sees.
        terms: the products that count most.
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
    numbers: tuple[Named, ...]
    patch: PatchFacts | None
    channels: ChannelSums
    terms: Terms
    others: Rest
    source: tuple[int, ...] | None
