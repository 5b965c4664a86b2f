from .adversarial.attack import Attack, Fooled, fool
from .comparison.divergence import divergence
from .comparison.rows import Divergence, DivergenceRow
from .comparison.terms import Tolerance
from .errors import (
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
from .frames.film import Film, open_film
from .frames.filming import film
from .hooks.activations import LayerActivations, wrap
from .hooks.edits import clamp, freeze_to_mean, noise, replace, scale, zero_channel
from .hooks.recorder import Record
from .hooks.records import Call, LayerRecord, leaves, to_array
from .maps.figures import channel_figure, feature_map_figure
from .maps.layout import Layout, arrange
from .maps.mosaic import Mosaic, render_mosaic
from .maps.reduction.reduce import Reduced, reduce_maps
from .notebook.look import look
from .notebook.view import LookView
from .passes.integrated_gradients import Attribution, integrated_gradients, layer_conductance
from .passes.occlusion import occlusion
from .passes.rollout import attention_map
from .pictures.images import read_image
from .pictures.samples import sample, sample_names
from .profile.event import Event
from .profile.events import timeline
from .profile.memory import MemoryReport, memory_report
from .profile.rows import LayerRow
from .profile.tree import survey
from .receptive.fields import receptive_field
from .representations.show import show

__all__ = [
    "Attack",
    "Attribution",
    "Call",
    "Divergence",
    "DivergenceRow",
    "Event",
    "Film",
    "Fooled",
    "LayerActivations",
    "LayerRecord",
    "LayerRow",
    "Layout",
    "LookView",
    "MemoryReport",
    "Mosaic",
    "Record",
    "Reduced",
    "Tolerance",
    "arrange",
    "attention_map",
    "channel_figure",
    "clamp",
    "divergence",
    "feature_map_figure",
    "film",
    "fool",
    "freeze_to_mean",
    "integrated_gradients",
    "layer_conductance",
    "leaves",
    "look",
    "memory_report",
    "noise",
    "occlusion",
    "open_film",
    "read_image",
    "receptive_field",
    "reduce_maps",
    "render_mosaic",
    "replace",
    "sample",
    "sample_names",
    "scale",
    "show",
    "survey",
    "timeline",
    "to_array",
    "wrap",
    "zero_channel",
]
__all__ += [
    "BusyError",
    "CallError",
    "CaptureError",
    "EditError",
    "EngineClosedError",
    "ImageError",
    "LayoutError",
    "RateError",
    "RequestError",
    "SupersededError",
    "TooLargeError",
    "UnknownLayerError",
    "UnsupportedModelError",
    "VizError",
]
