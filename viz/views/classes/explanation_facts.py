"""Facts of an explanation, which the browser lays over the picture."""

import base64

import numpy as np

from ...answers.attribution import ExplanationFacts
from ...findings.gradcam import (
    cam_limits,
    enlarged,
    picture_from_zero,
    saliency_limits,
    signed_limits,
    signed_picture,
)
from ...request.look import Lay
from ...request.method import Method
from .explain import Explanation

_FROM_ZERO = {"saliency": saliency_limits}
_LEVELS = 256


def explanation_facts(
    found: Explanation, layer: str, method: Method, lay: Lay = "centred"
) -> ExplanationFacts:
    """Return the map's picture, of the input's size, and its facts."""
    signed = method.kind.signed
    values = np.nan_to_num(found.values)
    low, high = signed_limits(values[None])[1] if signed else _FROM_ZERO.get(method.name, cam_limits)(values)
    draw = signed_picture if signed else _from_zero
    large = enlarged(values, found.size, found.lattice if lay == "centred" else None)
    strip = np.linspace(low, high, _LEVELS, dtype=np.float32)[None]
    window, stride = method.windows(found.size) if method.name == "occlusion" else (0, 0)
    return ExplanationFacts(
        png=_text(draw(large, (low, high))),
        bar=_text(draw(strip, (low, high))),
        low=low,
        high=high,
        signed=signed,
        sits=found.lattice is not None,
        empty=not values.any(),
        reached=found.reached,
        done=found.done,
        total=found.total,
        layer=layer if method.kind.of_layer else "",
        height=values.shape[0],
        width=values.shape[1],
        side=min(found.size),
        window=window,
        stride=stride,
        steps=method.steps if method.kind.steps else 0,
        rise=found.rise,
        gap=found.gap,
        peak=float(values.max()),
    )


def _from_zero(values: np.ndarray, limits: tuple[float, float]) -> bytes:
    return picture_from_zero(values, limits).png


def _text(png: bytes) -> str:
    return base64.b64encode(png).decode()
