"""A reading: a small block of a layer's numbers, each with the sum that made it, to be played."""

from .message import Answer, Exact, Message
from .number import ChannelSums, Named, Rest, Terms


class Region(Message, frozen=True, kw_only=True):
    """The part of one channel of a layer's input that the windows of a block cover.

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
    """Where the window of one number lies, and what comes from elsewhere.

    Attributes:
        rows: the places that it covers on the input; ``columns`` likewise.
        kernel: which of the reading's kernels lies on it; null for a pooling.
        others: what the other channels of the input give to the sum.
        winner: which of its places holds the value that a maximum takes; null if it takes none.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    kernel: int | None
    others: Exact
    winner: int | None


class Keys(Message, frozen=True, kw_only=True):
    """What one query looks at, in one head: every key with its score, its share, and what it gives.

    Attributes:
        head: which head; the one that counts most.
        query: the place of the query among the tokens; null if the row is no attention.
        key: the key whose share the number is; null if the number is a mix of values.
        scores: query · key × scale, for each key. The shares are their softmax.
        values: the number that each key's share is multiplied with; empty if only shares are returned.
        weight: what the mix is multiplied with in the end; 1 if nothing is.
        rest: what all other numbers of all heads give to the sum.
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
    numbers: tuple[Named, ...]
    terms: Terms
    rest: Rest
    window: ReadWindow | None
    spread: int | None
    keys: Keys | None


class Curve(Message, frozen=True, kw_only=True):
    """A function of one number: places from the least to the largest, and its value at each."""

    x: tuple[Exact, ...]
    y: tuple[Exact, ...]


class Bins(Message, frozen=True, kw_only=True):
    """How often numbers occur: counts in bins of the same width from ``low`` to ``high``."""

    low: float
    high: float
    counts: tuple[int, ...]


class Spread(Message, frozen=True, kw_only=True):
    """How numbers are spread that are normalised together, before the layer and after it."""

    before: Bins
    after: Bins


class ReadingFacts(Answer, frozen=True, kw_only=True):
    """What a reading is about.

    Attributes:
        kind: what kind of arithmetic, such as ``convolution``; empty if the layer is not explained.
    """

    layer: str
    kind: str


class Unread(ReadingFacts, frozen=True, kw_only=True):
    """reading.json, of a layer whose arithmetic is not shown; ``reason`` says why."""

    reason: str


class Reading(ReadingFacts, frozen=True, kw_only=True):
    """reading.json: a block of one map, with the sum behind each of its numbers.

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
