"""Small random changes of a picture before each step of ascent.

With them, the result does not hang on exact pixels.
"""

import math

import torch
import torch.nn.functional as F  # noqa: N812  # as everybody calls it
from torch import Tensor

_ANGLE, _SCALE, _SHIFT = math.radians(8), 0.1, 0.06  # the last one as a share of the side
_CROPS = (0.5, 1.0)  # shares of the side
_NOISE = 0.02


def moved(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Return the pictures turned, scaled and shifted a little, all alike.

    Borders are mirrored.

    Source: Olah et al., "Feature Visualization", Distill, 2017, section "Transformation Robustness".
    """
    turn, scale, across, down = (2 * torch.rand(4, generator=generator) - 1).tolist()
    angle, factor = _ANGLE * turn, 1 + _SCALE * scale
    cosine, sine = factor * math.cos(angle), factor * math.sin(angle)
    shifts = 2 * _SHIFT * across, 2 * _SHIFT * down
    return _sampled(pictures, [[cosine, -sine, shifts[0]], [sine, cosine, shifts[1]]])


def cropped(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Return a random part of the pictures, enlarged, with a little noise.

    Source: Fel et al. (see ``spectra.Phases``), section 3, whose parts are all small; ours are of all sizes,
    because there are fewer of them.
    """
    share, across, down = torch.rand(3, generator=generator).tolist()
    size = _CROPS[0] + (_CROPS[1] - _CROPS[0]) * share
    shifts = (1 - size) * (2 * across - 1), (1 - size) * (2 * down - 1)
    part = _sampled(pictures, [[size, 0.0, shifts[0]], [0.0, size, shifts[1]]])
    return part + _NOISE * torch.randn(part.shape, generator=generator)


def _sampled(pictures: Tensor, where: list[list[float]]) -> Tensor:
    """Return pictures under an affine map of coordinates from -1 to 1."""
    matrix = torch.tensor(where).expand(len(pictures), 2, 3)
    grid = F.affine_grid(matrix, list(pictures.shape), align_corners=False)
    return F.grid_sample(pictures, grid, padding_mode="reflection", align_corners=False)
