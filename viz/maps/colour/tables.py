"""Tables of colours by the names of their colormaps.

They are matplotlib's, and one of our own for dark pages. Each of them also comes stretched, under a name that
ends in ``STRETCHED``: a colour is as far from that of zero, or of one sign from the first one, as the square
root of the value's distance says, so that an eye tells weak values apart. It is a colormap like any other:
the values on its colour bar remain evenly spaced, and only its colours are not.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError

AUTO = "auto"
AUTO_ON_DARK = "auto-on-dark"
SEQUENTIAL = ("viridis", "magma", "inferno", "cividis", "gray", "hot")
DIVERGING = ("coolwarm", "RdBu_r", "PuOr", "berlin", "vanimo", "managua", "seismic")
COLORMAPS = SEQUENTIAL + DIVERGING
SIGNED_DEFAULT = "coolwarm"
SIGNED_ON_DARK = "coolwarm_on_dark"  # our own; see ``_dark_middle``
STRETCHED = "_root"
STEPS = 4096  # of a stretched colormap: near zero its colours change fast
_STOPS = 17
_DIVERGING_FAMILY = frozenset(
    {"berlin", "vanimo", "managua", "coolwarm", "bwr", "seismic", "RdBu", "PuOr", "PiYG", "PRGn", "BrBG"}
    | {"RdGy", "RdYlBu", "RdYlGn", "Spectral", SIGNED_ON_DARK}
)
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
_BYTE = 256


@lru_cache(maxsize=64)
def colour_table(colormap: str) -> NDArray[np.uint8]:
    """The colours of a colormap, (levels, 4) RGBA, read-only.

    Raises:
        RequestError: no colormap has that name.
    """
    if is_stretched(colormap):
        table = palette(colormap)[stretching(colormap)]
    else:
        table = _dark_middle() if colormap == SIGNED_ON_DARK else _by_matplotlib(colormap)
    table.flags.writeable = False
    return table


def check_colormap(colormap: str) -> None:
    """Check that a colormap exists, or follows from the values.

    Raises:
        RequestError: no colormap has that name.
    """
    if unstretched(colormap) != AUTO:
        colour_table(colormap)


def palette(colormap: str) -> NDArray[np.uint8]:
    """The different colours of a colormap, (colours, 4), in their order.

    A stretched one has those of the colormap that it stretches.

    Raises:
        RequestError: no colormap has that name.
    """
    return colour_table(unstretched(colormap))


@lru_cache(maxsize=16)
def stretching(colormap: str) -> NDArray[np.uint16]:
    """The place in its palette of each level of a stretched colormap.

    They are (``STEPS``), read-only. Of a diverging one both arms begin in the middle, of any other the first
    colour is the beginning.
    """
    both, count = is_diverging(colormap), len(palette(colormap))
    share = np.linspace(-1 if both else 0, 1, STEPS, endpoint=False)
    far = np.sign(share) * np.sqrt(np.abs(share))
    places = ((0.5 + far / 2 if both else far) * count).astype(np.uint16)
    places.flags.writeable = False
    return places


def is_stretched(colormap: str) -> bool:
    """Return whether a colormap's colours follow the square root of values."""
    return colormap.endswith(STRETCHED)


def unstretched(colormap: str) -> str:
    """The colormap whose colours follow the values themselves."""
    return colormap.removesuffix(STRETCHED)


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
    return _replaced(colormap, {AUTO: SIGNED_DEFAULT, AUTO_ON_DARK: SIGNED_ON_DARK})


def plain_colormap(colormap: str) -> str:
    """The colormap for values of one sign; a chosen one is kept."""
    return _replaced(colormap, {AUTO: SEQUENTIAL[0], AUTO_ON_DARK: SEQUENTIAL[0]})


def _replaced(colormap: str, instead: Mapping[str, str]) -> str:
    """Replace a colormap by its name; a stretched one stays stretched."""
    name = unstretched(colormap)
    return instead.get(name, name) + colormap[len(name) :]


def name_of(colormap: str) -> str:
    """Return a colormap's name in a caption."""
    name = unstretched(colormap)
    return f"{name} (by the square root)" if is_stretched(colormap) else name


def diverging_colormap(colormap: str) -> str:
    """The colormap for differences; one without a middle is replaced."""
    chosen = signed_colormap(colormap)
    return chosen if is_diverging(chosen) else SIGNED_DEFAULT + chosen[len(unstretched(chosen)) :]


def printed_colormap(colormap: str) -> str:
    """Return a colormap for white paper, which matplotlib has, stretched or not."""
    return _replaced(colormap, {SIGNED_ON_DARK: SIGNED_DEFAULT})


def weights_colormap(colormap: str) -> str:
    """The colormap of weights beside maps with this one, blue to red."""
    return SIGNED_ON_DARK if unstretched(colormap) == AUTO_ON_DARK else SIGNED_DEFAULT


def is_diverging(colormap: str) -> bool:
    """Return whether a colormap has a neutral middle, for the value zero."""
    return unstretched(colormap).removesuffix("_r") in _DIVERGING_FAMILY


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
