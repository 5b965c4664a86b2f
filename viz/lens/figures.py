"""Lens figures by matplotlib: heat maps, the probes' curve, and CKA matrices."""

from collections.abc import Sequence
from io import BytesIO

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from ..exemplars.finished.card import Call
from ..sentences import Sentence
from .capture import innermost
from .lens import LayerLens, Lens
from .similarity import Matrix

MOST_NAMED = 60  # rows or columns that have their names beside them
_SMALL = 6  # points
_UNDATED = {"CreationDate": None}


def probe_figure(found: Lens, title: str) -> Figure:
    """Return the curve of the innermost layers' probes, with their intervals.

    It shows the balanced accuracy.
    """
    layers = [
        each for number in innermost([one.call for one in found.layers]) if (each := found.layers[number])
    ]
    drawn = [each for each in layers if each.probe]
    figure = Figure(figsize=(max(6.0, 0.22 * len(drawn) + 2), 4), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, fontsize=9)
    places = np.arange(len(drawn))
    probes = [each.probe for each in drawn if each.probe]
    axes.fill_between(
        places, [100 * each.low for each in probes], [100 * each.high for each in probes], alpha=0.2, lw=0
    )
    axes.plot(places, [100 * each.accuracy for each in probes], "o-", markersize=3)
    if probes:
        axes.axhline(100 * probes[0].chance, color="grey", ls="--", lw=1)
        axes.annotate(Sentence("chance"), (0, 100 * probes[0].chance), fontsize=7, color="grey", va="bottom")
    axes.set_ylim(0, 100)
    axes.set_ylabel(Sentence("balanced accuracy, %"))
    axes.grid(alpha=0.3)
    _name(axes, [each.call for each in drawn], [])
    return figure


def similarity_figure(matrix: Matrix, rows: Sequence[Call], columns: Sequence[Call], title: str) -> Figure:
    """Return a matrix of CKA from 0 (dark) to 1.

    The first layer of the rows is below, as on a chart.
    """
    figure = Figure(figsize=(0.12 * len(columns) + 3.5, 0.12 * len(rows) + 2.5), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, fontsize=9)
    shown = axes.imshow(matrix, vmin=0, vmax=1, cmap="magma", origin="lower", interpolation="nearest")
    figure.colorbar(shown, ax=axes, label=Sentence("linear CKA, unbiased estimate"))
    _name(axes, columns, rows)
    return figure


def heat_figure(each: LayerLens, found: Lens, title: str) -> Figure:
    """Return the channel × class heat map of one call.

    It shows deviations from the channel's mean, red above and blue below.

    What chance alone reaches has the colour of 0.

    Raises:
        ValueError: there are no classes.
    """
    if each.classes is None:
        raise ValueError("there are no classes")
    beyond = np.where(np.abs(each.classes.score) <= each.classes.chance, 0, each.classes.score)
    score = beyond[each.classes.order][:, found.class_order]
    rows, columns = score.shape
    figure = Figure(figsize=(max(4.0, 0.25 * columns + 2.5), min(12, max(3, 0.09 * rows + 1.5))))
    figure.set_layout_engine("constrained")
    axes = figure.subplots()
    axes.set_title(f"{title} · {_called(each.call)}", fontsize=9, parse_math=False)
    most = float(np.nanmax(np.abs(score), initial=0)) or 1
    colours = mpl.colormaps["RdBu_r"].with_extremes(bad="0.7")
    shown = axes.imshow(score, vmin=-most, vmax=most, cmap=colours, aspect="auto", interpolation="nearest")
    figure.colorbar(
        shown, ax=axes, label=Sentence("deviations from the channel's mean; 0: no more than chance")
    )
    axes.set_ylabel(Sentence("channel"))
    if rows <= MOST_NAMED:
        axes.set_yticks(range(rows), [str(channel) for channel in each.classes.order], fontsize=_SMALL)
    else:
        axes.set_yticks([])
    names = [found.labels.classes[number] for number in found.class_order]
    if columns <= MOST_NAMED:
        axes.set_xticks(range(columns), names, rotation=90, fontsize=_SMALL, parse_math=False)
    return figure


def heat_pages(found: Lens, title: str) -> bytes:
    """Return a PDF file with each innermost layer's heat map.

    It has no dates, as all our files.
    """
    file = BytesIO()
    with PdfPages(file, metadata=_UNDATED) as pages:
        for number in innermost([each.call for each in found.layers]):
            if found.layers[number].classes:
                pages.savefig(heat_figure(found.layers[number], found, title))
    return file.getvalue()


def _name(axes: Axes, across: Sequence[Call], up: Sequence[Call]) -> None:
    """Write the layers' names below and beside, at most ``MOST_NAMED``."""
    step = -(-len(across) // MOST_NAMED) or 1
    names = [_called(each) for each in across[::step]]
    axes.set_xticks(range(0, len(across), step), names, rotation=90, fontsize=_SMALL, parse_math=False)
    if up:
        step = -(-len(up) // MOST_NAMED) or 1
        names = [_called(each) for each in up[::step]]
        axes.set_yticks(range(0, len(up), step), names, fontsize=_SMALL, parse_math=False)


def _called(call: Call) -> str:
    return call.layer if not call.call else f"{call.layer} ({call.call + 1})"
