"""Pixels to tensors and back, with PyTorch.

This is the part of preparing a picture that takes PyTorch. The preparations themselves are plain values: a
process without PyTorch can hold them, pickled or not, and asks them everything but this.
"""

from collections.abc import Sequence

import numpy as np
import torch
from PIL import Image
from torch import Tensor

__all__ = ["clip_of", "picture_of", "scaled", "signal_of", "standardised", "values_of"]


def scaled(picture: Image.Image, mean: Sequence[float], std: Sequence[float]) -> Tensor:
    """Return a picture, RGB or grey, as a scaled tensor.

    It is float32 (1, C, H, W): 0 to 1, less ``mean``, divided by ``std``.
    """
    pixels = torch.from_numpy(np.atleast_3d(np.array(picture))).permute(2, 0, 1).contiguous()
    return standardised(pixels.to(torch.float32), mean, std).unsqueeze(0)


def standardised(levels: Tensor, mean: Sequence[float], std: Sequence[float]) -> Tensor:
    """Scale levels (…, C, H, W), through the autograd graph."""
    less, by = (torch.tensor(values, device=levels.device).view(-1, 1, 1) for values in (mean, std))
    return levels.div(255).sub(less).div(by)


def picture_of(image: Tensor, mean: Sequence[float], std: Sequence[float]) -> Image.Image:
    """Return the picture, RGB, of one (C, H, W) that ``scaled`` made."""
    less, by = (torch.tensor(values).view(-1, 1, 1) for values in (mean, std))
    pixels = image.detach().to("cpu", torch.float32).mul(by).add(less).mul(255)
    whole = pixels.round().clamp(0, 255).to(torch.uint8).expand(3, -1, -1)
    return Image.fromarray(whole.permute(1, 2, 0).numpy(), "RGB")


def clip_of(frames: Sequence[Tensor]) -> Tensor:
    """Return frames (1, 3, H, W) as one clip.

    The clip is (1, 3, T, H, W).
    """
    return torch.stack(list(frames), dim=2)


def signal_of(row: Image.Image) -> Tensor:
    """Return a grey picture's row as a signal (1, 1, L).

    The picture is one pixel high; the values go from −1 to 1.
    """
    return torch.from_numpy(np.array(row)).to(torch.float32).div(127.5).sub(1).unsqueeze(0)


def values_of(signal: Tensor) -> list[float]:
    """Return a signal (L) as numbers, cut off at −1 and 1."""
    values: list[float] = signal.detach().to("cpu", torch.float32).clamp(-1, 1).tolist()
    return values
