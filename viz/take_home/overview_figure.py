"""All layers of a model on one figure."""

from collections.abc import Sequence
from io import BytesIO
from math import ceil

from matplotlib.figure import Figure
from PIL import Image

from ..maps.colour.wanted import Range
from ..sentences import Sentence
from ..views.overview import Thumbnail, thumbnail_png

FIGURE_COLUMNS = 8


def overview_figure(
    thumbs: Sequence[Thumbnail], *, title: str = "", colormap: str = "auto", limits: Range | None = None
) -> Figure:
    """Draw one tall figure with a labelled heatmap for each layer."""
    drawn = [thumb for thumb in thumbs if not thumb.problem]
    rows = max(1, ceil(len(drawn) / FIGURE_COLUMNS))
    figure = Figure(figsize=(1.6 * FIGURE_COLUMNS, 1.9 * rows + 0.5), layout="constrained")
    figure.suptitle(title, fontsize=10)
    grid = figure.subplots(rows, FIGURE_COLUMNS, squeeze=False)
    for axes in grid.flat:
        axes.set_axis_off()
    for axes, thumb in zip(grid.flat, drawn, strict=False):
        with Image.open(BytesIO(thumbnail_png(thumb, colormap, limits))) as picture:
            axes.imshow(picture.convert("RGBA"), interpolation="nearest")
        shape = " × ".join(str(length) for length in thumb.shape[1:])
        of = f", {Sentence('magnitudes')}" if thumb.magnitudes else ""
        axes.set_title(f"{_wrapped(thumb.layer)}\n{shape}{of}", fontsize=5.5)
    return figure


def _wrapped(name: str) -> str:
    """Break a name before dots into lines of about 22 letters."""
    lines = [""]
    for part in name.split("."):
        if lines[-1] and len(lines[-1]) + len(part) > 22:  # noqa: PLR2004  what fits above a heatmap
            lines.append("")
        lines[-1] += ("." if lines != [""] else "") + part
    return "\n".join(lines)
