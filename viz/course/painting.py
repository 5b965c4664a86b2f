"""Pictures of a run's values: maps, and bars for named numbers.

Maps have one scale if they belong together.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..errors import LayoutError
from ..maps.colour.tables import SEQUENTIAL, SIGNED_DEFAULT, colour_stops
from ..maps.mosaic import render_mosaic
from ..maps.viewport import Viewport
from .found import PaintedValue

MOST_MAPS = 64
VIEWPORT = Viewport(560, 420)  # pixels of a picture: it stands beside text
CHOICE = Viewport(160, 160)  # likewise, of one to choose
IMAGES = 4  # axes of (N, C, H, W)
MOST_BARS = 8
NEARLY_ALL = 99.5  # per cent of the values
Maps = NDArray[np.floating[Any]]


def painted_together(
    values: Sequence[Any], picture: Any, seen: Callable[[], bytes]
) -> tuple[PaintedValue, ...]:
    """Return a picture of each value, on one scale for equal shapes.

    So the colours of maps of equal shape compare.

    Args:
        values: tensors or arrays (N, C, H, W), of which the first of N counts, (C, H, W) or (H, W), rows of
            numbers (N,), or names with numbers.
        picture: the net's input, which is drawn as what it shows.
        seen: gives that as PNG.

    Raises:
        LayoutError: a value is none of these.
    """
    drawn = [None if value is picture or isinstance(value, Mapping) else maps_of(value) for value in values]
    shapes = [None if maps is None else maps.shape for maps in drawn]
    found = []
    for value, maps, shape in zip(values, drawn, shapes, strict=True):
        if value is picture:
            found.append(_photo(seen()))
        elif maps is None:
            found.append(_bars(value))
        else:
            alike = [
                each for each, its in zip(drawn, shapes, strict=True) if each is not None and its == shape
            ]
            found.append(_painted(maps, VIEWPORT, _limits(alike)))
    return tuple(found)


def painted_choices(values: Sequence[Any]) -> tuple[PaintedValue, ...]:
    """Return a small picture of each value to choose.

    The values are those that ``maps_of`` takes; maps of equal shape have one scale.
    """
    drawn = [maps_of(value) for value in values]
    return tuple(
        _painted(maps, CHOICE, _limits([each for each in drawn if each.shape == maps.shape]))
        for maps in drawn
    )


def maps_of(value: Any) -> Maps:
    """Return a value as maps (channels, height, width).

    Raises:
        LayoutError: it is no tensor of one to four axes.
    """
    plain = (
        value.detach().float().cpu().numpy() if hasattr(value, "detach") else np.asarray(value, dtype=float)
    )
    if plain.ndim == IMAGES:
        plain = plain[0]
    if not 1 <= plain.ndim < IMAGES or not plain.size:
        raise LayoutError(
            "a step draws (N, C, H, W), (C, H, W), (H, W) or a row, not {shape}.", shape=str(plain.shape)
        )
    return np.array(plain.reshape((1,) * (3 - plain.ndim) + plain.shape)[:MOST_MAPS])


def _limits(maps: Sequence[Maps]) -> tuple[float, float]:
    """Return limits of the scale around nearly all values.

    Where both signs occur, they are as far below zero as above it.

    The few largest have the last colour too: with a scale up to them, most maps of a ReLU would be black.
    """
    finite = np.concatenate([each[np.isfinite(each)].ravel() for each in maps])
    if not finite.size:
        return 0.0, 0.0
    low, high = float(finite.min()), float(finite.max())
    if low < 0 < high:
        most = _nearly_most(np.abs(finite)) or max(-low, high)
        return -most, most
    near = (low, _nearly_most(finite)) if low >= 0 else (-_nearly_most(-finite), high)
    return near if near[0] < near[1] else (low, high)


def _nearly_most(values: Maps) -> float:
    return float(np.percentile(values, NEARLY_ALL, method="higher"))


def _painted(maps: Maps, viewport: Viewport, limits: tuple[float, float]) -> PaintedValue:
    signed = limits[0] < 0 < limits[1]  # the same for all that share these limits
    colormap = SIGNED_DEFAULT if signed else SEQUENTIAL[0]
    mosaic = render_mosaic(maps, colormap=colormap, scale=limits, viewport=viewport)
    beyond = bool((maps < limits[0]).any()), bool((maps > limits[1]).any())
    return PaintedValue(
        mosaic.png, mosaic.width, mosaic.height, *limits, beyond=beyond, colours=colour_stops(colormap)
    )


def _photo(png: bytes) -> PaintedValue:
    width, height = Image.open(io.BytesIO(png)).size
    return PaintedValue(png, width, height, photo=True)


def _bars(value: Mapping[str, Any]) -> PaintedValue:
    named = [(str(name), float(number)) for name, number in value.items()]
    return PaintedValue(bars=tuple(named[:MOST_BARS]))
