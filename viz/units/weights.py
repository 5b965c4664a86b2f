"""Weights between channels of a layer's input and its output."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ..number.arithmetic.convolutions import CONVOLUTIONS, STANDARDISED, filter_weights

__all__ = ["Kernels", "kernels_of", "strengths"]


@dataclass(frozen=True, eq=False)
class Kernels:
    """The weights that make one channel.

    Attributes:
        values: float64 (inputs, *kernel); a linear layer's kernels are single numbers (inputs,).
        first: the channel of the input that the first one is multiplied with.
        bias: what is added; None if nothing is.
    """

    values: Tensor
    first: int
    bias: float | None

    @property
    def norms(self) -> Tensor:
        """The Euclidean norm of each kernel, (inputs,)."""
        found: Tensor = torch.linalg.vector_norm(self.values.reshape(len(self.values), -1), dim=1)
        return found


def kernels_of(layer: nn.Module, channel: int) -> Kernels | None:
    """Return the weights of one output channel; None if they are unknown."""
    bias = getattr(layer, "bias", None)
    added = float(bias[channel].detach()) if isinstance(bias, Tensor) else None
    if isinstance(layer, CONVOLUTIONS):
        cell = (0, channel, *(0 for _ in layer.kernel_size))
        first, _, weights = filter_weights(layer, cell)
        return Kernels(_doubles(weights), first, added)
    if isinstance(layer, nn.Linear):
        return Kernels(_doubles(layer.weight[channel]), 0, added)
    return None


def strengths(layer: nn.Module, places: Sequence[int]) -> Tensor | None:
    """Return the norm of each output's weights for some inputs, (outputs,).

    None for layers whose weights are unknown. An output that does not see these channels has 0.
    """
    if isinstance(layer, nn.Linear):
        norms: Tensor = torch.linalg.vector_norm(_doubles(layer.weight[:, list(places)]), dim=1)
        return norms
    if not isinstance(layer, CONVOLUTIONS):
        return None
    squares = torch.zeros(layer.out_channels, dtype=torch.float64)
    inputs, outputs = layer.in_channels // layer.groups, layer.out_channels // layer.groups
    weights = _convolved(layer)
    for place in places:
        group, within = divmod(place, inputs)
        seen = slice(group * outputs, (group + 1) * outputs)
        own = weights[place] if layer.transposed else weights[seen, within]
        squares[seen] += own.flatten(1).square().sum(1)
    return squares.sqrt()


def _convolved(layer: nn.Module) -> Tensor:
    """The weights as the layer multiplies with them."""
    if type(layer).__name__ in STANDARDISED:
        cells = ((0, each, 0, 0) for each in range(len(layer.weight)))  # type: ignore[arg-type]
        return torch.stack([_doubles(filter_weights(layer, cell)[2]) for cell in cells])  # type: ignore[arg-type]
    return _doubles(layer.weight)  # type: ignore[arg-type]


def _doubles(values: Tensor) -> Tensor:
    return values.detach().cpu().double()
