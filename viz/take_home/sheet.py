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
from ..maps.colour import locked_scaling
from ..maps.colouring import Range
from ..maps.figures import draw_bar
from ..maps.reduction.drawing import draw_photo, draw_reduced, scaling_of, view_of
from .panels import Grid, Panel, PhotoPanel, SheetStyle, check_style, layers_of, letters, limits_of

MOST_PANELS = 144  # matplotlib draws as many in a few seconds
_INCH = 25.4
_MARGIN, _GAP, _ROW_NAME = 1.0, 2.0, 4.0
_LINE, _LETTER, _INDENT = 3.1, 1.4, 5.4  # a title's line, its usual letter, the room for "(a)"
_BAR, _BELOW, _BESIDE = 1.5, 6.0, 11.0  # a colour bar; with its numbers below a panel, or beside rows
_THINNEST = 8.0  # a panel
_FLATTEST, _TALLEST = 1 / 3, 3.0  # a panel's height to its width
_TITLE_POINTS, _TICK_POINTS, _EDGE_POINTS, _FRAME_POINTS = 7.0, 6.0, 0.4, 1.6


def sheet_figure(grid: Grid, style: SheetStyle) -> Figure:
    """Draw panels in rows and columns, with titles, letters and colour bars.

    Rows may have different lengths. The height follows from the panels.

    Raises:
        RequestError: no panel of a layer, too many, or too many beside each other for the width; see
            ``check_style``. There is no such colormap.
    """
    layers = layers_of(grid)
    if not layers or sum(map(len, grid)) > MOST_PANELS:
        raise RequestError("a figure has 1 to {most} panels, of which one is a layer", most=MOST_PANELS)
    check_style(style, layers[0].found.how)
    sheet = _Sheet(grid, style)
    sheet.draw()
    return sheet.figure


class _Sheet:
    """Places of a figure's parts, and the figure itself."""

    def __init__(self, grid: Grid, style: SheetStyle) -> None:
        self.grid, self.style = grid, style
        columns = max(map(len, grid))
        barred = layers_of(grid)[0].found.how != "pca"
        shared = barred and style.scale != "own"
        self.below = _BELOW if barred and not shared else 0.0
        self.left = _MARGIN + (_ROW_NAME if style.rows else 0.0)
        self.right = style.width - _MARGIN - (_BESIDE if shared else 0.0)
        self.panel = (self.right - self.left - (columns - 1) * _GAP) / columns
        if self.panel < _THINNEST:
            raise RequestError(
                "{columns} panels do not fit beside each other into {width} mm: take fewer columns",
                columns=columns,
                width=f"{style.width:g}",
            )
        self.limits = self._limits() if shared else [None] * len(grid)
        self.heads = [[self._head(at, panel) for panel in row] for at, row in enumerate(grid)]
        self.titles = [_LINE * max(map(len, row)) + 0.5 for row in self.heads]
        self.heights = [self.panel * max(map(_ratio, row)) for row in grid]
        steps = [
            title + high + self.below + _GAP for title, high in zip(self.titles, self.heights, strict=True)
        ]
        self.tops = [_MARGIN + sum(steps[:at]) for at in range(len(grid))]
        self.height = 2 * _MARGIN + sum(steps) - _GAP
        self.figure = Figure(figsize=(style.width / _INCH, self.height / _INCH))

    def draw(self) -> None:
        """Draw all rows, their names and the bars that they share."""
        names = letters(sum(map(len, self.grid)))
        for at in range(len(self.grid)):
            self._draw_row(at, names)
            begin = self.tops[at] + self.titles[at]
            if self.style.rows:
                middle = begin + self.heights[at] / 2
                self._text(_MARGIN, middle, self.style.rows[at], rotation=90, va="center")
            limits = self.limits[at]
            if limits and self.style.scale == "row":
                self._draw_shared(limits, begin, self.heights[at])
        if self.style.scale == "all" and self.limits[0]:
            begin = self.tops[0] + self.titles[0]
            self._draw_shared(self.limits[0], begin, self.height - _MARGIN - begin)

    def _draw_row(self, at: int, names: Iterator[str]) -> None:
        begin, limits = self.tops[at] + self.titles[at], self.limits[at]
        for column, panel in enumerate(self.grid[at]):
            left, down = self.left + column * (self.panel + _GAP), self.panel * _ratio(panel)
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
                draw_bar(
                    bar, scaling_of(panel.found, self.style.colormap), "neither", "horizontal", _TICK_POINTS
                )

    def _draw_title(self, lines: Sequence[str], letter: str, left: float, top: float) -> None:
        if self.style.lettered:
            self._text(left, top, f"({letter})", weight="bold")
            left += _INDENT
        self._text(left, top, "\n".join(lines))

    def _draw_shared(self, limits: Range, top: float, down: float) -> None:
        bar = self._axes(self.right + _GAP, top, _BAR, down)
        draw_bar(bar, locked_scaling(*limits, self.style.colormap), "neither", points=_TICK_POINTS)

    def _head(self, at: int, panel: Panel | PhotoPanel) -> list[str]:
        """Return a title's lines; rows with names leave it to the first."""
        room = self.panel - (_INDENT if self.style.lettered else 0.0)
        said = "" if at and self.style.rows else panel.head
        return wrap(said, max(4, int(room / _LETTER))) or [""] * self.style.lettered

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
    """Return a panel's height to its width, squeezed if very long."""
    if isinstance(panel, PhotoPanel):
        ratio = panel.image.height / panel.image.width
    else:
        left, top, right, bottom = view_of(panel.found, panel.backdrop)
        ratio = (bottom - top) / (right - left)
    return min(_TALLEST, max(_FLATTEST, ratio))
