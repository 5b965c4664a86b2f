"""Figures for papers and slides: heatmaps with titles and colour bars.

Every function returns a ``Figure`` of its own or the bytes of one; there is no current figure, so any number
of threads may draw at once. Files carry no dates and no random ids: the same maps give the same bytes.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from io import BytesIO
from textwrap import wrap
from typing import Any, Literal, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.colors import Colormap, ListedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from ..errors import LayoutError, RequestError
from .checked import checked_maps
from .colour.scaling import Scale, Scaling, scaling
from .colour.tables import colour_table, palette
from .mosaic import NAN_COLOUR, render_mosaic
from .tiling import Tiling, tiling

Ends = Literal["neither", "min", "max", "both"]
_ENDS: dict[tuple[bool, bool], Ends] = {
    (False, False): "neither",
    (True, False): "min",
    (False, True): "max",
    (True, True): "both",
}
FORMATS = ("png", "svg", "pdf")
MOST_AXES = 144
MOST_PIXELS = 100_000_000  # of a figure: 400 MB while it is drawn
# The ids in an SVG file are hashes with this salt; without it they would differ from file to file.
mpl.rcParams["svg.hashsalt"] = "layerglass"
# Journals refuse Type 3, matplotlib's usual form of fonts in a PDF: 42 is TrueType, which can be edited too.
mpl.rcParams["pdf.fonttype"] = 42
_UNDATED: dict[str, dict[str, str | None]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
_MOSAIC_COLOURS = ("magenta", "green", "cyan")  # those of ``ODD_COLOURS`` in words
_DPI = 150
# Inches:
_TILE, _GAP, _NUMBER, MARGIN, _TITLE, _LINE, BAR, _BAR_LABELS, _LEAST_WIDTH = (
    1.1,
    0.06,
    0.17,
    0.12,
    0.3,
    0.15,
    0.13,
    0.6,
    4.0,
)
_LETTERS, _CAPTION_LETTERS = 14, 18  # of a title and of a caption in an inch
_CAPTION_LINE = 0.13  # inches
_LETTER_WIDTH = 0.23  # millimetres of a digit, for each point of its height
_LARGEST_ZOOM = 3.0
_SMALLEST, _LARGEST = 1e-280, 1e300
_LONGEST_TILE = 8.0
_TALLEST, _NARROWEST = 100.0, 0.4  # inches of all rows, of a mosaic

Place = Callable[[float, float, float, float], tuple[float, float, float, float]]


class _Drawing(NamedTuple):
    """Maps, which of them are shown where, and their colours."""

    values: NDArray[np.generic]
    tiles: Tiling
    found: Scaling


def feature_map_figure(
    maps: ArrayLike,
    *,
    title: str = "",
    colormap: str = "viridis",
    scale: Scale = "layer",
    columns: int | None = None,
    channels: Sequence[int] | None = None,
) -> Figure:
    """A figure of numbered heatmaps, one per channel, with a colour bar.

    The maps are (channels, height, width). Up to 144 channels have axes of their own. More of them, or
    channels of a single value, share one pair of axes, as a mosaic with the number of each row's first
    channel beside it: hundreds of axes take many seconds, and their titles cannot be read. With
    ``scale="channel"`` each heatmap's own range is above it. NaN and infinities, magenta in axes of their
    own, are counted below.

    Args:
        maps: real numbers; a single map (height, width) counts as one channel.
        title: plain text above the figure.
        colormap: as for ``render_mosaic``, and so are ``scale`` and ``columns``.
        scale: see there.
        columns: see there.
        channels: the channels to show, in this order; all of them when None.

    Raises:
        LayoutError: not real numbers of shape (channels, height, width), or empty.
        RequestError: unknown colormap, scale, channel or number of columns.

    >>> maps = lg.to_array(layers(images)["conv1"].output[0])
    >>> lg.feature_map_figure(maps, title="conv1", columns=3).savefig("maps.png")
    """
    values = checked_maps(maps)
    drawing = _Drawing(values, tiling(values.shape, channels, columns), scaling(values, colormap, scale))
    if drawing.tiles.count <= MOST_AXES and values[0].size > 1:
        return _grid_figure(drawing, title)
    mosaic = render_mosaic(values, colormap=colormap, scale=scale, order=channels, columns=columns)
    return _mosaic_figure(drawing, mosaic.png, title)


def channel_figure(
    values: ArrayLike, *, title: str = "", colormap: str = "viridis", scale: Scale = "layer"
) -> Figure:
    """A figure of one map with numbered axes and a colour bar.

    The map is (height, width).

    Raises:
        LayoutError: not real numbers of that shape or (1, height, width), or empty.
        RequestError: unknown colormap or scale.

    >>> maps = lg.to_array(layers(images)["conv1"].output[0])
    >>> lg.channel_figure(maps[3], title="conv1, channel 3").savefig("channel.png")
    """
    maps = checked_maps(values)
    if len(maps) > 1:
        raise LayoutError(
            "this figure is of one map (height, width), not of {count}: take one, maps[0], or draw them with "
            "feature_map_figure",
            count=len(maps),
        )
    drawing = _Drawing(maps, tiling(maps.shape, [0]), scaling(maps, colormap, scale))
    width, height = _tile_inches(drawing.tiles)
    width, height = (5 * side / max(width, height) for side in (width, height))
    figure, place = canvas(width + 0.4, height + 0.3, title, _odd_values(drawing))
    axes = figure.add_axes(place(0.4, 0, width, height))
    _draw_map(axes, drawing, 0)
    axes.tick_params(labelsize=7)
    bar = figure.add_axes(place(width + 0.4 + MARGIN, 0, BAR, height))
    draw_bar(bar, drawing.found, _ends(drawing))
    return figure


def save_figure(figure: Figure, form: str, dpi: int = _DPI) -> bytes:
    """The figure as a ``"png"``, ``"svg"`` or ``"pdf"`` file.

    The same figure gives the same bytes each time. ``dpi`` is the number of pixels in an inch, also of
    the pictures inside an SVG or a PDF.

    Raises:
        RequestError: another format, or more than ``MOST_PIXELS``.
    """
    if form not in FORMATS:
        raise RequestError(
            "figures are saved as {formats}, not as {form}", formats=", ".join(FORMATS), form=repr(form)
        )
    width, height = (int(dpi * side) for side in figure.get_size_inches())
    if width * height > MOST_PIXELS:
        raise RequestError(
            "a figure of {width} × {height} pixels is too large: take fewer of them in an inch",
            width=width,
            height=height,
        )
    file = BytesIO()
    figure.savefig(file, format=form, dpi=dpi, metadata=_UNDATED[form])
    return file.getvalue()


def _grid_figure(drawing: _Drawing, title: str) -> Figure:
    """One pair of axes per channel, numbered."""
    tiles = drawing.tiles
    width, height = _tile_inches(tiles)
    right, down = width + _GAP, height + _NUMBER
    figure, place = canvas(tiles.columns * right, tiles.rows * down, title, _odd_values(drawing))
    for position, channel in enumerate(tiles.order):
        row, column = divmod(position, tiles.columns)
        axes = figure.add_axes(place(column * right, row * down + _NUMBER, width, height))
        _draw_map(axes, drawing, channel)
        axes.set(xticks=[], yticks=[])
        axes.set_title(_caption(drawing.found, channel), fontsize=6, pad=2)
    bar = place(tiles.columns * right + MARGIN, _NUMBER, BAR, tiles.rows * down - _NUMBER)
    draw_bar(figure.add_axes(bar), drawing.found, _ends(drawing))
    return figure


def _mosaic_figure(drawing: _Drawing, png: bytes, title: str) -> Figure:
    """All channels in one pair of axes, with numbers beside the rows."""
    tiles = drawing.tiles
    pixels = np.asarray(Image.open(BytesIO(png)).convert("RGBA"))
    width = min(24.0, max(8.0, tiles.width / _DPI))
    height = min(_TALLEST, width * tiles.height / tiles.width)
    width = max(_NARROWEST, height * tiles.width / tiles.height)
    figure, place = canvas(width + 0.4, height, title, _odd_values(drawing, _MOSAIC_COLOURS))
    axes = figure.add_axes(place(0.4, 0, width, height))
    axes.imshow(pixels, aspect="auto", interpolation="nearest")
    middles = [
        row * (tiles.tile_height + tiles.pad) + (tiles.tile_height - 1) / 2 for row in range(tiles.rows)
    ]
    axes.set_yticks(middles, [str(channel) for channel in tiles.order[:: tiles.columns]], fontsize=6)
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.set_frame_on(False)
    bar = figure.add_axes(place(width + 0.4 + MARGIN, 0, BAR, height))
    draw_bar(bar, drawing.found, _ends(drawing))
    return figure


def _odd_values(drawing: _Drawing, colours: Sequence[str] = ("magenta",) * 3) -> str:
    """Return the colours and numbers of shown values that are not finite.

    ``colours`` are the names of those of NaN, ∞ and −∞.
    """
    shown = drawing.values[list(drawing.tiles.order)]
    kinds = {"NaN": np.isnan(shown), "∞": shown == np.inf, "−∞": shown == -np.inf}
    found: dict[str, list[str]] = {}
    for colour, (kind, places) in zip(colours, kinds.items(), strict=True):
        if places.any():
            found.setdefault(colour, []).append(f"{np.count_nonzero(places)} {kind}")
    return ", ".join(f"{colour}: {', '.join(counts)}" for colour, counts in found.items())


def _tile_inches(tiles: Tiling) -> tuple[float, float]:
    """The width and height of a heatmap, enlarged or squeezed if necessary."""
    ratio = min(_LONGEST_TILE, max(1 / _LONGEST_TILE, tiles.tile_width / tiles.tile_height))
    width = _TILE * ratio**0.5
    zoom = min(_LARGEST_ZOOM, max(1, _LEAST_WIDTH / (tiles.columns * width)))
    zoom = min(zoom, (_TALLEST / tiles.rows - _NUMBER) * ratio / width)
    return zoom * width, zoom * width / ratio


def canvas(width: float, height: float, title: str, caption: str = "") -> tuple[Figure, Place]:
    """An empty figure, and a function from inches to its places.

    Sizes are in inches too; places count from the top left. The title stands above, and the caption below;
    the room for a colour bar on the right comes on top.
    """
    whole_width = width + 3 * MARGIN + BAR + _BAR_LABELS
    lines = wrap(title, max(1, int(whole_width * _LETTERS)))
    below = wrap(caption, max(1, int(whole_width * _CAPTION_LETTERS)))
    top = _TITLE + _LINE * (len(lines) - 1) if title else MARGIN
    whole_height = height + top + MARGIN + _CAPTION_LINE * len(below)
    figure = Figure(figsize=(whole_width, whole_height))
    if below:
        left, bottom = MARGIN / whole_width, MARGIN / 2 / whole_height
        figure.text(left, bottom, "\n".join(below), va="bottom", fontsize=7, parse_math=False)
    if title:
        said = "\n".join(lines)
        figure.text(
            MARGIN / whole_width, 1 - 0.08 / whole_height, said, va="top", fontsize=9, parse_math=False
        )

    def place(left: float, down: float, across: float, high: float) -> tuple[float, float, float, float]:
        bottom = whole_height - top - down - high
        return (
            (left + MARGIN) / whole_width,
            bottom / whole_height,
            across / whole_width,
            high / whole_height,
        )

    return figure, place


def _draw_map(axes: Axes, drawing: _Drawing, channel: int) -> None:
    """One heatmap in the colours of its scale."""
    low, high = _limits(drawing.found, channel)
    values, cmap = drawing.values[channel], _with_marks(drawing.found.colormap)
    if _is_extreme(low, high):
        _, exponent = np.frexp(max(abs(low), abs(high)))
        values, low, high = (np.ldexp(np.float64(each), -exponent) for each in (values, low, high))
    axes.imshow(values, cmap=cmap, norm=Normalize(low, high), aspect="auto", interpolation="nearest")


def _ends(drawing: _Drawing) -> Ends:
    """Return the colour bar's ends beyond which there are values."""
    low, high = drawing.found.vmin, drawing.found.vmax
    values: NDArray[Any] = drawing.values
    if isinstance(low, np.ndarray) or isinstance(high, np.ndarray):
        return "neither"
    finite = np.isfinite(values)
    return _ENDS[bool((finite & (values < low)).any()), bool((finite & (values > high)).any())]


