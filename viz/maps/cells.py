"""From a place in a map to the number drawn there."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..request.arrangement import Arrangement
from .layout import arrange


def cell_at(
    shape: tuple[int, ...],
    place: tuple[int, int, int],
    *,
    kind: str = "auto",
    row: int = 0,
    index: int = 0,
    layer_type: str = "",
    image_size: tuple[int, int] | None = None,
    arrangement: Arrangement | None = None,
) -> tuple[int, ...]:
    """Return the index in a value of the number at one place.

    Args:
        shape: the value's shape, as the layer returned it.
        place: (channel, height, width) in the maps that ``viz.maps.layout.arrange`` makes of it.
        kind: as for ``arrange``, and so are the rest:
        row: the batch row,
        index: the slice or query token,
        layer_type: the layer's class name,
        image_size: (height, width) of the network's input,
        arrangement: where the values sit on the picture, if that is known.

    >>> cell_at((1, 197, 768), (5, 0, 13), kind="tokens")  # ViT: feature 5 of the last patch in the first row
    (0, 14, 5)

    Raises:
        LayoutError: values of this shape cannot be drawn in this way.
        RequestError: there is no such place.
    """
    maps = numbers_of(
        shape,
        kind=kind,
        row=row,
        index=index,
        layer_type=layer_type,
        image_size=image_size,
        arrangement=arrangement,
    )
    return tuple(int(at) for at in np.unravel_index(int(maps[_checked(place, maps.shape)]), shape))


def numbers_of(shape: tuple[int, ...], *, kind: str = "auto", **how: Any) -> NDArray[np.int64]:
    """Return the flat index of the number at each place of maps.

    The index is one into a value of ``shape``. The arguments are those of ``cell_at``, and so are the errors;
    the result is (channels, height, width).
    """
    numbers = np.arange(math.prod(shape)).reshape(shape)
    return arrange(numbers, kind="auto" if kind == "phase" else kind, **how).maps.astype(np.int64)


def _checked(place: tuple[int, int, int], shape: tuple[int, ...]) -> tuple[int, int, int]:
    if not all(0 <= at < length for at, length in zip(place, shape, strict=True)):
        size = " × ".join(map(str, shape))
        raise RequestError("there is no place {place}: the maps are {size}.", place=place, size=size)
    return place
