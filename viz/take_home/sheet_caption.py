"""Caption of a figure of several panels: what each shows, and how."""

import numpy as np

from ..maps.colour.scaling import locked_scaling
from ..maps.colour.tables import name_of
from ..maps.reduction.caption import number, paragraph
from ..maps.reduction.definitions import DEFINITIONS
from ..maps.reduction.drawing import OPAQUE, finite_range, scaling_of, there
from ..maps.reduction.reduce import Reduced
from .panels import Grid, Panel, PhotoPanel, SheetStyle, layers_of, letters, limits_of


def caption_of(grid: Grid, style: SheetStyle) -> str:
    """Return a figure's caption: panels, formula, colours, source.

    Its numbers are those that the figure is drawn from.
    """
    panels = layers_of(grid)
    first = panels[0].found
    every = [each for row in grid for each in row]
    said = [f"({letter}) {_said_of(each)}" for letter, each in zip(letters(len(every)), every, strict=True)]
    definition = DEFINITIONS[first.how]
    lines = ["; ".join(said), f"formula {first.how}: {definition.sentence}", _coloured(grid, style)]
    if any(each.backdrop for each in panels):
        lines.append(
            f"over the whole photo, {round(100 * OPAQUE)} % opaque, not interpolated: each value is the cell "
            "that its receptive field is centred on; frames are what the models saw"
        )
    if definition.source:
        lines.append(f"source of the formula: {definition.source}")
    return paragraph(lines)


def _said_of(panel: Panel | PhotoPanel) -> str:
    if isinstance(panel, PhotoPanel):
        return panel.what
    found = panel.found
    height, width = found.values.shape[:2]
    said = f"{panel.what}, {height} × {width} values{_range_of(found)}"
    if found.how == "top":
        said += f", channels {', '.join(map(str, found.channels))}"
    if found.at:
        said += ", compared with row {}, column {}".format(*found.at)
    return said


def _range_of(found: Reduced) -> str:
    if found.how == "pca":
        shares = ", ".join(f"{100 * share:.1f} %" for share in found.explained)
        said = f", components explain {shares} of the variance"
    elif there(found).any():
        said = " from {} to {}".format(*map(number, finite_range(found.values)))
    else:
        return ", none of them finite: magenta"
    gone = int(np.count_nonzero(~there(found)))
    return f"{said}, {gone} not finite: magenta" if gone else said


def _coloured(grid: Grid, style: SheetStyle) -> str:
    panels = layers_of(grid)
    if panels[0].found.how == "pca":
        return "red, green and blue go from each component's lowest score to its highest"
    names = sorted({name_of(scaling_of(each.found, style.colormap).colormap) for each in panels})
    if style.scale == "own":
        return f"each layer has a scale of its own, below it, in the colours {' or '.join(names)}"
    groups = [panels] if style.scale == "all" else [each for row in grid if (each := layers_of([row]))]
    limits = [limits_of(each, style.colormap) for each in groups]
    names = sorted({name_of(locked_scaling(*each, style.colormap).colormap) for each in limits})
    ends = ", ".join("from {} to {}".format(*map(number, each)) for each in limits)
    shared = "all layers share one scale" if style.scale == "all" else "the layers of a row share one scale"
    return f"{shared}, {ends}, in the colours {' or '.join(names)}"
