"""Caption of a figure of several panels, enough to remake it."""

from collections.abc import Sequence

from ..maps.reduction.definitions import DEFINITIONS
from ..maps.reduction.drawing import OPAQUE, finite_range
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
    lines = ["; ".join(said), f"formula {first.how}: {definition.sentence}", _coloured(panels, style)]
    if any(each.backdrop for each in panels):
        lines.append(
            f"over the whole photo, {round(100 * OPAQUE)} % opaque, not interpolated: each value is the cell "
            "that its receptive field is centred on; frames are what the models saw"
        )
    if definition.source:
        lines.append(f"source of the formula: {definition.source}")
    return " ".join(f"{line[0].upper()}{line[1:]}." for line in lines)


def _said_of(panel: Panel | PhotoPanel) -> str:
    if isinstance(panel, PhotoPanel):
        return panel.what
    found = panel.found
    height, width = found.values.shape[:2]
    said = f"{panel.what}, {height} × {width} values"
    if found.how == "pca":
        shares = ", ".join(f"{100 * share:.1f} %" for share in found.explained)
        said += f", components explain {shares} of the variance"
    else:
        said += " from {} to {}".format(*map(_number, finite_range(found.values)))
    if found.how == "top":
        said += f", channels {', '.join(map(str, found.channels))}"
    if found.at:
        said += ", compared with row {}, column {}".format(*found.at)
    return said


def _coloured(panels: Sequence[Panel], style: SheetStyle) -> str:
    if panels[0].found.how == "pca":
        return "red, green and blue go from each component's lowest score to its highest"
    if style.scale == "all":
        low, high = map(_number, limits_of(panels, style.colormap))
        return f"all panels share one scale, from {low} to {high}"
    return {
        "own": "each panel has a scale of its own, below it",
        "row": "the panels of a row share one scale, beside it",
    }[style.scale]


def _number(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")
