"""One frame of a camera, its views and predictions; nothing is kept."""

from collections.abc import Hashable
from dataclasses import dataclass, field

from ..engine.task import Answer, OnePicture, Shelf
from ..maps.colour.wanted import Range
from ..request.inspection import LayerView, Prediction
from .overview import Thumbnail


@dataclass(frozen=True)
class LiveFrame:
    """Answer for one frame: a layer's view, predictions and seen picture.

    Attributes:
        view: the wanted layer.
        prediction: the best predictions, with the edits in force.
        seen: the picture that the model saw, as JPEG.
        large: the channel on screen with a pixel for each value, if the view has fewer; else empty.
    """

    view: LayerView
    prediction: Prediction
    seen: bytes = field(repr=False)
    large: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class LiveLayers:
    """Answer for one frame in the view of all layers.

    See ``LiveFrame`` for the shared fields.
    """

    thumbs: tuple[Thumbnail, ...]
    prediction: Prediction
    seen: bytes = field(repr=False)


@dataclass(frozen=True)
class _Frame(OnePicture[Answer]):
    """A visitor's frame, which a newer one replaces while it waits.

    The newer one may be for the other of the two views.
    """

    behind = True
    shelf: Shelf = ""
    lane = "live"


@dataclass(frozen=True)
class Live(_Frame[LiveFrame]):
    """One layer of a frame that is shown once and not kept.

    ``limits`` are those of the model's scale; ``channel`` is the one shown large.
    """

    done_by = "views.work.live:live_frame"
    limits: Range | None = None
    channel: int = 0

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("live", self.wanted, self.limits, self.channel)


class LiveOverview(_Frame[LiveLayers]):
    """Small pictures of every layer of such a frame."""

    done_by = "views.work.live:live_layers"

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("live layers", self.wanted)
