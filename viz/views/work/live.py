"""One frame of a camera: captured, drawn, and not kept."""

import io
from dataclasses import replace

from ...engine.limits import check_cost
from ...engine.slices import Sliced
from ...engine.task import Bench
from ...findings.edit_effects import difference
from ...findings.values import LayerValues
from ...passes.forward import predict
from ...passes.loaded import LoadedModel, one_pass
from ...pictures.photo import Photo
from ...profile.cost import layer_cost
from ...request.inspection import Inspection, Prediction
from ..drawing import channel_png, draw_view
from ..live import Live, LiveFrame, LiveLayers, LiveOverview
from .all_layers import all_layers

QUALITY = 85  # for the small picture of what the model saw; the maps themselves stay exact


def live_frame(task: Live, bench: Bench) -> LiveFrame:
    """Return the answer for one frame; see ``viz.views.drawing`` and ``viz.passes.loaded`` for errors."""
    wanted, photo, channel = task.wanted, task.photo, task.channel
    loaded = bench.loaded(wanted.model, wanted.weights)
    row = loaded.row(wanted.layer)
    check_cost(wanted.layer, layer_cost(row) if row else 0, bench.limits)
    values = _values(loaded, wanted, photo)
    view = draw_view(values, wanted, task.limits)
    place = view.geometry
    whole = place.shrunk and channel < place.channels
    large = channel_png(values, wanted, channel, task.limits) if whole else b""
    return LiveFrame(view, _predicted(loaded, wanted, photo), _seen(loaded, photo), large)


def live_layers(task: LiveOverview, bench: Bench) -> Sliced[LiveLayers]:
    """Small pictures of every layer of one frame.

    Raises:
        TooLargeError: that would take more memory than one request may.
    """
    wanted, photo = task.wanted, task.photo
    loaded = bench.loaded(wanted.model, wanted.weights)
    thumbs = yield from all_layers(loaded, wanted, photo, bench.limits)
    return LiveLayers(thumbs, _predicted(loaded, wanted, photo), _seen(loaded, photo))


def _predicted(loaded: LoadedModel, wanted: Inspection, photo: Photo) -> Prediction:
    with loaded.as_wanted(wanted.forward, photo):
        return predict(loaded.layers, loaded.subject, photo, loaded.rows)


def _seen(loaded: LoadedModel, photo: Photo) -> bytes:
    subject, buffer = loaded.subject, io.BytesIO()
    subject.as_seen(subject.prepare(photo.image)).save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()


def _values(loaded: LoadedModel, wanted: Inspection, photo: Photo) -> LayerValues:
    if wanted.show != "difference":
        return one_pass(loaded, wanted, photo, whole=False)[wanted.layer]
    after, before = (replace(wanted, show=show) for show in ("after", "before"))
    return difference(_values(loaded, after, photo), _values(loaded, before, photo))