def draw_bar(axes: Axes, found: Scaling, ends: Ends, points: float = 7) -> None:
    """The colour bar of a scale, without numbers for scales per channel.

    ``points`` is the size of its numbers.
    """
    table = _bar_colours(found.colormap) / 255
    low, high = _limits(found, 0)
    labels: dict[float, str] = {}
    exponent = 0
    if isinstance(found.vmin, np.ndarray):
        low, high, labels = 0.0, 1.0, {0.0: "min", 1.0: "max"}
    elif low == high:
        table, low, high, labels = table[:1], 0.0, 1.0, {0.5: _number(low, 4)}
    elif _is_extreme(low, high):
        exponent = Decimal(max(abs(low), abs(high))).adjusted()
        low, high = (float(Decimal(limit).scaleb(-exponent)) for limit in (low, high))
    colours = ScalarMappable(Normalize(low, high), ListedColormap(table))
    bar = Colorbar(axes, colours, extend=ends)
    if labels:
        bar.set_ticks(list(labels), labels=list(labels.values()))
    if exponent:
        bar.formatter = FuncFormatter(lambda tick, _: _number(tick, 3, f"e{exponent}") if tick else "0")
    bar.outline.set_edgecolor("black")
    bar.outline.set_linewidth(0.5)
    axes.tick_params(labelsize=points, width=0.5)
    bar.long_axis.get_offset_text().set(fontsize=points)


