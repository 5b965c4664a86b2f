"""A number's origin and arithmetic, and a block of such numbers."""

from .message import Answer, Exact, Message


class PatchFacts(Message, frozen=True, kw_only=True):
    """One channel of a layer's input where a window lies.

    The last axis runs fastest.

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
    """A part of the model's input in pixels.

    The row ``bottom`` and the column ``right`` are just outside.
    """

    top: int
    left: int
    bottom: int
    right: int


class InputSize(Message, frozen=True):
    """The model's input in pixels."""

    height: int
    width: int


class NamedNumber(Message, frozen=True):
    """A number of a formula, such as its bias."""

    name: str
    value: Exact


class ChannelSums(Message, frozen=True, kw_only=True):
    """Channels of an input with the sum of their products, in columns.

    The largest sum comes first.
    """

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
    """Number of products that are not among the terms, and their sum."""

    count: int
    total: Exact


class NumberFacts(Answer, frozen=True, kw_only=True):
    """Origin of one number: its layer, its cell and its box.

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


class UnexplainedNumber(NumberFacts, frozen=True, kw_only=True):
    """cell.json, of a number whose arithmetic is not shown; ``reason`` says why.

    Attributes:
        kind: empty.
    """

    kind: str
    reason: str


class Arithmetic(NumberFacts, frozen=True, kw_only=True):
    """cell.json: how a layer made one number from its input.

    The terms add up to the total.

    Attributes:
        kind: the kind of arithmetic, such as ``convolution``; never empty.
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
    numbers: tuple[NamedNumber, ...]
    patch: PatchFacts | None
    channels: ChannelSums
    terms: Terms
    others: Rest
    source: tuple[int, ...] | None


class Region(Message, frozen=True, kw_only=True):
    """The part of an input channel that a block's windows cover.

    Attributes:
        channel: which channel of the input.
        top: the place of the first row on the input; negative in the padding. ``left`` likewise.
        values: row by row; null where no window lies, and for padding that a maximum or a mean ignores.
        padding: whether each place is outside the input.
    """

    channel: int
    top: int
    left: int
    rows: int
    columns: int
    values: tuple[Exact | None, ...]
    padding: tuple[bool, ...]


class ReadWindow(Message, frozen=True, kw_only=True):
    """Window of one number, and the parts of its sum from elsewhere.

    Attributes:
        rows: the places that it covers on the input; ``columns`` likewise.
        kernel: the number of the reading's kernel on it; null for a pooling.
        others: the part of the sum from the other channels of the input.
        winner: the place among these of the value that a maximum takes; null if it takes none.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    kernel: int | None
    others: Exact
    winner: int | None


class Keys(Message, frozen=True, kw_only=True):
    """Attention of one query in one head, key by key.

    Attributes:
        head: the one that counts most.
        query: the place of the query among the tokens; null if the row is no attention.
        key: the key whose share the number is; null if the number is a mix of values.
        scores: query · key × scale, for each key. The shares are their softmax.
        values: the number that each key's share is multiplied with; empty if only shares are returned.
        weight: the factor of the mix in the end; 1 if there is none.
        rest: the part of the sum from all other numbers of all heads.
    """

    head: int
    query: int | None
    key: int | None
    scores: tuple[Exact, ...]
    shares: tuple[Exact, ...]
    values: tuple[Exact, ...]
    weight: Exact
    rest: Exact


class ReadCell(Message, frozen=True, kw_only=True):
    """One number of the block.

    Attributes:
        y: its row on the map; ``x`` its column.
        index: its index along every axis of what the layer returned.
        value: the captured number.
        total: the same as computed from the input, in double precision.
        tolerance: how far apart the two may be.
        text: the formula with this number's own values, rounded.
        numbers: those of the formula, such as its bias.
        terms: the products that count most, if they are known one by one; ``rest`` has the others.
        spread: which of the reading's spreads it belongs to.
    """

    y: int
    x: int
    index: tuple[int, ...]
    value: Exact
    total: Exact
    tolerance: Exact
    agrees: bool
    text: str
    numbers: tuple[NamedNumber, ...]
    terms: Terms
    rest: Rest
    window: ReadWindow | None
    spread: int | None
    keys: Keys | None


class Curve(Message, frozen=True, kw_only=True):
    """A function of one number, as places and its values there.

    The places go from the least to the largest.
    """

    x: tuple[Exact, ...]
    y: tuple[Exact, ...]


class Bins(Message, frozen=True, kw_only=True):
    """Histogram of numbers in equal bins from ``low`` to ``high``."""

    low: float
    high: float
    counts: tuple[int, ...]


class Spread(Message, frozen=True, kw_only=True):
    """Distributions of jointly normalised numbers, before and after the layer."""

    before: Bins
    after: Bins


class ReadingFacts(Answer, frozen=True, kw_only=True):
    """Subject of a reading: the layer and its arithmetic.

    Attributes:
        kind: the kind of arithmetic, such as ``convolution``; empty if the layer is not explained.
    """

    layer: str
    kind: str


class UnexplainedReading(ReadingFacts, frozen=True, kw_only=True):
    """reading.json, of a layer whose arithmetic is not shown; ``reason`` says why."""

    reason: str


class Reading(ReadingFacts, frozen=True, kw_only=True):
    """reading.json: a block of one map, with each number's sum.

    Attributes:
        formula: how each number is computed, in symbols.
        precision: in which the layer computed, such as ``float32``.
        edited: whether an edit changed the numbers after the layer had made them.
        channel: which map; it has ``height`` × ``width`` numbers.
        top: the row of the map at which the block begins; ``left`` the column.
        rows: of the block; ``columns`` likewise. ``cells`` are its numbers, row by row.
        region: what the windows cover, if the layer has windows of two axes.
        kernels: the weights that lie on windows.
        inputs: how many channels of the input each number sees.
        channels: of the input, those that give most to the sum in the middle; the largest comes first.
        curve: of an activation.
        spreads: of a normalisation.
    """

    formula: str
    precision: str
    edited: bool
    channel: int
    height: int
    width: int
    top: int
    left: int
    rows: int
    columns: int
    cells: tuple[ReadCell, ...]
    region: Region | None
    kernels: tuple[tuple[Exact, ...], ...]
    inputs: int
    channels: ChannelSums
    curve: Curve | None
    spreads: tuple[Spread, ...]
