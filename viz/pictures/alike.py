"""Comparison of two drawn pictures as an eye sees them."""

import io

import numpy as np
from PIL import Image

STEP, SEEN = 0.1, 0.03  # a pixel differs by this share of a colour's range, and this share of pixels has to


def look_alike(one: bytes, other: bytes) -> bool:
    """Return whether two PNG files look the same to an eye.

    Pictures of different sizes do not.
    """
    first, second = (np.asarray(Image.open(io.BytesIO(each)).convert("RGB")) / 255 for each in (one, other))
    if first.shape != second.shape:
        return False
    return float(np.mean(np.abs(first - second).max(axis=-1) > STEP)) < SEEN
