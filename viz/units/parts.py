"""Parts of an output channel's sum, one for each input channel.

A convolution and a linear layer are sums over the channels of their input, plus a bias. So the part of each
channel is what the layer makes of it alone, and without that channel the output changes by exactly its part.
"""

import copy

import torch
from torch import Tensor, nn

from ..number.arithmetic.convolutions import STANDARDISED
from .weights import Kernels

_NEAR = 1e-3  # of the largest number, by which the parts' sum may differ from what the layer returned


def parts_of(layer: nn.Module, kernels: Kernels, inputs: Tensor) -> Tensor:
    """Return each input channel's part, float64 (inputs, places).

    The rows of a batch stand one after another.

    Args:
        layer: a convolution, or a linear layer.
        kernels: the weights that make the channel.
        inputs: what the layer is given, on the processor: (N, C, …), or (…, C) for a linear layer.
    """
    given = inputs.double()
    if isinstance(layer, nn.Linear):
        return (given.reshape(-1, given.shape[-1]) * kernels.values).T.contiguous()
    count = kernels.values.ndim - 1
    batch = given if given.ndim == count + 2 else given[None]
    seen = batch[:, kernels.first : kernels.first + len(kernels.values)]
    with torch.no_grad():
        alone = _alone(layer, kernels.values)(seen)
    return alone.transpose(0, 1).flatten(1)


def add_up(parts: Tensor, bias: float | None, output: Tensor) -> bool:
    """Check whether the parts and the bias add up to the output.

    ``output`` is this channel's, (places,).
    """
    total = parts.sum(0) + (bias or 0.0)
    near = _NEAR * float(output.abs().max()) if output.numel() else 0.0
    return total.shape == output.shape and bool(torch.allclose(total, output.double(), rtol=_NEAR, atol=near))


def _alone(layer: nn.Module, kernels: Tensor) -> "_BareLayer":
    """Return a convolution like this one that keeps input channels apart."""
    new, count = copy.copy(layer), len(kernels)
    new.__dict__.update(
        _parameters={"weight": nn.Parameter(kernels[:, None], requires_grad=False), "bias": None},
        groups=count,
        in_channels=count,
        out_channels=count,
    )
    return _BareLayer(new)


class _BareLayer:
    """Calls a layer's own code, past its hooks."""

    def __init__(self, layer: nn.Module) -> None:
        self._layer = layer
        # Such a layer would standardise the one kernel for itself; the kernels here are standardised already.
        self._code = nn.Conv2d.forward if type(layer).__name__ in STANDARDISED else type(layer).forward

    def __call__(self, inputs: Tensor) -> Tensor:
        found: Tensor = self._code(self._layer, inputs)  # type: ignore[arg-type]
        return found
