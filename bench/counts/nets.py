"""A net whose passes each add a byte to a file.

The class of thirty uses it, in processes apart.
"""

import os
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn

from viz.engine.process.messages import Ask
from viz.pictures.subject import Loader, Subject

TOLD = "LAYERGLASS_COUNTED_PASSES"  # names the file
SIDE = 32


class Net(nn.Module):
    """A convolution, ``maps``, and a pooling, ``scores``."""

    def __init__(self) -> None:
        super().__init__()
        self.maps = nn.Conv2d(3, 64, 3)
        self.scores = nn.AdaptiveAvgPool2d(1)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 64) of images (N, 3, 32, 32)."""
        if file := os.environ.get(TOLD):
            with Path(file).open("ab") as told:
                told.write(b".")
        scores: Tensor = self.scores(self.maps(images))
        return scores.flatten(1)


def prepare(image: Image.Image) -> Tensor:
    """The input (1, 3, 32, 32), from 0 to 1."""
    pixels = np.asarray(image.resize((SIDE, SIDE)), np.float32)
    return torch.from_numpy(pixels).permute(2, 0, 1)[None] / 255


def as_seen(images: Tensor) -> Image.Image:
    """The picture back from the input."""
    return Image.fromarray((images[0] * 255).round().permute(1, 2, 0).to(torch.uint8).numpy())


def loader(_: Ask) -> Loader:
    """A loader that knows this net alone, by any name."""

    def load(model: str, weights: str) -> Subject:
        del model, weights
        return Subject(Net(), prepare, as_seen, ())

    return load
