"""Drawing of a reduced picture, as pixels or as a figure.

There is one pixel per value; a figure has a colour bar and a caption. The scores of three principal
components become red, green and blue: each from its own lowest finite score, dark, to its own highest,
bright. A component that the maps do not have is dark.
"""

from io import BytesIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray
from PIL import Image

from ..colour.scaling import Scaling, colour_codes, locked_scaling, scaling
from ..colour.tables import AUTO
from ..colour.wanted import Range
from ..figures import BAR, MARGIN, Place, canvas, draw_bar
from ..mosaic import NAN_COLOUR
from .components import COMPONENTS
from .over_photo import Backdrop, Box
from .reduce import Reduced

OPAQUE = 0.6  # of a picture over a photo
_SIDE, _AXIS_LABELS, _LONGEST = 5.0, 0.35, 8.0  # inches; the last is a ratio
_BYTE = 255


def reduced_png(found: Reduced, colormap: str = AUTO) -> bytes:
    """Return a PNG with one pixel per value.

    A pixel is magenta where its value is not finite.

    Raises:
        RequestError: there is no such colormap.
    """
    buffer = BytesIO()
    Image.fromarray(pixels(found, colormap)).save(buffer, "PNG")
    return buffer.getvalue()


def reduced_figure(
    found: Reduced,
    *,
    title: str = "",
    caption: str = "",
    colormap: str = AUTO,
    backdrop: Backdrop | None = None,
) -> Figure:
    """Return a figure of one picture with axes and a colour bar.

    The axes number the cells. Over a photo they count the whole photo's pixels from its left and upper edge,
    and a frame marks the part that the model saw.

    Raises:
        RequestError: there is no such colormap.
    """
    view = view_of(found, backdrop)
    across, down = _inches(view)
    figure, place = canvas(across + _AXIS_LABELS, down + _AXIS_LABELS, title, caption)
    axes = figure.add_axes(place(_AXIS_LABELS, 0, across, down))
    draw_reduced(axes, found, colormap, backdrop)
    axes.tick_params(labelsize=7)
    axes.locator_params(integer=True)
    _draw_bars(figure, place, found, colormap, (across + _AXIS_LABELS + MARGIN, down))
    return figure


def draw_reduced(
    axes: Axes,
    found: Reduced,
    colormap: str = AUTO,
    backdrop: Backdrop | None = None,
    limits: Range | None = None,
    frame: float = 2.5,
) -> None:
    """Draw a reduced picture into axes, over its photo if any.

    ``frame`` is the width in points of the line around what the model saw.

    Raises:
        RequestError: there is no such colormap.
    """
    view = view_of(found, backdrop)
    if backdrop is not None:
        draw_photo(axes, backdrop.image)
        _draw_frame(axes, backdrop.seen, frame)
    cells, alpha = (view, 1.0) if backdrop is None else (backdrop.cells, OPAQUE)
    _draw(axes, pixels(found, colormap, limits), cells, alpha)
    axes.set(xlim=(view[0], view[2]), ylim=(view[3], view[1]))


def view_of(found: Reduced, backdrop: Backdrop | None = None) -> Box:
    """Return the box that is drawn: cells, or the whole photo."""
    height, width = found.values.shape[:2]
    return (-0.5, -0.5, width - 0.5, height - 0.5) if backdrop is None else _around(backdrop)


def pixels(found: Reduced, colormap: str = AUTO, limits: Range | None = None) -> NDArray[np.uint8]:
    """Return the opaque RGBA colours (height, width, 4) of a reduced picture.

    ``limits`` are the values at the ends of the colormap, if they are not its own.

    Raises:
        RequestError: there is no such colormap.
    """
    values = found.values
    if found.how == "pca":
        colours = np.full((*values.shape[:2], 4), _BYTE, np.uint8)
        for component in range(COMPONENTS):
            colours[..., component] = _shades(values[..., component])
    else:
        scale = scaling_of(found, colormap, limits)
        known = np.nan_to_num(values, posinf=0, neginf=0)[None]
        codes, table = colour_codes(known, scale.colormap, scale.vmin, scale.vmax)
        colours = table[codes[0]]
    return np.where(there(found)[..., None], colours, np.array(NAN_COLOUR, np.uint8))


