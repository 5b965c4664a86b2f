"""What an engine looks into: a model together with how a picture becomes its input."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image


@dataclass(frozen=True)
class Subject:
    """A loaded model, ready to be shown a picture.

    Attributes:
        module: the ``torch.nn.Module``.
        prepare: picture → what the model is called with: one argument, such as a tensor (1, 3, height,
            width), or a tuple of several.
        as_seen: what ``prepare`` returned → the picture that the model saw, after resizing and cropping.
        classes: the names of the output's entries; empty when unknown.
    """

    module: Any
    prepare: Callable[[Image.Image], Any]
    as_seen: Callable[[Any], Image.Image]
    classes: tuple[str, ...] = ()

    def arguments(self, image: Image.Image) -> tuple[Any, ...]:
        """The positional arguments of the model's call for a picture."""
        prepared = self.prepare(image)
        return prepared if isinstance(prepared, tuple) else (prepared,)


Loader = Callable[[str, str], Subject]
"""(model id, weights) → Subject. May take long, and may raise what the catalogue raises."""


@dataclass(frozen=True)
class Photo:
    """A picture with its content address, so that it is hashed once."""

    fingerprint: str
    image: Image.Image


def photograph(image: Image.Image, pixels: bytes | bytearray | None = None) -> Photo:
    """The picture with its address: SHA-256 of mode, size and pixels.

    ``pixels`` are the picture's own bytes, where the caller has them already.
    """
    address = hashlib.sha256(f"{image.mode} {image.width}x{image.height} ".encode())
    address.update(image.tobytes() if pixels is None else pixels)
    return Photo(address.hexdigest(), image)


def softmax(scores: NDArray[np.generic]) -> NDArray[np.float64]:
    """Probabilities (classes,) of scores (classes,), in float64.

    Source: Goodfellow, Bengio, Courville, Deep Learning (2016), section 4.1: the maximum is subtracted first,
    so that nothing overflows.
    """
    shifted: NDArray[np.float64] = np.exp(scores.astype(np.float64) - np.max(scores))
    probabilities: NDArray[np.float64] = shifted / shifted.sum()
    return probabilities
