"""Grad-CAM: where on the picture a layer supports a class; and maps of one value per place, as pictures."""

import base64

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..answers.layer import CamFacts
from ..errors import LayoutError, RequestError
from ..maps.layout import Layout
from ..maps.mosaic import Mosaic, render_mosaic
from .forward import LayerValues

COLORMAP = "inferno"  # dark where there is nothing, and bright on every photo
CLIPPED = 99.0  # percentile


def grad_cam(maps: NDArray[np.generic], gradient: NDArray[np.generic]) -> NDArray[np.float32]:
    """The map (height, width) of where a layer supports a class, 0 and above.

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


def check_spatial(layout: Layout, layer: str, layer_type: str = "") -> None:
    """Refuse a layer without places on the picture; a softmax's maps are attention, from tokens to tokens.

    Raises:
        LayoutError: the layer's channels are not maps of more than one place, so there is no Grad-CAM.
    """
    places = layout.axes[1].startswith("height") and layout.kind != "attention-query" and layout.slices == 1
    if not places or layout.rows > 1 or layer_type == "Softmax" or layout.maps.shape[1:] == (1, 1):
        raise LayoutError(
            "{layer} has no Grad-CAM: what it returns has no places on the picture; choose a "
            "layer with maps, such as a convolution.",
            layer=layer,
        )


def enlarged(cam: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """A map (h, w), bilinearly interpolated to the picture's size (height, width)."""
    height, width = size
    large = Image.fromarray(np.asarray(cam, np.float32)).resize((width, height), Image.Resampling.BILINEAR)
    return np.asarray(large)


def cam_limits(cam: NDArray[np.float32]) -> tuple[float, float]:
    """What the darkest and the brightest colour of a Grad-CAM stand for: 0, and its maximum."""
    return _from_zero(float(cam.max()))


def cam_picture(cam: NDArray[np.float32], size: tuple[int, int]) -> Mosaic:
    """Grad-CAM at the picture's size (height, width), from black for 0 to bright for its maximum."""
    return render_mosaic(enlarged(cam, size)[None], colormap=COLORMAP, scale=cam_limits(cam))


def cam_facts(values: LayerValues, call: int) -> CamFacts:
    """What the browser needs to lay the Grad-CAM of one call over the photo.

    Raises:
        CallError: the layer has no such call.
        LayoutError: it has no Grad-CAM; the message says why.
        RequestError: these values are not gradients.
    """
    values.call(call)
    if not values.cams or values.image_size is None:
        raise RequestError("Grad-CAM belongs to the gradient of a class score: choose a class first.")
    cam = values.cams[call]
    if cam.problem:
        raise LayoutError(cam.problem)
    picture = cam_picture(cam.array, values.image_size)
    return CamFacts(png=base64.b64encode(picture.png).decode(), empty=not cam.array.any())


def saliency_picture(saliency: NDArray[np.float32]) -> Mosaic:
    """Saliency (height, width) from black for 0 to bright for the end of ``saliency_limits``, and above."""
    return render_mosaic(saliency[None], colormap=COLORMAP, scale=saliency_limits(saliency))


def saliency_limits(saliency: NDArray[np.float32]) -> tuple[float, float]:
    """What the darkest and the brightest colour of a saliency stand for: 0, and its 99th percentile.

    Source: Smilkov et al., "SmoothGrad", 2017, section 3.1: a few extreme values would leave the rest black.
    """
    return _from_zero(float(np.percentile(saliency, CLIPPED)))


def _from_zero(high: float) -> tuple[float, float]:
    """Limits from 0; if everything is 0, limits that draw it black."""
    return 0.0, high if np.isfinite(high) and high > 0 else 1.0
