"""Numbers → colours, exactly as matplotlib would choose them.

It would do so by ``Normalize``, followed by a colormap. A colormap is a table of colours; a *level* is an
index into that table. ``levels`` repeats matplotlib's arithmetic operation by operation (in the array's own
precision, with double-precision limits), so that the results agree to the last bit and a value on the border
of two colours gets the same one.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import LayoutError, RequestError
from ..sentences import Sentence

AUTO = "auto"
AUTO_ON_DARK = "auto-on-dark"
SEQUENTIAL = ("viridis", "magma", "inferno", "cividis", "gray", "hot")
DIVERGING = ("coolwarm", "RdBu_r", "PuOr", "berlin", "vanimo", "managua", "seismic")
COLORMAPS = SEQUENTIAL + DIVERGING
SIGNED_DEFAULT = "coolwarm"
SIGNED_ON_DARK = "coolwarm_on_dark"  # our own; see ``_dark_middle``
_STOPS = 17
_DIVERGING_FAMILY = frozenset(
    {"berlin", "vanimo", "managua", "coolwarm", "bwr", "seismic", "RdBu", "PuOr", "PiYG", "PRGn", "BrBG"}
    | {"RdGy", "RdYlBu", "RdYlGn", "Spectral", SIGNED_ON_DARK}
)
_BYTE = 256
_DARKEST, _LIGHTEST = 0.27, 0.83  # lightness in Oklab: above a dark page's, so that tiles have edges
_CHROMA = (0.508, -0.428)  # of t and of t squared: most of it in the middle of each arm, as far as screens go
_BLUE, _RED = 257.0, 32.0  # degrees: the hues of coolwarm's two arms

# Source: Björn Ottosson, A perceptual color space for image processing (2020).
_TO_ROOTS = np.array(
    [
        [1, 0.3963377774, 0.2158037573],
        [1, -0.1055613458, -0.0638541728],
        [1, -0.0894841775, -1.2914855480],
    ]
)
_TO_LINEAR = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)

Scale = str | Sequence[float]
Limit = float | NDArray[np.float64]
Levels = NDArray[np.uint8] | NDArray[np.uint16]


class Scaling(NamedTuple):
    """Colormap of a set of maps, and the values at its ends."""

    colormap: str
    vmin: Limit
    vmax: Limit
    constant: bool


@lru_cache(maxsize=64)
def colour_table(colormap: str) -> NDArray[np.uint8]:
    """The colours of a colormap, (levels, 4) RGBA, read-only.

    Raises:
        RequestError: no colormap has that name.
    """
    table = _dark_middle() if colormap == SIGNED_ON_DARK else _by_matplotlib(colormap)
    table.flags.writeable = False
    return table


def _by_matplotlib(colormap: str) -> NDArray[np.uint8]:
    from matplotlib import colormaps  # noqa: PLC0415  # a tenth of a second, for which no page has to wait

    if colormap not in colormaps:
        near = get_close_matches(str(colormap), list(colormaps), n=3, cutoff=0.5) or COLORMAPS
        raise RequestError(
            "no colormap named {name}; did you mean {names}?", name=repr(colormap), names=", ".join(near)
        )
    palette = colormaps[colormap]
    table: NDArray[np.uint8] = palette(np.arange(palette.N), bytes=True)
    return table


def end_colours(colormap: str) -> tuple[str, str, str]:
    """The colours of the lowest, middle and highest value, as ``#rrggbb``.

    Raises:
        RequestError: no colormap has that name.
    """
    table = colour_table(colormap)
    low, middle, high = (bytes(table[place, :3]).hex() for place in (0, len(table) // 2, -1))
    return f"#{low}", f"#{middle}", f"#{high}"


def colour_stops(colormap: str) -> tuple[str, ...]:
    """Colours evenly spaced along a colormap, as ``#rrggbb``, for a gradient."""
    table = colour_table(colormap)
    places = np.linspace(0, len(table) - 1, _STOPS).round().astype(int)
    return tuple("#" + bytes(colour).hex() for colour in table[places, :3])


def signed_colormap(colormap: str) -> str:
    """The colormap for values with a sign; a chosen one is kept."""
    return {AUTO: SIGNED_DEFAULT, AUTO_ON_DARK: SIGNED_ON_DARK}.get(colormap, colormap)


def printed_colormap(colormap: str) -> str:
    """Return a colormap that matplotlib knows by its name."""
    return SIGNED_DEFAULT if colormap == SIGNED_ON_DARK else colormap


