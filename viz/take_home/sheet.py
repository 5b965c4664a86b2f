"""Figure of several panels, in the width of a paper's column.

Lengths are millimetres, and places count from the upper left corner. Each figure is an object of its own, so
that any number of threads may draw.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import RequestError
from ..maps.colour.scaling import locked_scaling
from ..maps.colour.wanted import Range
from ..maps.figures import draw_bar, draw_ends
from ..maps.reduction.drawing import draw_photo, draw_reduced, scaling_of, view_of
from .panels import (
    BESIDE,
    GAP,
    MARGIN,
    MOST_PANELS,
    ROW_NAME,
    Grid,
    Panel,
    PhotoPanel,
    SheetStyle,
    layers_of,
    letters,
    limits_of,
    panel_width,
)

HIGHEST = 2000.0
_INCH = 25.4
_LINE, _LETTER, _WIDE, _BOLD = 3.1, 1.55, 1.75, 1.9  # a title's line; a usual, a wide and a bold letter
_BAR, _BELOW = 1.5, 5.5  # a colour bar; with its numbers below a panel
_FLATTEST, _TALLEST = 1 / 3, 3.0  # height to width of maps that are not over a photo
_TITLE_POINTS, _TICK_POINTS, _EDGE_POINTS, _FRAME_POINTS = 7.0, 6.0, 0.4, 1.6


def sheet_figure(grid: Grid, style: SheetStyle) -> Figure:
    """Draw panels in rows and columns, with titles, letters and colour bars.

    Rows may have different lengths. The height follows from the panels.

    Raises:
        RequestError: no panel of a layer, or several formulas; too high, or no such colormap; see
            ``panel_width``.
    """
    formulas = {each.found.how for each in layers_of(grid)}
    if not formulas:
        raise RequestError("a figure has 1 to {most} panels, of which one is a layer", most=MOST_PANELS)
    if len(formulas) > 1:
        raise RequestError("all layers of a figure are reduced by one formula")
    sheet = _Sheet(grid, style, formulas.pop())
    sheet.draw()
    return sheet.figure


class _Sheet:
    """Places of a figure's parts, and the figure itself."""

    def __init__(self, grid: Grid, style: SheetStyle, how: str) -> None:
        self.grid, self.style = grid, style
        self.count = sum(map(len, grid))
        shared = how != "pca" and style.scale != "own"
        self.below = _BELOW if how != "pca" and not shared else 0.0
        self.left = MARGIN + (ROW_NAME if style.rows else 0.0)
        self.right = style.width - MARGIN - (BESIDE if shared else 0.0)
        self.panel = panel_width(max(map(len, grid)), self.count, style, how)
        longest = max(map(len, letters(self.count)))
        self.indent = 3.5 + _BOLD * longest if style.lettered else 0.0
        self.limits = self._limits() if shared else [None] * len(grid)
        self.heads = [[self._head(at, panel) for panel in row] for at, row in enumerate(grid)]
        self.titles = [_LINE * max(map(len, row)) + 0.5 for row in self.heads]
        self.heights = [self.panel * max(map(_ratio, row)) for row in grid]
        steps = [
            title + high + self.below + GAP for title, high in zip(self.titles, self.heights, strict=True)
        ]
        self.tops = [MARGIN + sum(steps[:at]) for at in range(len(grid))]
        self.height = 2 * MARGIN + sum(steps) - GAP
        if self.height > HIGHEST:
            raise RequestError(
                "this figure would be {height} mm high: take more columns, or less width",
                height=round(self.height),
            )
        self.figure = Figure(figsize=(style.width / _INCH, self.height / _INCH))

    def draw(self) -> None:
        """Draw all rows, their names and the bars that they share."""
        names = letters(self.count)
        for at in range(len(self.grid)):
            self._draw_row(at, names)
            begin = self.tops[at] + self.titles[at]
            if self.style.rows:
                middle = self.tops[at] + (self.titles[at] + self.heights[at]) / 2
                self._text(MARGIN, middle, self._row_name(at), rotation=90, va="center")
            limits = self.limits[at]
            if limits and self.style.scale == "row":
                self._draw_shared(limits, begin, self.heights[at])
        if self.style.scale == "all" and self.limits[0]:
            begin = self.tops[0] + self.titles[0]
            self._draw_shared(self.limits[0], begin, self.height - MARGIN - begin)

    def _draw_row(self, at: int, names: Iterator[str]) -> None:
        begin, limits = self.tops[at] + self.titles[at], self.limits[at]
        for column, panel in enumerate(self.grid[at]):
            left, down = self.left + column * (self.panel + GAP), self.panel * _ratio(panel)
            self._draw_title(self.heads[at][column], next(names), left, self.tops[at])
            axes = self._axes(left, begin, self.panel, down)
            axes.set(xticks=[], yticks=[])
            axes.spines[:].set_linewidth(_EDGE_POINTS)
            if isinstance(panel, PhotoPanel):
                draw_photo(axes, panel.image)
                continue
            draw_reduced(axes, panel.found, self.style.colormap, panel.backdrop, limits, _FRAME_POINTS)
            if self.below:
                bar = self._axes(left, begin + down + 1.0, self.panel, _BAR)
                draw_ends(bar, scaling_of(panel.found, self.style.colormap), _TICK_POINTS, self.panel)

    def _draw_title(self, lines: Sequence[str], letter: str, left: float, top: float) -> None:
        if self.style.lettered:
            self._text(left, top, f"({letter})", weight="bold")
            left += self.indent
        self._text(left, top, "\n".join(lines))

    def _draw_shared(self, limits: Range, top: float, down: float) -> None:
        bar = self._axes(self.right + GAP, top, _BAR, down)
        draw_bar(bar, locked_scaling(*limits, self.style.colormap), "neither", points=_TICK_POINTS)

    def _head(self, at: int, panel: Panel | PhotoPanel) -> list[str]:
        """Return a title's lines; rows with names leave it to the first."""
        said = "" if at and self.style.rows else panel.head
        return wrap(said, max(1, int((self.panel - self.indent) / _LETTER))) or [""] * self.style.lettered

    def _row_name(self, at: int) -> str:
        """Return a row's name, or its end, which has photos' numbers."""
        name, room = self.style.rows[at], int((self.titles[at] + self.heights[at]) / _WIDE)
        return name if len(name) <= room else f"…{name[len(name) - room + 1 :]}"

    def _limits(self) -> list[Range | None]:
        """Return each row's range, for the rows that have one."""
        if self.style.scale == "all":
            return [limits_of(layers_of(self.grid), self.style.colormap)] * len(self.grid)
        rows = [layers_of([row]) for row in self.grid]
        return [limits_of(row, self.style.colormap) if row else None for row in rows]

    def _axes(self, left: float, top: float, across: float, down: float) -> Axes:
        bottom, wide, high = self.height - top - down, self.style.width, self.height
        return self.figure.add_axes((left / wide, bottom / high, across / wide, down / high))

    def _text(self, left: float, top: float, said: str, **looks: Any) -> None:
        at = left / self.style.width, 1 - top / self.height
        usual: dict[str, Any] = {"va": "top", "fontsize": _TITLE_POINTS, "parse_math": False}
        self.figure.text(*at, said, **usual | looks)


def _ratio(panel: Panel | PhotoPanel) -> float:
    """Return a panel's height to its width."""
    if isinstance(panel, PhotoPanel):
        return panel.image.height / panel.image.width
    left, top, right, bottom = view_of(panel.found, panel.backdrop)
    ratio = (bottom - top) / (right - left)
    return ratio if panel.backdrop else min(_TALLEST, max(_FLATTEST, ratio))
