"""The weights that make one channel of a layer's output, as maps."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from .arithmetic.convolutions import CONVOLUTIONS, filter_weights
from .arithmetic.explanation import number

__all__ = ["Filter", "depth_of", "filter_of"]


@dataclass(frozen=True, eq=False)
class Filter:
    """Weights of one channel of a layer's output.

    Attributes:
        kernels: float64 (channels of the input, height, width); a volume's depth is part of the height, and
            each input of a linear layer is a channel of one by one.
        depth: how many slices of a volume's kernel stand below each other; 1 for others.
        first: which channel of the input the first kernel looks at.
        bias: the addend at the end; None if there is none.
    """

    kernels: NDArray[np.float64]
    depth: int
    first: int
    bias: float | None


def filter_of(layer: nn.Module, cell: tuple[int, ...]) -> Filter | None:
    """Return the weights that make one cell of a layer's output.

    None for layers without such weights. Every cell of a convolution's channel uses the same weights, as does
    every row of a linear layer.
    """
    if isinstance(layer, CONVOLUTIONS):
        first, out, weights = filter_weights(layer, cell)
        return Filter(_as_maps(weights), depth_of(weights.shape[1:]), first, _entry(layer.bias, out))
    if isinstance(layer, nn.Linear):
        return Filter(_as_maps(layer.weight[cell[-1]][:, None]), 1, 0, _entry(layer.bias, cell[-1]))
    return None


def depth_of(kernel: Sequence[int]) -> int:
    """Return how many slices of a kernel stand below each other."""
    return prod(kernel[:-2])


def _entry(bias: Tensor | None, place: int) -> float | None:
    return None if bias is None else number(bias[place])


def _as_maps(weights: Tensor) -> NDArray[np.float64]:
    """Return weights (channels, *kernel) as maps (channels, height, width)."""
    values: NDArray[np.float64] = weights.detach().cpu().double().numpy()
    return values.reshape(len(values), -1, values.shape[-1])
