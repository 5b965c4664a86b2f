"""Facts of optimised pictures for the browser."""

import base64
import io
import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ...answers.folders.optimised import OptimisedFacts
from .optimise import OptimisationProgress


def optimised_facts(found: OptimisationProgress, channel: int) -> OptimisedFacts:
    """Return the pictures as PNG, and a channel's response to them."""
    return OptimisedFacts(
        pictures=tuple(map(_png, found.pictures)),
        values=tuple(map(_found, found.reached)),
        peaks=tuple(_found(peaks[channel]) for peaks in found.peaks),
        own=_found(found.own),
        done=found.done,
        total=found.total,
        stuck=found.stuck,
        side=min(found.pictures.shape[1:3]),
    )


def _png(pixels: NDArray[np.uint8]) -> str:
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[-1] == 1 else pixels).save(file, "PNG", compress_level=1)
    return base64.b64encode(file.getvalue()).decode()


def _found(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None
