"""Grad-CAM, and pictures of maps with one value per place."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..errors import LayoutError
from ..maps.colour.scaling import levels, locked_scaling
from ..maps.colour.tables import SIGNED_DEFAULT, colour_table
from ..maps.colour.wanted import percentiles
from ..maps.layout import Layout
from ..maps.mosaic import Mosaic, render_mosaic
from ..maps.png import palette_png
from ..request.arrangement import Lattice

COLORMAP = "inferno"  # dark where there is nothing, and bright on every photo
CLIPPED = 99.0  # percentile
CANCELLED = 1e-5  # of a gradient's mean size: a mean below it is rounding in single precision


def grad_cam(maps: NDArray[np.generic], gradient: NDArray[np.generic]) -> NDArray[np.float32]:
    """Return a layer's support for a class, a map (height, width).

    Each channel is weighted by the mean of its gradient; the map is the ReLU of the weighted sum.

    Args:
        maps: what the layer returned (channels, height, width).
        gradient: of the class score before the softmax, with respect to ``maps``, in the same shape.

    Source: Selvaraju et al., "Grad-CAM: Visual Explanations from Deep Networks via Gradient-based
    Localization", 2017, section 3, equations 1 and 2.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # infinities stay infinite or become NaN
        weights = gradient.mean(axis=(1, 2), dtype=np.float64)
        weighted = np.tensordot(weights, maps.astype(np.float64), axes=1)
        cam: NDArray[np.float32] = np.maximum(weighted, 0).astype(np.float32)
    return cam


def real_parts(values: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return the real values in a Grad-CAM: of complex ones, both parts.

    To first order a score changes by the real part of conj(gradient) · change, which is the sum over both
    parts of PyTorch's gradient with respect to that part, times its change.

    Source: Kreutz-Delgado, "The Complex Gradient Operator and the CR-Calculus", 2009, section 4.
    """
    return (values.real, values.imag) if np.iscomplexobj(values) else (values,)


def check_spatial(layout: Layout, layer: str, layer_type: str = "") -> None:
    """Refuse a layer without places on the picture.

    A softmax's maps are attention, from tokens to tokens.

    Raises:
        LayoutError: the layer's channels are not maps of more than one place, so there is no Grad-CAM.
    """
    places = layout.leads_across and layout.kind != "attention-query" and layout.slices == 1
    if not places or layout.rows > 1 or layer_type == "Softmax" or layout.maps.shape[1:] == (1, 1):
        raise LayoutError(
            "{layer} has no Grad-CAM: what it returns has no places on the picture; choose a "
            "layer with maps, such as a convolution.",
            layer=layer,
        )


def weights_arrive(gradient: NDArray[np.generic]) -> bool:
    """Check that some Grad-CAM weight is not zero.

    The weights are means of ``gradient`` (channels, height, width). Means that cancel up to rounding count as
    zero.
    """
    gradient = gradient.astype(np.float64)
    means, sizes = np.abs(gradient.mean(axis=(1, 2))), np.abs(gradient).mean(axis=(1, 2))
    return not bool((means <= CANCELLED * sizes.max()).all())


def enlarged(
    cam: NDArray[np.float32], size: tuple[int, int], lattice: Lattice | None = None
) -> NDArray[np.float32]:
    """A map (h, w), bilinearly interpolated to the picture's size (height, width).

    Each number lies where its cell is centred, and the outermost go on to the border; without a ``lattice``
    the map is stretched over the whole picture, as is usual.
    """
    if lattice is not None:
        return _interpolated(cam, size, lattice)
    height, width = size
    large = Image.fromarray(np.asarray(cam, np.float32)).resize((width, height), Image.Resampling.BILINEAR)
    return np.asarray(large)


def _interpolated(cam: NDArray[np.float32], size: tuple[int, int], lattice: Lattice) -> NDArray[np.float32]:
    found = np.asarray(cam, np.float64)
    for axis, (start, stride, side) in enumerate(zip(lattice.start, lattice.stride, size, strict=True)):
        centres = start + stride * np.arange(found.shape[axis])
        found = np.apply_along_axis(partial(np.interp, np.arange(side), centres), axis, found)
    return found.astype(np.float32)


def cam_limits(cam: NDArray[np.float32]) -> tuple[float, float]:
    """Return a Grad-CAM's colour limits: 0 and its maximum."""
    return _from_zero(float(cam.max()))


def picture_from_zero(values: NDArray[np.float32], limits: tuple[float, float]) -> Mosaic:
    """Draw a map (height, width) from black for 0 to bright.

    The brightest colour stands for the upper limit, and for all above.
    """
    return render_mosaic(values[None], colormap=COLORMAP, scale=limits)


def signed_picture(values: NDArray[np.float32], limits: tuple[float, float]) -> bytes:
    """Return a map (height, width) as PNG, blue below and red above.

    It is see-through for 0, and opaque at the limits.
    """
    table = colour_table(SIGNED_DEFAULT).copy()
    ends = np.linspace(-1, 1, len(table))
    table[:, 3] = np.round(255 * np.abs(ends))
    codes = levels(np.nan_to_num(values)[None], *limits, len(table))[0]
    return palette_png(np.pad(codes, ((0, 0), (1, 0))), table)


def signed_limits(maps: NDArray[np.float32]) -> tuple[str, tuple[float, float]]:
    """Return the colormap, and the values at its ends, around zero.

    The largest values lie beyond them.
    """
    found = locked_scaling(*percentiles(maps), SIGNED_DEFAULT)
    return found.colormap, (float(found.vmin), float(found.vmax))


def saliency_limits(saliency: NDArray[np.float32]) -> tuple[float, float]:
    """Return a saliency's colour limits: 0 and its 99th percentile.

    Source: Smilkov et al., "SmoothGrad", 2017, section 3.1: a few extreme values would leave the rest black.
    """
    return _from_zero(float(np.percentile(saliency, CLIPPED)))


def _from_zero(high: float) -> tuple[float, float]:
    """Limits from 0; if everything is 0, limits that draw it black."""
    return 0.0, high if np.isfinite(high) and high > 0 else 1.0