def weights_colormap(colormap: str) -> str:
    """The colormap of weights beside maps with this one, blue to red."""
    return SIGNED_ON_DARK if colormap == AUTO_ON_DARK else SIGNED_DEFAULT


def is_diverging(colormap: str) -> bool:
    """Return whether a colormap has a neutral middle, for the value zero."""
    return colormap.removesuffix("_r") in _DIVERGING_FAMILY


def scaling(values: NDArray[np.generic], colormap: str, scale: Scale) -> Scaling:
    """The colormap and the limits for maps (channels, height, width).

    ``scale`` is ``"layer"`` (one range for all maps), ``"channel"`` (one range each) or a locked pair
    ``(vmin, vmax)``. Only finite values count. A diverging colormap gets limits symmetric around zero; where
    all values are zero they are ±1, so that zero keeps the neutral colour. Maps without any finite value get
    0 and 0.

    Raises:
        RequestError: unknown colormap or scale.
    """
    locked = _locked_limits(scale)
    low, high = _finite_range(values, axis=None)
    chosen = _chosen_colormap(colormap, float(low), float(high))
    constant = bool(low == high)
    if locked is not None:
        return Scaling(chosen, *locked, constant)
    if scale == "channel":
        low, high = _finite_range(values, axis=(1, 2))
    if is_diverging(chosen):
        reach = np.maximum(np.abs(low), np.abs(high))
        reach = np.where(reach == 0, 1.0, reach)
        low, high = -reach, reach
    return Scaling(chosen, _as_limit(low), _as_limit(high), constant)


def locked_scaling(low: float, high: float, colormap: str) -> Scaling:
    """The colormap and limits for maps with values from ``low`` to ``high``.

    Raises:
        RequestError: unknown colormap.
    """
    return scaling(np.array([[[low, high]]], np.float64), colormap, "layer")


def levels(values: NDArray[np.generic], vmin: Limit, vmax: Limit, count: int) -> Levels:
    """The level of every value, from 0 to ``count - 1``.

    The values are (channels, height, width), and the level of NaN is arbitrary. Values beyond the limits get
    the end colours; equal limits make every level 0. One deviation: doubles whose range exceeds the largest
    double are scaled down first; matplotlib would draw nothing.
    """
    scaled = values.astype(_arithmetic_type(values))
    low, high = _column(vmin), _column(vmax)
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isfinite(high - low).all():
            scaled, low, high = scaled / 4, low / 4, high / 4
        span = high - low
        flat = span == 0
        scaled -= _narrowed(low, scaled.dtype)
        scaled /= np.where(flat, 1.0, span)
        scaled *= count
        if flat.any():
            np.copyto(scaled, 0, where=flat)
        np.clip(scaled, 0, count - 1, out=scaled)
        return scaled.astype(np.uint8) if count <= _BYTE else scaled.astype(np.uint16)


def _narrowed(limit: NDArray[np.float64], precision: np.dtype[np.generic]) -> NDArray[np.floating]:
    """The limits in the values' precision, if exact, for faster sums.

    No bit changes: a sum that is rounded to double first and then to this precision is as if rounded once.

    Source: Figueroa, When is double rounding innocuous? (1995).
    """
    narrow: NDArray[np.floating] = limit.astype(precision)
    return narrow if np.array_equal(narrow, limit) else limit


def _arithmetic_type(values: NDArray[np.generic]) -> np.dtype[np.generic]:
    """The precision in which matplotlib's ``Normalize`` works, in this machine's byte order."""
    if values.dtype.kind in "bui":
        return np.promote_types(values.dtype, np.float32)
    return values.dtype.newbyteorder("=")


def _column(limit: Limit) -> NDArray[np.float64]:
    """A limit in double precision, shaped to meet (channels, height, width)."""
    column = np.asarray(limit, dtype=np.float64)
    return column[:, None, None] if column.ndim else column


