"""One frame of a camera: its maps or all layers, its guesses, what the model saw; computed and not kept."""

import io
from dataclasses import dataclass, field, replace

from viz.engine.limits import Limits
from viz.passes.comparison import difference
from viz.passes.forward import LayerValues, predict
from viz.passes.loaded import Loaded, one_pass
from viz.pictures.subject import Photo
from viz.request.inspection import Inspection, LayerView, Prediction
from viz.views.all_layers import all_layers
from viz.views.drawing import Range, channel_png, draw_view
from viz.views.overview import Thumbnail

QUALITY = 85  # of the small picture of what the model saw; the maps themselves stay exact


@dataclass(frozen=True)
class LiveFrame:
    """What the page shows of one frame.

    Attributes:
        view: the layer that is asked for.
        prediction: the best guesses, with the edits in force.
        seen: the picture that the model saw, as JPEG.
        large: the channel that is looked at, with a pixel for each value, if the view has fewer; else empty.
    """

    view: LayerView
    prediction: Prediction
    seen: bytes = field(repr=False)
    large: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class LiveLayers:
    """What the page shows of one frame in the view of all layers; see ``LiveFrame`` for what they share."""

    thumbs: tuple[Thumbnail, ...]
    prediction: Prediction
    seen: bytes = field(repr=False)


def live_frame(
    loaded: Loaded, wanted: Inspection, photo: Photo, limits: Range | None = None, channel: int = 0
) -> LiveFrame:
    """Everything about one frame; ``viz.views.drawing`` and ``viz.passes.loaded`` say what may be raised."""
    values = _values(loaded, wanted, photo)
    view = draw_view(values, wanted, limits)
    place = view.geometry
    whole = place.shrunk and channel < place.channels
    large = channel_png(values, wanted, channel, limits) if whole else b""
    return LiveFrame(view, _guessed(loaded, wanted, photo), _seen(loaded, photo), large)


def live_layers(loaded: Loaded, wanted: Inspection, photo: Photo, limits: Limits) -> LiveLayers:
    """Every layer of one frame in small.

    Raises:
        TooLargeError: that would take more memory than one request may.
    """
    thumbs = all_layers(loaded, wanted, photo, limits)
    return LiveLayers(thumbs, _guessed(loaded, wanted, photo), _seen(loaded, photo))


def _guessed(loaded: Loaded, wanted: Inspection, photo: Photo) -> Prediction:
    with loaded.edited(photo, wanted.forward.in_force):
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
