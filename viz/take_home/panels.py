"""Panels of a figure: layers as one picture each, and photos."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from ..errors import RequestError
from ..maps.colour.tables import AUTO
from ..maps.colour.wanted import Range
from ..maps.reduction.drawing import finite_range, scaling_of
from ..maps.reduction.over_photo import Backdrop
from ..maps.reduction.reduce import Reduced

SCALES = ("own", "row", "all")
TWO_COLUMNS = 180.0  # millimetres: the width of a page in many journals; one column is often 88
NARROWEST, WIDEST = 30.0, 1000.0
MOST_PANELS = 144  # matplotlib draws as many in a few seconds
MARGIN, GAP, ROW_NAME, BESIDE = 1.0, 2.0, 4.0, 11.0  # the last for a colour bar with its numbers
_THINNEST = 8.0  # a panel


@dataclass(frozen=True, eq=False)
class Panel:
    """One picture among several.

    Attributes:
        head: the title above it.
        what: what it shows, for the caption.
        found: the layer as one picture.
        backdrop: its place on the photo, if it lies over it.
    """

    head: str
    what: str
    found: Reduced
    backdrop: Backdrop | None = None


@dataclass(frozen=True, eq=False)
class PhotoPanel:
    """A photo without maps, or a part of it."""

    head: str
    what: str
    image: Image.Image


Grid = Sequence[Sequence[Panel | PhotoPanel]]


@dataclass(frozen=True)
class SheetStyle:
    """Looks of a figure of several panels.

    Attributes:
        width: of the whole figure, in millimetres.
        scale: ``"own"``, ``"row"`` or ``"all"``: the panels that share a range.
        colormap: by its name.
        lettered: with (a), (b) and on before the titles.
        rows: names beside the rows; none if empty.
    """

    width: float = TWO_COLUMNS
    scale: str = "own"
    colormap: str = AUTO
    lettered: bool = True
    rows: Sequence[str] = ()


def check_style(style: SheetStyle, how: str) -> None:
    """Refuse looks that a figure of this reduction cannot have.

    Raises:
        RequestError: there is no such scale, or the figure is too narrow or too wide.
    """
    if style.scale not in SCALES:
        raise RequestError(
            "there is no scale {name} of a figure: choose one of {names}",
            name=repr(style.scale),
            names=", ".join(SCALES),
        )
    if how == "pca" and style.scale != "own":
        raise RequestError("pca has three components with ranges of their own: leave the scale at own")
    if not NARROWEST <= style.width <= WIDEST:
        raise RequestError(
            "a figure is {least} to {most} mm wide: one column of a paper is often 88, and two are 180",
            least=int(NARROWEST),
            most=int(WIDEST),
        )


def layers_of(grid: Grid) -> list[Panel]:
    """Return the panels of layers, row by row."""
    return [each for row in grid for each in row if isinstance(each, Panel)]


def panel_width(columns: int, panels: int, style: SheetStyle, how: str) -> float:
    """Return the width of a panel in millimetres.

    Raises:
        RequestError: too many panels, or too many beside each other; see ``check_style``.
    """
    check_style(style, how)
    if not 1 <= panels <= MOST_PANELS:
        raise RequestError("a figure has 1 to {most} panels, of which one is a layer", most=MOST_PANELS)
    beside = BESIDE if how != "pca" and style.scale != "own" else 0.0
    row_name = ROW_NAME if style.rows else 0.0
    width = (style.width - 2 * MARGIN - row_name - beside - (columns - 1) * GAP) / columns
    if width < _THINNEST:
        raise RequestError(
            "{columns} panels do not fit beside each other into {width} mm: take fewer columns",
            columns=columns,
            width=f"{style.width:g}",
        )
    return width


def limits_of(panels: Sequence[Panel], colormap: str = AUTO) -> Range:
    """Return the ends of one scale for several panels.

    They are symmetric around 0 if the colormap is.
    """
    known = [each.found.values for each in panels if np.isfinite(each.found.values).any()]
    lowest, highest = zip(*map(finite_range, known), strict=True) if known else ((0.0,), (0.0,))
    found = scaling_of(panels[0].found, colormap, (min(lowest), max(highest)))
    return float(found.vmin), float(found.vmax)


def letters(count: int) -> Iterator[str]:
    """Yield the panels' letters: a to z, then aa, ab and on."""
    return map(_letters, range(count))


def _letters(at: int) -> str:
    more, last = divmod(at, 26)
    return (_letters(more - 1) if more else "") + chr(ord("a") + last)