def _finite_range(
    values: NDArray[np.generic], axis: tuple[int, ...] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Minimum and maximum over the finite values; 0 if there are none."""
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
    with np.errstate(invalid="ignore"):
        low, high = values.min(axis=axis), values.max(axis=axis)
    if values.dtype.kind == "f" and not (np.isfinite(low).all() and np.isfinite(high).all()):
        finite = np.isfinite(values)
        low = np.min(values, axis=axis, where=finite, initial=np.inf)
        high = np.max(values, axis=axis, where=finite, initial=-np.inf)
        empty = low > high
        low, high = np.where(empty, 0, low), np.where(empty, 0, high)
    return np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)


def _as_limit(limit: NDArray[np.float64]) -> Limit:
    """A Python float, or a read-only array of one limit per channel."""
    if limit.ndim == 0:
        return float(limit)
    limit.flags.writeable = False
    return limit


def _chosen_colormap(colormap: str, low: float, high: float) -> str:
    """The chosen colormap, or one that suits ``low`` and ``high``."""
    if colormap in (AUTO, AUTO_ON_DARK):
        return signed_colormap(colormap) if low < 0 < high else SEQUENTIAL[0]
    colour_table(colormap)  # raises when there is no such colormap
    return colormap


def _locked_limits(scale: Scale) -> tuple[float, float] | None:
    """The pair of a locked scale, or None for any other scale."""
    if isinstance(scale, str) and scale in ("layer", "channel"):
        return None
    wanted = Sentence(
        'scale is "layer", "channel" or a pair (vmin, vmax) of finite numbers, not {scale}', scale=repr(scale)
    )
    if isinstance(scale, str):
        raise RequestError(wanted)
    try:
        low, high = (float(limit) for limit in scale)
    except (TypeError, ValueError) as error:
        raise RequestError(wanted) from error
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RequestError(wanted)
    if low > high:
        raise RequestError(
            "the scale's first number is its minimum, but {low} is above {high}",
            low=repr(low),
            high=repr(high),
        )
    return low, high


def array_of(values: Any) -> NDArray[Any]:
    """Values or a tensor as an array, uncopied if possible.

    A tensor may have a graph, or be of bfloat16.
    """
    if hasattr(values, "detach"):  # a tensor of torch, which is not imported here
        values = values.detach().cpu().resolve_conj().resolve_neg()
        if values.is_floating_point() and values.element_size() < np.float32().itemsize:
            values = values.float()  # NumPy has no bfloat16
    return np.asarray(values)


def checked_maps(maps: object) -> NDArray[np.generic]:
    """Real numbers of shape (channels, height, width), uncopied.

    A map (height, width) is one channel. A vector (channels) is a map of one value for each channel.

    Raises:
        LayoutError: not an array of real numbers, empty, or of another number of dimensions.
    """
    try:
        values = array_of(maps)
    except (TypeError, ValueError, RuntimeError) as error:
        raise LayoutError(
            "maps must be an array of numbers (channels, height, width): {error}", error=error
        ) from error
    if np.ma.isMaskedArray(maps):
        raise LayoutError("masked arrays are not drawn: fill the masked places with NaN first")
    if values.dtype.kind not in "fbui":
        raise LayoutError(
            "maps must be real numbers, not {dtype}; draw a complex value's magnitude", dtype=values.dtype
        )
    if values.ndim == 1:
        values = values[:, None, None]
    if values.ndim == 2:  # noqa: PLR2004 - (height, width)
        values = values[None]
    if values.ndim != 3:  # noqa: PLR2004 - (channels, height, width)
        raise LayoutError(
            "maps are (channels, height, width), not {shape}: take one row of a batch, maps[0], or one slice "
            "of a volume, maps[:, 0]",
            shape=values.shape,
        )
    if values.size == 0:
        raise LayoutError("there is nothing to draw in maps of shape {shape}", shape=values.shape)
    return values


def _dark_middle() -> NDArray[np.uint8]:
    """RGBA colours from light blue through dark grey to light red.

    Their shape is (256, 4). Both arms have the same lightness at the same distance from the middle, so that a
    value and its negative stand out equally.
    """
    far = np.linspace(-1, 1, _BYTE)
    table = np.full((_BYTE, 4), 255, np.uint8)
    table[:, :3] = np.round(255 * _srgb(_oklab(np.abs(far), np.where(far < 0, _BLUE, _RED))))
    return table


def _oklab(far: NDArray[np.float64], hue: NDArray[np.float64]) -> NDArray[np.float64]:
    """Colours (levels, 3) in Oklab, so far from the middle."""
    lightness = _DARKEST + (_LIGHTEST - _DARKEST) * far
    chroma = _CHROMA[0] * far + _CHROMA[1] * far**2
    return np.stack([lightness, chroma * np.cos(np.radians(hue)), chroma * np.sin(np.radians(hue))], axis=1)


def _srgb(oklab: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same colours for screens, from 0 to 1."""
    linear = np.clip((oklab @ _TO_ROOTS.T) ** 3 @ _TO_LINEAR.T, 0, 1)
    light: NDArray[np.float64] = 1.055 * linear ** (1 / 2.4) - 0.055
    return np.where(linear <= 0.0031308, 12.92 * linear, light)  # noqa: PLR2004