def draw_ends(axes: Axes, found: Scaling, points: float, room: float) -> None:
    """A flat colour bar with numbers at its ends, and 0.

    Axes of ``room`` millimetres; the numbers are ``points`` high, or lower where they would not fit.
    """
    low, high = _limits(found, 0)
    table = _bar_colours(found.colormap)
    axes.imshow(table[None, :1] if low == high else table[None], aspect="auto", interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_linewidth(0.4)
    labels = {0.5: low} if low == high else {0.0: low, 1.0: high}
    texts = {at: _number(value, 3) for at, value in labels.items()}
    letters = sum(map(len, texts.values())) + len(texts) - 1
    if low == -high and high and (letters + 3) * points * _LETTER_WIDTH <= room:
        texts[0.5] = "0"
    size = min(points, room / (letters * _LETTER_WIDTH))
    for at, text in texts.items():
        side = "left" if at == 0 else "right" if at == 1 else "center"
        axes.text(at, -0.4, text, transform=axes.transAxes, ha=side, va="top", fontsize=size)


def _bar_colours(colormap: str) -> NDArray[np.uint8]:
    """The colours of a bar, few enough to have an area each."""
    table = colour_table(colormap)
    return table[:: max(1, len(table) // len(palette(colormap)))]


def _is_extreme(low: float, high: float) -> bool:
    """Return whether limits are too extreme for matplotlib's own arithmetic."""
    return low < high and not _SMALLEST < max(abs(low), abs(high)) < _LARGEST


def _limits(found: Scaling, channel: int) -> tuple[float, float]:
    low, high = (
        limit[channel] if isinstance(limit, np.ndarray) else limit for limit in (found.vmin, found.vmax)
    )
    return float(low), float(high)


def _caption(found: Scaling, channel: int) -> str:
    """A channel's number, and its range if it has its own."""
    if not isinstance(found.vmin, np.ndarray):
        return str(channel)
    low, high = _limits(found, channel)
    return f"{channel}: {_number(low, 3)} … {_number(high, 3)}"


def _number(number: float, digits: int, power: str = "") -> str:
    """A number with so many digits, and with matplotlib's minus sign."""
    return f"{number:.{digits}g}{power}".replace("-", "−")


def _with_marks(colormap: str) -> Colormap:
    """The colormap with a colour for values that are not finite."""
    red, green, blue, _ = NAN_COLOUR
    colours = ListedColormap(colour_table(colormap) / 255, name=colormap)
    return colours.with_extremes(bad=(red / 255, green / 255, blue / 255))
