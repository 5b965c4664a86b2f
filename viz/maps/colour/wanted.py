"""The requested colormap and limits, as mosaics and figures take them."""

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError
from ...request.inspection import Inspection
from .scaling import Scale, locked_scaling
from .tables import signed_colormap

SCALES = ("layer", "channel", "clipped", "model")
OWN_LIMITS = ("layer", "channel")  # scales that leave no value of these maps out
Range = tuple[float, float]


def chosen_colormap(wanted: Inspection) -> str:
    """The wanted colormap; an automatic one diverges for gradients and differences."""
    signed = wanted.gradient is not None or wanted.show == "difference"
    return signed_colormap(wanted.colormap) if signed else wanted.colormap


def colouring(
    maps: NDArray[np.generic], wanted: Inspection, limits: Range | None = None
) -> tuple[str, Scale]:
    """The colormap and the scale for a mosaic or a figure.

    ``limits`` take precedence over the wanted scale.

    Raises:
        RequestError: the scale of the whole model is wanted, and its limits were not given.
    """
    colormap = chosen_colormap(wanted)
    if limits is None and wanted.scale == "model":
        raise RequestError("one scale for the whole model needs the model's limits; choose another scale.")
    if limits is None and wanted.scale == "clipped":
        limits = percentiles(maps)
    if limits is None:
        return colormap, wanted.scale
    found = locked_scaling(*limits, colormap)
    return found.colormap, (float(found.vmin), float(found.vmax))


def percentiles(maps: NDArray[np.generic]) -> Range:
    """The 1st and 99th percentile of finite values; (0, 0) without any.

    Where these two are equal, the smallest and the largest: between equal limits all is of one colour.
    """
    finite = maps[np.isfinite(maps)].astype(np.float64)
    if not finite.size:
        return 0.0, 0.0
    # Pick values that occur: the middle between the two largest doubles would overflow.
    low, high = np.percentile(finite, (1, 99), method="inverted_cdf")
    if low == high:
        low, high = finite.min(), finite.max()
    return float(low), float(high)
