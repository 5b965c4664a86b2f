from . import models, viz  # type: ignore[attr-defined]  # once they are installed
from .viz.errors import (
    BusyError,
    CallError,
    CaptureError,
    EditError,
    EngineClosedError,
    ImageError,
    LayoutError,
    RateError,
    RequestError,
    SupersededError,
    TooLargeError,
    UnknownLayerError,
    UnsupportedModelError,
    VizError,
)
from .viz.hooks.activations import LayerActivations
from .viz.hooks.edits import clamp, freeze_to_mean, noise, replace, scale, zero_channel
from .viz.hooks.recorder import Record
from .viz.hooks.records import Call, LayerRecord, leaves, to_array
from .viz.maps.figures import channel_figure, feature_map_figure
from .viz.maps.layout import Layout, arrange
from .viz.maps.mosaic import Mosaic, render_mosaic
from .viz.maps.reduction.reduce import Reduced, reduce_maps
from .viz.passes.integrated_gradients import Attribution, integrated_gradients, layer_conductance
from .viz.passes.occlusion import occlusion
from .viz.pictures.images import read_image
from .viz.profile.event import Event
from .viz.profile.events import timeline
from .viz.profile.memory import MemoryReport, memory_report
from .viz.profile.rows import LayerRow
from .viz.profile.tree import survey

__version__: str

__all__ = [
    "Attribution",
    "BusyError",
    "Call",
    "CallError",
    "CaptureError",
    "EditError",
    "EngineClosedError",
    "Event",
    "ImageError",
    "LayerActivations",
    "LayerRecord",
    "LayerRow",
    "Layout",
    "LayoutError",
    "MemoryReport",
    "Mosaic",
    "RateError",
    "Record",
    "Reduced",
    "RequestError",
    "SupersededError",
    "TooLargeError",
    "UnknownLayerError",
    "UnsupportedModelError",
    "VizError",
    "arrange",
    "channel_figure",
    "clamp",
    "feature_map_figure",
    "freeze_to_mean",
    "integrated_gradients",
    "layer_conductance",
    "leaves",
    "memory_report",
    "models",
    "noise",
    "occlusion",
    "read_image",
    "reduce_maps",
    "render_mosaic",
    "replace",
    "scale",
    "survey",
    "timeline",
    "to_array",
    "viz",
    "zero_channel",
]
