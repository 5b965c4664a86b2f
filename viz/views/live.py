"""One frame of a camera: its maps or all layers, and what the model saw and predicts. Nothing is kept."""

import io
from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from ..engine.limits import Limits, check_cost
from ..engine.task import Bench, OnePicture, Shelf
from ..findings.edit_effects import difference
from ..findings.values import LayerValues
from ..maps.colouring import Range
from ..passes.forward import predict
from ..passes.loaded import Loaded, one_pass
from ..pictures.photo import Photo
from ..profile.cost import layer_cost
from ..request.inspection import Inspection, LayerView, Prediction
from .all_layers import all_layers
from .drawing import channel_png, draw_view
from .overview import Thumbnail

QUALITY = 85  # for the small picture of what the model saw; the maps themselves stay exact


@dataclass(frozen=True)
class LiveFrame:
    """What the page shows of one frame.

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
    """What the page shows of one frame in the view of all layers; see ``LiveFrame`` for the shared fields."""

    thumbs: tuple[Thumbnail, ...]
    prediction: Prediction
    seen: bytes = field(repr=False)


@dataclass(frozen=True)
class _Frame(OnePicture):
    """A visitor's newer frame replaces one that still waits, whichever of the two views it is for."""

    behind = True
    shelf: Shelf = ""
    lane = "live"


@dataclass(frozen=True)
class Live(_Frame):
    """One layer of a frame that is shown once and not kept.

    ``limits`` are those of the model's scale; ``channel`` is the one shown large.
    """

    limits: Range | None = None
    channel: int = 0

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("live", self.wanted, self.limits, self.channel)

    def work(self, bench: Bench) -> LiveFrame:
        """See ``Task``."""
        wanted = self.wanted
        loaded = bench.loaded(wanted.model, wanted.weights)
        row = loaded.row(wanted.layer)
        check_cost(wanted.layer, layer_cost(row) if row else 0, bench.limits)
        return live_frame(loaded, wanted, self.photo, self.limits, self.channel)


class LiveOverview(_Frame):
    """Small pictures of every layer of such a frame."""

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("live layers", self.wanted)

    def work(self, bench: Bench) -> LiveLayers:
        """See ``Task``."""
        loaded = bench.loaded(self.wanted.model, self.wanted.weights)
        return live_layers(loaded, self.wanted, self.photo, bench.limits)


def live_frame(
    loaded: Loaded, wanted: Inspection, photo: Photo, limits: Range | None = None, channel: int = 0
) -> LiveFrame:
    """Everything about one frame; ``viz.views.drawing`` and ``viz.passes.loaded`` say what may be raised."""
    values = _values(loaded, wanted, photo)
    view = draw_view(values, wanted, limits)
    place = view.geometry
    whole = place.shrunk and channel < place.channels
    large = channel_png(values, wanted, channel, limits) if whole else b""
    return LiveFrame(view, _predicted(loaded, wanted, photo), _seen(loaded, photo), large)


def live_layers(loaded: Loaded, wanted: Inspection, photo: Photo, limits: Limits) -> LiveLayers:
    """Small pictures of every layer of one frame.

    Raises:
        TooLargeError: that would take more memory than one request may.
    """
    thumbs = all_layers(loaded, wanted, photo, limits)
    return LiveLayers(thumbs, _predicted(loaded, wanted, photo), _seen(loaded, photo))


def _predicted(loaded: Loaded, wanted: Inspection, photo: Photo) -> Prediction:
    with loaded.as_wanted(wanted.forward, photo):
        return predict(loaded.layers, loaded.subject, photo)


def _seen(loaded: Loaded, photo: Photo) -> bytes:
    subject, buffer = loaded.subject, io.BytesIO()
    subject.as_seen(subject.prepare(photo.image)).save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()


def _values(loaded: Loaded, wanted: Inspection, photo: Photo) -> LayerValues:
    if wanted.show != "difference":
        return one_pass(loaded, wanted, photo, whole=False)[wanted.layer]
    after, before = (replace(wanted, show=show) for show in ("after", "before"))
    return difference(_values(loaded, after, photo), _values(loaded, before, photo))
