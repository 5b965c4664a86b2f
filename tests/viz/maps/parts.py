"""The mean of what lies behind each pixel, by cutting values into parts: slow, and easy to believe."""

import numpy as np
from numpy.typing import NDArray


def means_of_parts(maps: NDArray[np.floating], down: int, across: int) -> NDArray[np.floating]:
    """Return maps (channels, down, across): each value is cut so that whole parts lie behind each pixel."""
    for axis, length in ((1, down), (2, across)):
        size = maps.shape[axis]
        parts = maps.repeat(length, axis)
        maps = parts.reshape(*maps.shape[:axis], length, size, *maps.shape[axis + 1 :]).mean(axis + 1)
    return maps
