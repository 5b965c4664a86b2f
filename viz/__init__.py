"""Layerglass, the service: capture, arrange and draw what every layer of a PyTorch model computes.

>>> from viz import LayerActivations, render_mosaic
>>> layers = LayerActivations(model)
>>> with layers.capture("conv1") as record:
...     layers.run(images)
>>> mosaic = render_mosaic(record["conv1"].output[0].cpu().numpy())
"""

from viz.activations import LayerActivations
from viz.edits import clamp, freeze_to_mean, noise, replace, scale, zero_channel
from viz.figures import channel_figure, feature_map_figure
from viz.images import read_image
from viz.layout import Layout, arrange
from viz.memory import MemoryReport, memory_report
from viz.mosaic import Mosaic, render_mosaic
from viz.records import Call, LayerRecord, leaves, to_array
from viz.events import Event, timeline
from viz.tree import LayerRow, survey

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
