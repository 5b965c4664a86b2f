from .activations import LayerActivations
from .edits import clamp, freeze_to_mean, noise, replace, scale, zero_channel
from .events import Event, timeline
from .figures import channel_figure, feature_map_figure
from .images import read_image
from .layout import Layout, arrange
from .memory import MemoryReport, memory_report
from .mosaic import Mosaic, render_mosaic
from .records import Call, LayerRecord, leaves, to_array
from .tree import LayerRow, survey

__all__ = [
    "Call",
    "Event",
    "LayerActivations",
    "LayerRecord",
    "LayerRow",
    "Layout",
    "MemoryReport",
    "Mosaic",
    "arrange",
    "channel_figure",
    "clamp",
    "feature_map_figure",
    "freeze_to_mean",
    "leaves",
    "memory_report",
    "noise",
    "read_image",
    "render_mosaic",
    "replace",
    "scale",
    "survey",
    "timeline",
    "to_array",
    "zero_channel",
]
