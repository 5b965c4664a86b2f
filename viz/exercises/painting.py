"""A value of an answer and the wanted one, as pictures."""

import base64
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ..errors import VizError
from ..maps.colour.tables import SEQUENTIAL, SIGNED_DEFAULT
from ..maps.layout import arrange
from ..maps.mosaic import render_mosaic
from ..maps.viewport import Viewport
from ..request.arrangement import Arrangement
from .subset.shown import shown

VIEWPORT = Viewport(448, 448)  # pixels of one picture: two stand beside each other
MOST_MAPS = 16
MOST_LINES = 24
TABLE = 2  # axes of rows of numbers that an answer has put together
Maps = NDArray[np.generic]


@dataclass(frozen=True)
class DrawnValue:
    """A value as a picture, or as a text without one.

    The picture is a PNG in base64, with its size in pixels.
    """

    png: str = ""
    width: int = 0
    height: int = 0
    text: str = ""


@dataclass(frozen=True)
class DrawnPair:
    """Value that an answer made under a name, and the wanted one.

    None where there is none.
    """

    name: str
    yours: DrawnValue | None
    wanted: DrawnValue | None
    vmin: float | None = None
    vmax: float | None = None
    maps: int = 0
    all: int = 0


def painted(name: str, value: Any, wanted: Any, arrangement: Arrangement | None = None) -> DrawnPair:
    """Return both values beside each other.

    They are laid out by their places on the picture, if these are known. Their colours mean the same numbers,
    unless the shapes differ: other maps than those that were asked for may have much larger values, beside
    which all the others would look empty.
    """
    ours, theirs = _maps(value, arrangement), _maps(wanted, arrangement)
    drawn = [each for each in (theirs, ours) if each is not None]
    if not drawn:
        return DrawnPair(name, _written(value), _written(wanted))
    count = len(drawn[0])
    if ours is not None and theirs is not None and ours.shape != theirs.shape:
        apart = _drawn(value, ours, _limits([ours])), _drawn(wanted, theirs, _limits([theirs]))
        return DrawnPair(name, *apart, None, None, min(MOST_MAPS, count), count)
    limits = _limits(drawn)
    yours, asked_for = _drawn(value, ours, limits), _drawn(wanted, theirs, limits)
    return DrawnPair(name, yours, asked_for, *limits, min(MOST_MAPS, count), count)


def _maps(value: Any, arrangement: Arrangement | None) -> Maps | None:
    """The maps (channels, height, width) of a tensor, or None.

    None of anything else, or of a single number. Several rows of numbers are one map: no batch, of which only
    the first would be shown.
    """
    if type(value) is not Tensor or value.numel() <= 1:
        return None
    plain = value.detach().float().numpy()
    if plain.ndim == TABLE and len(plain) > 1:
        return cast("Maps", plain[np.newaxis])
    try:
        return arrange(plain, arrangement=arrangement).maps
    except VizError:
        return None


def _limits(maps: list[Maps]) -> tuple[float, float]:
    """The lowest and the highest value of both.

    Where both signs occur, they are as far below zero as above it.
    """
    finite = [each[:MOST_MAPS][np.isfinite(each[:MOST_MAPS])] for each in maps]
    values = np.concatenate([each.ravel() for each in finite]) if finite else np.zeros(0)
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
    most = max(-low, high)
    return (-most, most) if low < 0 < high else (low, high)


def _drawn(value: Any, maps: Maps | None, limits: tuple[float, float]) -> DrawnValue | None:
    if maps is None:
        return _written(value)
    colormap = SIGNED_DEFAULT if limits[0] < 0 < limits[1] else SEQUENTIAL[0]  # the same for both
    mosaic = render_mosaic(maps[:MOST_MAPS], colormap=colormap, scale=limits, viewport=VIEWPORT)
    return DrawnValue(base64.b64encode(mosaic.png).decode(), mosaic.width, mosaic.height)


def _written(value: Any) -> DrawnValue | None:
    """A value as text, with a line for each inner list."""
    if isinstance(value, list | tuple) and len(value) <= MOST_LINES and any(map(_is_several, value)):
        return DrawnValue(text="\n".join(f"{place}: {shown(each, 1)}" for place, each in enumerate(value)))
    return None if value is None else DrawnValue(text=shown(value, 1))


def _is_several(value: Any) -> bool:
    return isinstance(value, list | tuple | dict)
