"""One call of one layer: places, numbers and colours of its maps."""

from .message import Answer, Found, Message, Png, Shape


class Geometry(Message, frozen=True):
    """Positions of channels in the mosaic, in its own pixels.

    Attributes:
        channels: the number of tiles.
        columns: tiles in a row.
        tile_height: in pixels, likewise the other sides.
        map_height: in values, likewise ``map_width``.
        pad: pixels around each tile.
        order: the channel of each tile; empty if channels are in their own order.
    """

    channels: int
    columns: int
    tile_height: int
    tile_width: int
    map_height: int
    map_width: int
    pad: int
    width: int
    height: int
    order: tuple[int, ...] = ()

    @property
    def shrunk(self) -> bool:
        """True if a pixel stands for more than one value."""
        return (self.tile_height, self.tile_width) != (self.map_height, self.map_width)


class LayerFigures(Message, frozen=True, kw_only=True):
    """All values of a layer in numbers.

    Attributes:
        minimum: of the finite values, likewise maximum, mean and deviation.
        zeros: the share of zeros, 0 to 1.
        nan: how many values are NaN, likewise the infinities.
        count: of all values.
    """

    minimum: Found
    maximum: Found
    mean: Found
    deviation: Found
    zeros: float
    nan: int
    positive_infinities: int
    negative_infinities: int
    count: int


class ChannelFigures(Message, frozen=True, kw_only=True):
    """Each channel in numbers, with a column for each figure.

    Columns are in the channels' own order.

    Attributes:
        zeros: the share of zeros, 0 to 1.
    """

    minimum: tuple[Found, ...]
    maximum: tuple[Found, ...]
    mean: tuple[Found, ...]
    variance: tuple[Found, ...]
    zeros: tuple[float, ...]


class CoveredPart(Message, frozen=True):
    """A part of the picture in fractions of its sides.

    It may reach beyond them.

    Attributes:
        top: where it begins; likewise ``left``.
        height: how far it goes; likewise ``width``.
    """

    top: float
    left: float
    height: float
    width: float


class Axes(Message, frozen=True):
    """Meanings of the axes of maps, such as ``channel``, ``height`` and ``width``."""

    channel: str
    height: str
    width: str


class LayerFacts(Answer, frozen=True, kw_only=True):
    """layer.json: the numbers behind maps, and their colours.

    Attributes:
        shape: of the value as the layer returned it, with its batch.
        dtype: the value's own, such as ``float32``.
        type: the layer's class.
        call: counted from 0.
        leaf: the path of the tensor that is drawn.
        leaves: the paths that can be drawn.
        kind: the layout, one of ``kinds``.
        known: whether the value's places on the picture tell that it lies like this.
        on_picture: whether it is known that the maps' rows and columns lead across the picture.
        covers: the part of the picture that the maps cover if each cell lies where it is centred; null if
            that is not known.
        index: the slice that is drawn, of ``slices``.
        row: the batch row that is drawn, of ``rows``.
        note: one sentence on how the value became maps.
        plain: whether the note says no more than that each channel is a map.
        histogram: counts of the finite values in bins of equal width from minimum to maximum.
        scale: what the limits were taken from.
        vmin: what the darkest colour stands for; of each channel if each has its own scale.
        vmax: what the brightest colour stands for; of each channel if each has its own scale.
        colours: of the lowest value, of the one in the middle and of the highest, as ``#rrggbb``.
        signed: whether the colour in the middle stands for zero.
        odd_colours: of NaN, of ∞ and of −∞, likewise.
        beyond: the share of values beyond the limits, if these come from other values as well; 0 to 1.
    """

    layer: str
    type: str
    call: int
    calls: int
    shape: Shape
    dtype: str
    device: str
    geometry: Geometry
    statistics: LayerFigures
    channels: ChannelFigures
    histogram: tuple[int, ...]
    colormap: str
    vmin: float | tuple[float, ...]
    vmax: float | tuple[float, ...]
    axes: Axes
    note: str
    leaf: str
    leaves: tuple[str, ...]
    kind: str
    kinds: tuple[str, ...]
    index: int
    slices: int
    row: int
    rows: int
    scale: str
    beyond: float
    known: bool
    on_picture: bool
    plain: bool
    colours: tuple[str, ...]
    signed: bool
    odd_colours: tuple[str, ...]
    covers: CoveredPart | None


class PairFacts(Answer, frozen=True, kw_only=True):
    """pair.json: both sides of a comparison, and their difference.

    If the sides have the same shape, they are on one scale, and the difference is left − right.

    Attributes:
        left: the first side; null if it cannot be drawn, likewise ``right``.
        difference: null as well if the shapes differ.
        problem_left: why there is no left side; empty if there is one, likewise ``problem_right``.
        distances: the mean of |left − right| of each channel; empty without a difference.
    """

    left: LayerFacts | None
    right: LayerFacts | None
    difference: LayerFacts | None
    problem_left: str
    problem_right: str
    distances: tuple[Found, ...]


class KernelSizes(Message, frozen=True):
    """Numbers of kernels, and of weights in each, as they are drawn."""

    count: int
    height: int
    width: int


class FilterFacts(Answer, frozen=True, kw_only=True):
    """filter.json: the weights that make a channel, as a picture.

    Blue is below zero, red above.

    Attributes:
        png: a pixel for each weight.
        width: of the picture in pixels.
        columns: kernels in a row.
        depth: how many slices of a volume's kernel stand below each other in its height; 1 for others.
        first: the channel of the input that the first kernel looks at.
        limit: the largest absolute weight, which is the end of the colours.
        bias: what is added at the end; null if nothing is.
    """

    png: Png
    width: int
    columns: int
    kernels: KernelSizes
    depth: int
    first: int
    limit: float
    bias: Found
