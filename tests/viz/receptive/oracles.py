"""Independent oracles of receptive fields: what a cell's gradient, or a poisoned pixel, reaches.

Neither shares code with ``viz.receptive``: both run the model as it is and look at numbers.
"""

from collections.abc import Callable

import torch
from torch import nn

from viz.receptive import Fields

Box = tuple[int, int, int, int]


def box_of(reached: torch.Tensor) -> Box:
    """Return (top, left, bottom, right), the ends excluded, around the True of (H, W); zeros for none."""
    rows, columns = reached.any(1).nonzero().flatten(), reached.any(0).nonzero().flatten()
    if not len(rows):
        return 0, 0, 0, 0
    return int(rows[0]), int(columns[0]), int(rows[-1]) + 1, int(columns[-1]) + 1


def poisoned(images: torch.Tensor, axis: int) -> torch.Tensor:
    """Return a copy of one picture (1, C, …) for each row, or column, along ``axis``, with NaN in all of it.

    NaN passes through everything that reads it, even a ReLU and a maximum, which not every gradient passes.
    """
    copies = images.repeat(images.shape[axis], *[1] * (images.ndim - 1))
    for place, copy in enumerate(copies):
        copy.select(axis - 1, place).fill_(torch.nan)
    return copies


def reached(fields: Fields, axis: int) -> torch.Tensor:
    """Return whether the NaN of each of the ``poisoned`` pictures lies in the box of each cell."""
    side = axis % 2  # 0 for rows, the third axis, and 1 for columns, the fourth
    planes = [plane[0] for plane in fields.boxes.planes]
    places = torch.arange(fields.size[side]).view(-1, *[1] * planes[0].ndim)
    return (places >= -planes[side]) & (places <= planes[side + 2])


def smooth_twin(model: nn.Module) -> nn.Module:
    """Return the model itself, changed so that a gradient reaches all that a cell can depend on.

    Weights and biases become positive, so that with positive pictures no ReLU is closed and nothing cancels;
    a maximum, which lets a gradient through to one value only, becomes a mean over the same windows.
    """
    for layer in model.modules():
        for name, child in layer.named_children():
            if isinstance(child, nn.MaxPool2d):
                mean = nn.AvgPool2d(child.kernel_size, child.stride, child.padding, ceil_mode=child.ceil_mode)
                setattr(layer, name, mean)
        weight = getattr(layer, "weight", None)
        if isinstance(weight, nn.Parameter) and weight.ndim > 1:
            nn.init.uniform_(weight, 0.5, 1.5)
            weight.data /= weight[0].numel()
        for name, scale in layer.named_parameters(recurse=False):
            if name == "layer_scale":  # a millionth to begin with, which would underflow
                nn.init.ones_(scale)
    return model.eval().requires_grad_(requires_grad=False)


class Through(nn.Module):
    """Gives a picture (N, C, …) to a small convolution or none, then a function, then the layer ``end``."""

    def __init__(
        self, function: Callable[[torch.Tensor], torch.Tensor], stem: nn.Module | None = None
    ) -> None:
        super().__init__()
        self.stem = stem or nn.Identity()
        self.function = function
        self.end = nn.Identity()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.end(self.function(self.stem(images)))


def hull(mask: torch.Tensor) -> torch.Tensor:
    """Return the mask with all True between the first and the last True along its first axis."""
    after = mask.cummax(0).values
    before = mask.flip(0).cummax(0).values.flip(0)
    return after & before
