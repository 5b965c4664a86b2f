"""One number of a layer that only moves or pads numbers."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from ...findings.explanation import Explanation
from ...sentences import Sentence
from .explanation import number, short

# In eval mode these return what they were given; several libraries have such layers, known by name.
_UNCHANGED = (nn.Identity, nn.modules.dropout._DropoutNd)  # noqa: SLF001  (the class of all dropouts)
_UNCHANGED_NAMES = frozenset({"StochasticDepth", "DropPath", "DropBlock2d", "PatchDropout"})
_MOVING = (
    *(nn.Flatten, nn.Unflatten, nn.PixelShuffle, nn.PixelUnshuffle, nn.ChannelShuffle),
    *(nn.ConstantPad1d, nn.ConstantPad2d, nn.ConstantPad3d, nn.ReflectionPad1d, nn.ReflectionPad2d),
    *(nn.ReflectionPad3d, nn.ReplicationPad1d, nn.ReplicationPad2d, nn.ReplicationPad3d, nn.Unfold),
    *(nn.CircularPad1d, nn.CircularPad2d, nn.CircularPad3d),
)
_MOVING_NAMES = frozenset({"Permute", "Downsample", "SpaceToDepth", "DepthToSpace", "Flat", "Unroll"})
MOVES_BY_NAME = _UNCHANGED_NAMES | _MOVING_NAMES
"""Layers of other libraries that move numbers, by the names of their classes."""


def is_move(layer: nn.Module) -> bool:
    """Return whether the layer takes numbers from its input as they are."""
    nearest = isinstance(layer, nn.Upsample) and layer.mode.startswith("nearest")
    empty = isinstance(layer, nn.Sequential) and not len(layer)  # it returns what it was given
    return nearest or empty or isinstance(layer, (*_UNCHANGED, *_MOVING))


def move(layer: nn.Module, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a layer that computes nothing."""
    source = _source(layer, inputs.shape, cell)
    if isinstance(source, float):
        formula = Sentence("{value}, the padding", value=short(source))
        return Explanation("move", formula, f"{short(source)} (padding)", source, abs(source))
    value = number(inputs[source])
    text = f"input{list(source)} = {short(value)}"
    return Explanation("move", Sentence("the input's own number"), text, value, abs(value), source=source)


def _source(layer: nn.Module, shape: torch.Size, cell: tuple[int, ...]) -> tuple[int, ...] | float:
    """Return the input's cell that was moved here, or the padding's number.

    It is found by moving the numbers of all cells. Where all numbers change their sign, what was moved does
    too, and padding does not.
    """
    if isinstance(layer, _UNCHANGED) or type(layer).__name__ in _UNCHANGED_NAMES:
        return cell
    numbers = torch.arange(1, shape.numel() + 1, dtype=torch.float64).view(shape)
    forward: Callable[[Any], Tensor] = layer.forward  # without hooks: this call is not the model's
    moved, opposite = float(forward(numbers)[cell]), float(forward(-numbers)[cell])
    if moved != -opposite or not moved:
        return moved
    found = int(moved) - 1
    place: list[int] = []
    for length in reversed(shape):
        found, at = divmod(found, length)
        place.insert(0, at)
    return tuple(place)
