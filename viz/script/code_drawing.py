"""Lines of Python that arrange and draw ``values`` as maps."""

import textwrap
from math import prod

from ..maps.colour.tables import STEPS, is_diverging, is_stretched, printed_colormap, unstretched
from ..request.arrangement import Arrangement
from ..request.inspection import LayerView

_WIDTH = 100  # columns of a wrapped list
# Number of axes of one batch row of each kind; the batch is one more.
_AXES = {"maps": 3, "channels-last": 3, "attention": 3, "attention-query": 3, "volume": 4, "volume-last": 4}
_AXES |= {"tokens": 2, "sequence-first": 2, "table": 2, "signals": 2, "vector": 1, "bar": 1, "scalar": 0}


def map_lines(view: LayerView) -> list[str]:
    """Return the lines that turn ``values`` into ``maps`` (channels, height, width)."""
    kind, values = view.kind, "values"
    if kind == "phase":
        kind, values = view.kinds[0], "np.angle(values)"
    elif view.dtype.startswith("complex"):
        values = "np.abs(values)"
    if kind == "placed" and view.arrangement:
        return _placed(view, view.arrangement, values)
    return [f"maps = {_maps(view, kind, values)}  # {_one_line(view.note)}"]


def draw_lines(view: LayerView, target: str) -> list[str]:
    """Return the lines that draw ``maps`` into the file ``target`` with matplotlib."""
    shares, limits = _scaling(view)
    return [
        *_order_lines(view),
        *shares,
        *_mosaic_lines(view),
        *figure_lines(view.layer, printed_colormap(view.colormap), limits, target),
    ]


def figure_lines(title: str, colormap: str, limits: tuple[float, float], target: str) -> list[str]:
    """Return the lines that draw ``mosaic`` into a file with matplotlib.

    ``mosaic`` is (height, width).
    """
    low, high = limits
    colours = "colours" if is_stretched(colormap) else repr(colormap)
    return [
        *_stretched_lines(colormap),
        "figure = Figure(figsize=(10, 10), layout='constrained')",
        "axes = figure.subplots()",
        f"drawn = axes.imshow(mosaic, cmap={colours}, interpolation='nearest')",
        f"drawn.set_clim({low!r}, {high!r})  # what the ends of the colours stand for",
        f"axes.set_title({title!r})",
        "axes.set_axis_off()",
        "figure.colorbar(drawn, shrink=0.6)",
        f"figure.savefig({target!r}, dpi=150)",
    ]


def stretched_imports(colormap: str) -> list[str]:
    """Return the imports that a stretched colormap takes."""
    names = ("from matplotlib import colormaps", "from matplotlib.colors import ListedColormap")
    return [*names] if is_stretched(colormap) else []


def _stretched_lines(colormap: str) -> list[str]:
    """Return the lines that make a stretched colormap, as ``maps.colour.tables`` does."""
    if not is_stretched(colormap):
        return []
    both = is_diverging(colormap)
    root = "(1 + np.sign(share) * np.sqrt(abs(share))) / 2" if both else "np.sqrt(share)"
    return [
        f"share = np.linspace({-1 if both else 0}, 1, {STEPS}, endpoint=False)  # of the largest value",
        f"colours = ListedColormap(colormaps[{unstretched(colormap)!r}]({root}))",
    ]


def _mosaic_lines(view: LayerView) -> list[str]:
    """Return the lines that put the maps in rows, with gaps."""
    if view.geometry.channels == 1:
        return ["mosaic = maps[0]"]
    columns = view.geometry.columns
    gaps = f"((0, -len(maps) % {columns}), (0, 1), (0, 1))"  # rows become full, and maps stand apart
    return [
        f"tiles = np.pad(maps.astype(float), {gaps}, constant_values=np.nan)",
        f"rows = [np.hstack(tiles[row : row + {columns}]) for row in range(0, len(tiles), {columns})]",
        "mosaic = np.vstack(rows)[:-1, :-1]",
    ]


def _placed(view: LayerView, known: Arrangement, values: str) -> list[str]:
    """Return the lines for values that are drawn where they sit."""
    front = [] if known.batch is None else [known.batch]
    axes = (*front, *known.channels, *known.places)
    channels = prod(known.shape[axis] for axis in known.channels)
    cells, size = view.geometry.map_height * view.geometry.map_width, view.index
    row = f"[{view.row}]" if front else ""
    lines = [f"rows = {values}.transpose{axes}{row}.reshape({channels}, -1)"]
    shape = f"{channels}, {view.geometry.map_height}, {view.geometry.map_width}"
    note = _one_line(view.note)
    if not known.order:
        start = size * cells
        return [*lines, f"maps = rows[:, {start}:{start + cells}].reshape({shape})  # {note}"]
    order = known.order[size * cells : (size + 1) * cells]
    numbers = textwrap.wrap(", ".join(map(str, order)), _WIDTH)
    lines += ["places = [  # for each place of a map, row by row, where the layer keeps it"]
    return [
        *lines,
        *(f"    {line}" for line in numbers),
        "]",
        f"maps = rows[:, places].reshape({shape})  # {note}",
    ]


def _maps(view: LayerView, kind: str, values: str) -> str:
    row = _row(view, kind, values)
    height, width = view.geometry.map_height, view.geometry.map_width
    if kind == "sequence-first":
        kind = "table" if view.geometry.channels == 1 else "tokens"
    tokens = {"sequence-first": view.shape[:1], "attention-query": view.shape[-1:]}.get(
        view.kind, view.shape[-2:-1]
    )
    start = sum(tokens) - height * width  # class and register tokens come before the grid
    return {
        "maps": row,
        "attention": row,
        "channels-last": f"np.moveaxis({row}, -1, 0)",
        "attention-query": f"{row}[:, {view.index}, {start}:].reshape(-1, {height}, {width})",
        "tokens": f"np.moveaxis({row}[{start}:].reshape({height}, {width}, -1), -1, 0)",
        "volume": f"{row}[:, {view.index}]",
        "volume-last": f"np.moveaxis({row}, -1, 0)[:, {view.index}]",
        "vector": f"{row}[:, None, None]",
    }.get(kind, f"{row}.reshape(1, {height}, {width})")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _row(view: LayerView, kind: str, values: str) -> str:
    if len(view.shape) == _AXES[kind]:
        return values
    return f"{values}[:, {view.row}]" if kind == "sequence-first" else f"{values}[{view.row}]"


def _order_lines(view: LayerView) -> list[str]:
    if not view.geometry.order:
        return []
    numbers = textwrap.wrap(", ".join(map(str, view.geometry.order)), _WIDTH)
    return ["order = [", *(f"    {line}" for line in numbers), "]", "maps = maps[order]"]


def _scaling(view: LayerView) -> tuple[list[str], tuple[float, float]]:
    """Return the lines that scale each channel, and the colours' limits."""
    if not isinstance(view.vmin, tuple) or not isinstance(view.vmax, tuple):
        return [], view.limits(0)
    symmetric = all(low == -high for low, high in zip(view.vmin, view.vmax, strict=True))
    lines = [
        "# Every channel has its own scale, so the colour bar shows shares of it.",
        "lowest, highest = maps.min((1, 2), keepdims=True), maps.max((1, 2), keepdims=True)",
        *(["lowest = -(highest := np.maximum(abs(lowest), abs(highest)))"] if symmetric else []),
        "maps = (maps - lowest) / np.where(highest > lowest, highest - lowest, 1)",
    ]
    return lines, (0, 1)
