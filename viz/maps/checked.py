"""Maps as arrays of real numbers, checked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LayoutError


def array_of(values: Any) -> NDArray[Any]:
    """Values or a tensor as an array, uncopied if possible.

    A tensor may have a graph, or be of bfloat16.

    Raises:
        LayoutError: they are no array, as those of a sparse or quantised tensor.
    """
    try:
        if hasattr(values, "detach"):  # a tensor of torch, which is not imported here
            values = values.detach().cpu().resolve_conj().resolve_neg()
            if values.is_floating_point() and values.element_size() < np.float32().itemsize:
                values = values.float()  # NumPy has no bfloat16
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        raise LayoutError(
            "maps must be an array of numbers (channels, height, width): {error}", error=error
        ) from error


def checked_maps(maps: object) -> NDArray[np.generic]:
    """Real numbers of shape (channels, height, width), uncopied.

    A map (height, width) is one channel. A vector (channels) is a map of one value for each channel.

    Raises:
        LayoutError: not an array of real numbers, empty, or of another number of dimensions.
    """
    values = array_of(maps)
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