def there(found: Reduced) -> NDArray[np.bool_]:
    """Return which places (height, width) have finite values."""
    finite = np.isfinite(found.values)
    return np.logical_and.reduce(finite, axis=2) if found.how == "pca" else finite


def finite_range(values: NDArray[np.float32]) -> tuple[float, float]:
    """Return the lowest and highest finite value; (0, 0) without any."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def _shades(scores: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return one component's colours, 0 to 255 between its extreme scores."""
    low, high = finite_range(scores)
    known = np.nan_to_num(scores.astype(np.float64), nan=low, posinf=low, neginf=low)
    return np.round(_BYTE * (known - low) / ((high - low) or 1.0)).astype(np.uint8)


def scaling_of(found: Reduced, colormap: str = AUTO, limits: Range | None = None) -> Scaling:
    """Return a picture's colormap and the values at its ends.

    Raises:
        RequestError: there is no such colormap.
    """
    if limits is None:
        return scaling(found.values[None], colormap, "layer")
    return locked_scaling(*limits, colormap)


def _around(backdrop: Backdrop) -> Box:
    """Return the box around the photo and the part the model saw."""
    width, height = backdrop.image.size
    left, top, right, bottom = backdrop.seen
    return min(0.0, left), min(0.0, top), max(float(width), right), max(float(height), bottom)


def _inches(view: Box) -> tuple[float, float]:
    """Return the picture's width and height in inches, squeezed if very long."""
    ratio = min(_LONGEST, max(1 / _LONGEST, (view[2] - view[0]) / (view[3] - view[1])))
    return (_SIDE, _SIDE / ratio) if ratio > 1 else (_SIDE * ratio, _SIDE)


def _draw(axes: Axes, colours: NDArray[np.uint8], box: Box, alpha: float = 1.0) -> None:
    left, top, right, bottom = box
    extent = (left, right, bottom, top)
    axes.imshow(colours, extent=extent, alpha=alpha, aspect="auto", interpolation="nearest")


def draw_photo(axes: Axes, image: Image.Image) -> None:
    """Draw a whole photo, a pixel to a unit of the axes."""
    photo = image.convert("RGB")
    _draw(axes, np.asarray(photo), (0.0, 0.0, float(photo.width), float(photo.height)))


def _draw_frame(axes: Axes, box: Box, points: float) -> None:
    left, top, right, bottom = box
    for colour, line, zorder in (("black", points, 3), ("white", 0.4 * points, 4)):  # seen on every photo
        frame = Rectangle((left, top), right - left, bottom - top, fill=False, edgecolor=colour)
        frame.set(linewidth=line, zorder=zorder, clip_on=False)
        axes.add_patch(frame)


def _draw_bars(
    figure: Figure, place: Place, found: Reduced, colormap: str, corner: tuple[float, float]
) -> None:
    """One colour bar, or one for each principal component that exists."""
    left, height = corner
    if found.how != "pca":
        draw_bar(figure.add_axes(place(left, 0, BAR, height)), scaling_of(found, colormap), "neither")
        return
    each = (height + MARGIN) / COMPONENTS
    for component, share in enumerate(found.explained):
        low, high = finite_range(found.values[..., component])
        if not share or low == high:
            continue
        axes = figure.add_axes(place(left, component * each, BAR, each - MARGIN))
        table = np.zeros((_BYTE + 1, 3))
        table[:, component] = np.linspace(0, 1, _BYTE + 1)
        Colorbar(axes, ScalarMappable(Normalize(low, high), ListedColormap(table)))
        axes.tick_params(labelsize=7, width=0.5)
        axes.yaxis.get_offset_text().set(fontsize=7)
