"""CIFAR-10 in memory, and its batches moved, mirrored and blanked."""

import io
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Generator, Tensor
from torch.nn import functional

from ..preprocessing import CIFAR10_MEAN, CIFAR10_STD, Preprocessing
from .recipes import Recipe

__all__ = ["Pictures", "augmented", "normalised", "read_pictures"]


@dataclass(frozen=True)
class Pictures:
    """Pictures (n, 3, H, W) uint8, with labels (n,) int64."""

    train: Tensor
    train_labels: Tensor
    test: Tensor
    test_labels: Tensor
    classes: tuple[str, ...]
    origin: str

    def varied(self, inputs: Tensor, recipe: Recipe, progress: float) -> Tensor:
        """Return uint8 pictures (n, 3, H, W) augmented, of one size.

        They are moved, mirrored, blanked and normalised.
        """
        images = augmented(inputs, torch.default_generator, shift=recipe.shift, cutout=recipe.cutout)
        sides = recipe.sides_at(progress)
        side = sides[int(torch.randint(len(sides), ()))]
        if side == images.shape[-1]:
            return images
        return functional.interpolate(images, (side, side), mode="bilinear", antialias=True)

    def shown(self, inputs: Tensor, side: int) -> Tensor:
        """Return uint8 pictures (n, 3, H, W) after the page's preprocessing.

        The result is (n, 3, side, side).
        """
        preprocessing = Preprocessing(side, (side, side), mean=CIFAR10_MEAN, std=CIFAR10_STD)
        pictures = [Image.fromarray(picture.permute(1, 2, 0).numpy()) for picture in inputs]
        return torch.cat([preprocessing(picture) for picture in pictures])


def read_pictures(path: Path) -> Pictures:
    """Return CIFAR-10 from an ``.npz`` file or torchvision's folder.

    The ``.npz`` holds JPEG files: for ``train`` and ``test``, ``<split>_jpeg`` (all files end to end, uint8),
    ``<split>_offsets`` (n + 1 of them), ``<split>_labels``, and once ``classes``.
    """
    return _from_archive(path) if path.suffix == ".npz" else _from_torchvision(path)


def _from_archive(path: Path) -> Pictures:
    with np.load(path, allow_pickle=False) as archive:
        decoded = {
            split: _decoded(archive[f"{split}_jpeg"], archive[f"{split}_offsets"]) for split in _SPLITS
        }
        labels = {split: torch.from_numpy(archive[f"{split}_labels"].astype(np.int64)) for split in _SPLITS}
        classes = tuple(str(name) for name in archive["classes"])
    return Pictures(
        decoded["train"],
        labels["train"],
        decoded["test"],
        labels["test"],
        classes,
        "CIFAR-10, JPEG quality 75",
    )


_SPLITS = ("train", "test")


def _decoded(jpeg: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Tensor:
    files = (jpeg[start:end].tobytes() for start, end in pairwise(offsets))
    pictures = np.stack([np.asarray(Image.open(io.BytesIO(file)).convert("RGB")) for file in files])
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).contiguous()


def _from_torchvision(folder: Path) -> Pictures:
    from torchvision.datasets import CIFAR10  # noqa: PLC0415  # two seconds that an .npz does not need

    train, test = (CIFAR10(folder, train=wanted, download=True) for wanted in (True, False))
    arrays = [torch.from_numpy(split.data).permute(0, 3, 1, 2).contiguous() for split in (train, test)]
    labels = [torch.tensor(split.targets) for split in (train, test)]
    return Pictures(
        arrays[0], labels[0], arrays[1], labels[1], tuple(train.classes), "CIFAR-10 (torchvision)"
    )


def normalised(pictures: Tensor) -> Tensor:
    """Return uint8 pictures (n, 3, H, W) as normalised float32.

    Mean and deviation are about 0 and 1; the channels are last in memory.
    """
    mean, std = (torch.tensor(values).view(1, 3, 1, 1) for values in (CIFAR10_MEAN, CIFAR10_STD))
    return ((pictures / 255 - mean) / std).contiguous(memory_format=torch.channels_last)


def augmented(pictures: Tensor, generator: Generator, *, shift: int, cutout: int) -> Tensor:
    """Return uint8 pictures (n, 3, H, W) moved, mirrored, normalised and blanked.

    They move by up to ``shift`` pixels, and half of them are mirrored. A square of ``cutout`` pixels is then
    set to the mean, anywhere in each picture.
    Source: DeVries and Taylor, "Improved regularization of convolutional neural networks with cutout", 2017.
    """
    moved = _moved(pictures, generator, shift)
    mirrored = torch.rand(len(moved), generator=generator) < 0.5  # noqa: PLR2004  # an even chance
    moved[mirrored] = moved[mirrored].flip(-1)
    return normalised(moved) * _kept(moved, generator, cutout)


def _moved(pictures: Tensor, generator: Generator, shift: int) -> Tensor:
    count, _, height, width = pictures.shape
    padded = functional.pad(pictures.float(), (shift,) * 4, mode="reflect").to(torch.uint8)
    rows, columns = (torch.randint(2 * shift + 1, (count, 1), generator=generator) for _ in range(2))
    rows, columns = rows + torch.arange(height), columns + torch.arange(width)
    return padded[
        torch.arange(count).view(-1, 1, 1, 1),
        torch.arange(3).view(1, -1, 1, 1),
        rows.view(count, 1, height, 1),
        columns.view(count, 1, 1, width),
    ]


def _kept(pictures: Tensor, generator: Generator, cutout: int) -> Tensor:
    """Return a mask (n, 1, H, W), 0 in each blanked square."""
    count, _, height, width = pictures.shape
    inside = []
    for side in (height, width):
        start = torch.randint(side, (count, 1), generator=generator) - cutout // 2
        place = torch.arange(side)
        inside.append((place >= start) & (place < start + cutout))
    return 1.0 - (inside[0].view(count, 1, height, 1) & inside[1].view(count, 1, 1, width)).float()
