"""Request and result: plain values between the page and an engine."""

import hashlib
import json
from collections.abc import Hashable
from dataclasses import asdict, dataclass, field, fields, replace

from ..answers.layer import Axes, ChannelFigures, CoveredPart, Geometry, LayerFacts, LayerFigures
from .arrangement import Arrangement
from .edit_request import EditRequest, check_seed

SHOWS = ("after", "before", "difference")


@dataclass(frozen=True)
class Inspection:
    """Request to draw one layer of a model on one picture.

    Attributes:
        image: SHA-256 of the picture's pixels and size, as ``photo.photograph`` gives it.
        model: a model id of the catalogue.
        weights: ``"pretrained"`` or ``"random"``.
        layer: the layer's dotted name.
        call: which of the layer's calls, counted from 0.
        leaf: the path of one tensor: ``"output.logits"``, ``"inputs[0]"``; empty for the first output,
            ``"inputs"`` for the first input.
        kind: how the value is laid out as maps; ``"auto"`` lets the layout choose.
        index: which slice of a volume, or which token of an attention map.
        row: which row of the layer's batch; several if a model works on parts of the picture.
        colormap: a matplotlib colormap, or ``"auto"``; with ``_root`` behind it by the square root of values.
        scale: ``"layer"``, ``"channel"``, ``"clipped"``: the layer's 1st to 99th percentile, or ``"model"``:
            from the smallest to the largest value that any layer returns.
        order: ``"index"``, or what to sort the channels by, largest first: ``"mean"``, ``"maximum"``,
            ``"variance"``, ``"zeros"``.
        columns: tiles in a row of the mosaic; 0 lets the mosaic choose.
        viewport: the pixels (width, height) that the mosaic may have; zeros allow one for each value.
        gradient: the class whose score's gradient is wanted instead of the value, counted from 0.
        edits: what is changed while the model runs; where edits meet, the first one comes first. Edits of
            gradients do nothing if no gradient is wanted.
        show: ``"after"`` the edits, ``"before"`` them, or the ``"difference"``, after − before.
        training: the seed of the random numbers if the model runs in training mode; None for evaluation mode.

    Raises:
        RequestError: the seed cannot be used.
    """

    image: str
    model: str
    weights: str
    layer: str
    call: int = 0
    leaf: str = ""
    kind: str = "auto"
    index: int = 0
    row: int = 0
    colormap: str = "auto"
    scale: str = "layer"
    order: str = "index"
    columns: int = 0
    viewport: tuple[int, int] = (0, 0)
    gradient: int | None = None
    edits: tuple[EditRequest, ...] = ()
    show: str = "after"
    training: int | None = None

    def __post_init__(self) -> None:
        if self.training is not None:
            check_seed(self.training)
        # JSON turns edits into dicts, and the viewport into a list.
        edits = tuple(EditRequest(**edit) if isinstance(edit, dict) else edit for edit in self.edits)
        object.__setattr__(self, "edits", edits)
        object.__setattr__(self, "viewport", tuple(self.viewport))

    @property
    def run(self) -> tuple[str, str, str, int | None, tuple[EditRequest, ...]]:
        """The pass that this request needs: picture, model, weights, mode and edits."""
        return (self.image, self.model, self.weights, self.training, self.in_force)

    @property
    def place(self) -> tuple[Hashable, ...]:
        """The key of the layer's values.

        Values with inputs are larger, so they have a key of their own.
        """
        return (*self.run, self.layer, self.of_inputs, self.gradient, self.show == "difference")

    @property
    def in_force(self) -> tuple[EditRequest, ...]:
        """The edits that affect this request.

        There are none before the edits, and those of gradients only if it wants one.
        """
        edits = self.edits if self.show != "before" else ()
        backward = self.gradient is not None
        return tuple(edit for edit in edits if backward or not edit.backward)

    @property
    def forward(self) -> "Inspection":
        """The same request for the values themselves instead of a gradient."""
        return replace(self, gradient=None)

    @property
    def of_inputs(self) -> bool:
        """True if the request is for the layer's inputs."""
        return self.leaf.startswith("inputs")

    @property
    def digest(self) -> str:
        """A short content address: equal requests have equal digests."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


NUMBER = 36  # bytes of a Python number and of its place in a tuple
NUMBERS_PER_CHANNEL = 8  # five statistics, the two ends of its colours, and its place


@dataclass(frozen=True)
class LayerView:
    """A layer's view: all facts to draw one call of it.

    Attributes:
        png: the mosaic, one pixel per value, or fewer if the viewport is small.
        shape: the tensor's shape as the layer returned it.
        dtype: the tensor's own dtype, such as ``"float32"``.
        statistics: of all values.
        channels: of each channel.
        histogram: counts of the layer's finite values in bins of equal width from minimum to maximum.
        vmin: what the darkest colour stands for; a list with ``scale="channel"``.
        vmax: what the brightest colour stands for; a list with ``scale="channel"``.
        colours: of the lowest value, of the one in the middle and of the highest, as ``#rrggbb``.
        signed: whether the colour in the middle stands for zero.
        odd_colours: of NaN, of ∞ and of −∞, likewise.
        axes: what channel, height and width of the maps mean.
        note: one sentence on how the value became maps.
        plain: whether the note says no more than that each channel is a map.
        leaf: the path of the tensor that is drawn.
        leaves: the paths that can be drawn; ``"inputs"`` stands for inputs that have not been captured.
        kind: the layout that was chosen.
        kinds: the layouts that this value can have.
        known: whether the value's places on the picture tell that it lies like this; otherwise this is a
            guess, or the visitor's choice.
        on_picture: whether it is known that the maps' rows and columns lead across the picture.
        arrangement: where the value sits on the picture, if that is known.
        covers: the part of the picture that the maps cover if each cell lies where it is centred; None if
            that is not known.
        slices: how many slices ``index`` chooses from.
        row: the batch row that is drawn.
        rows: how many rows the layer's batch has.
        scale: what the limits were taken from, as in the request.
        beyond: the share of all values beyond the limits, if these come from other values as well.
    """

    layer: str
    type: str
    call: int
    calls: int
    shape: tuple[int, ...]
    dtype: str
    device: str
    png: bytes = field(repr=False)
    geometry: Geometry
    statistics: LayerFigures
    channels: ChannelFigures = field(repr=False)
    histogram: tuple[int, ...] = field(repr=False)
    colormap: str
    vmin: float | tuple[float, ...]
    vmax: float | tuple[float, ...]
    axes: tuple[str, str, str]
    note: str
    leaf: str
    leaves: tuple[str, ...]
    kind: str
    kinds: tuple[str, ...]
    index: int
    slices: int
    row: int = 0
    rows: int = 1
    scale: str = "layer"
    beyond: float = 0.0
    known: bool = False
    on_picture: bool = False
    plain: bool = False
    colours: tuple[str, ...] = ()
    signed: bool = False
    odd_colours: tuple[str, ...] = ()
    arrangement: Arrangement | None = field(default=None, repr=False)
    covers: CoveredPart | None = None

    def limits(self, channel: int) -> tuple[float, float]:
        """Return the values at the ends of this channel's colours."""
        if isinstance(self.vmin, tuple) and isinstance(self.vmax, tuple):
            return self.vmin[channel % len(self.vmin)], self.vmax[channel % len(self.vmax)]
        return self.vmin, self.vmax  # type: ignore[return-value]  # both are numbers when either is

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return len(self.png) + 2000 + NUMBER * NUMBERS_PER_CHANNEL * self.geometry.channels

    def facts(self) -> LayerFacts:
        """Every field but the pixels and the arrangement."""
        return LayerFacts(axes=Axes(*self.axes), **{name: getattr(self, name) for name in _TOLD})


_TOLD = {each.name for each in fields(LayerView)} - {"png", "arrangement", "axes"}


@dataclass(frozen=True)
class Prediction:
    """The most probable classes, best first: (label, probability).

    ``classes`` are their places among all classes, because labels may occur twice. ``meaning`` is that of the
    model's output (``findings.output_meaning``), empty where nobody knows it. ``problem`` is why there are no
    classes, ``reason`` why nobody should believe them.
    """

    top: tuple[tuple[str, float], ...]
    classes: tuple[int, ...] = ()
    meaning: str = ""
    problem: str = ""
    reason: str = ""
