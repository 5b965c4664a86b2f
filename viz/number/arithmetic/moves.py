"""One number of a layer that computes nothing: where in the input it was taken from."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from ...sentences import Sentence
from .explanation import Explanation, number, short

# In eval mode these return what they were given; several libraries have such layers, known by name.
_UNCHANGED = (nn.Identity, nn.modules.dropout._DropoutNd)  # noqa: SLF001  (the class of all dropouts)
_UNCHANGED_NAMES = frozenset({"StochasticDepth", "DropPath", "DropBlock2d"})
_MOVING = (
    *(nn.Flatten, nn.Unflatten, nn.PixelShuffle, nn.PixelUnshuffle, nn.ChannelShuffle),
    *(nn.ZeroPad1d, nn.ZeroPad2d, nn.ReflectionPad1d, nn.ReflectionPad2d),
    *(nn.ReplicationPad1d, nn.ReplicationPad2d, nn.ReplicationPad3d),
)
_MOVING_NAMES = frozenset({"Permute"})


def is_move(layer: nn.Module) -> bool:
    """Return whether the layer takes numbers from its input as they are."""
    known = isinstance(layer, (*_UNCHANGED, *_MOVING))
    nearest = isinstance(layer, nn.Upsample) and layer.mode == "nearest"
    return known or nearest or type(layer).__name__ in _UNCHANGED_NAMES | _MOVING_NAMES


def move(layer: nn.Module, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a layer that computes nothing."""
    source = _source(layer, inputs.shape, cell)
    if source is None:
        return Explanation("move", Sentence("0, the padding"), "0 (padding)", 0.0, 0.0)
    value = number(inputs[source])
    text = f"input{list(source)} = {short(value)}"
    return Explanation("move", Sentence("the input's own number"), text, value, abs(value), source=source)


def _source(layer: nn.Module, shape: torch.Size, cell: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the cell of the input, found by moving the numbers of all cells; None for padding."""
    if isinstance(layer, _UNCHANGED) or type(layer).__name__ in _UNCHANGED_NAMES:
        return cell
    numbers = torch.arange(1, shape.numel() + 1, dtype=torch.float64).view(shape)
    forward: Callable[[Any], Tensor] = layer.forward  # without hooks: this call is not the model's
    found = int(forward(numbers)[cell]) - 1
    if found < 0:
        return None
    place: list[int] = []
    for length in reversed(shape):
        found, at = divmod(found, length)
        place.insert(0, at)
    return tuple(place)
