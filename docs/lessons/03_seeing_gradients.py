"""Lesson 3: the gradient that a tensor hook sees, a hook that changes it, and a convolution to check by head.

Run it from any folder: ``python docs/lessons/03_seeing_gradients.py``. The text to it is in
``docs/hooks.md``.
"""

import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn

sys.path.append(f"{Path(__file__).parent}/../..")  # finds viz from any folder, without installing anything

from viz import LayerActivations, scale


class MeanOfSquares(nn.Sequential):
    """Returns z, the mean of y = x²; written as layers, so that x, y and z have names."""

    def __init__(self) -> None:
        super().__init__()
        self.x = nn.Identity()
        self.y = Square()
        self.z = Mean()


class Square(nn.Module):
    """x², of any shape."""

    def forward(self, x: Tensor) -> Tensor:
        """Return x²."""
        return x.pow(2)


class Mean(nn.Module):
    """The mean over all values."""

    def forward(self, x: Tensor) -> Tensor:
        """Return one number."""
        return x.mean()


class Seen(NamedTuple):
    """What a hook on y saw, and what y itself says afterwards."""

    gradient: list[float]
    stored: Tensor | None


def twos() -> Tensor:
    """Return x = [2, 2, 2, 2], which asks for its gradient."""
    return torch.full((4,), 2.0, requires_grad=True)


# --- 1. Watching a gradient ------------------------------------------------------------------------------


def gradient_by_hook() -> Seen:
    """Return dz/dy from a hook on y, and ``y.grad``, which autograd keeps for leaves only."""
    found: list[Tensor] = []
    y = twos().pow(2)
    handle = y.register_hook(lambda gradient: found.append(gradient.clone()))
    y.mean().backward()
    handle.remove()
    with warnings.catch_warnings():  # torch warns everyone who asks a tensor like y for its grad
        warnings.simplefilter("ignore", UserWarning)
        return Seen(found[0].tolist(), y.grad)


def gradient_by_capture() -> list[float]:
    """Return the same by ``LayerActivations``: the gradient at the output of the layer called y."""
    layers = LayerActivations(MeanOfSquares(), device="cpu")
    with layers.capture("y", gradients=True) as record:
        layers.run(twos()).backward()
    gradient: list[float] = record["y"].gradient.tolist()
    return gradient


# --- 2. Changing a gradient ------------------------------------------------------------------------------


def plain_gradient() -> list[float]:
    """Return dz/dx without any hook."""
    return torch.autograd.grad(twos_squared_mean(x := twos()), x)[0].tolist()


def twos_squared_mean(x: Tensor) -> Tensor:
    """Return the mean of x²."""
    return x.pow(2).mean()


def doubled_by_hook() -> list[float]:
    """Return x's gradient when a hook on x returns twice what it is given."""
    x = twos()
    handle = x.register_hook(lambda gradient: gradient * 2)
    twos_squared_mean(x).backward()
    handle.remove()
    return _grad(x)


def doubled_by_edit() -> list[float]:
    """Return the same by ``LayerActivations``: the gradient is doubled at the layer called x."""
    layers, x = LayerActivations(MeanOfSquares(), device="cpu"), twos()
    with layers.edit("x", gradient=scale(2.0)):
        layers.run(x).backward()
    return _grad(x)


def after_two_passes() -> list[float]:
    """Return x's gradient after two backward passes without clearing it: they add up."""
    x = twos()
    twos_squared_mean(x).backward()
    twos_squared_mean(x).backward()
    return _grad(x)


def _grad(x: Tensor) -> list[float]:
    return [] if x.grad is None else x.grad.tolist()


# --- 3. Feature maps to check by head --------------------------------------------------------------------


class OnesAndTwos(nn.Module):
    """A convolution, one 3×3 kernel of ones and one of twos, and a pooling: (N, 1, 4, 4) to (N, 2, 1, 1)."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 2, 3)
        self.pool1 = nn.MaxPool2d(2, 2)
        with torch.no_grad():
            self.conv1.weight[0] = 1
            self.conv1.weight[1] = 2
            self.conv1.bias = None  # nothing is added

    def forward(self, x: Tensor) -> Tensor:
        """Return the largest value of each map, (N, 2, 1, 1)."""
        pooled: Tensor = self.pool1(self.conv1(x))
        return pooled


class Maps(NamedTuple):
    """What went into conv1, what came out, and what the net returned."""

    inputs: tuple[Tensor, ...]
    maps: Tensor
    pooled: Tensor


@torch.no_grad()
def maps_by_hook() -> Maps:
    """Return inputs and output of conv1 for a picture of ones (1, 1, 4, 4), by a plain hook."""
    seen: list[tuple[tuple[Tensor, ...], Tensor]] = []
    net = OnesAndTwos()
    handle = net.conv1.register_forward_hook(lambda _, inputs, output: seen.append((inputs, output.clone())))
    pooled = net(torch.ones(1, 1, 4, 4))
    handle.remove()
    return Maps(*seen[0], pooled)


def maps_by_capture() -> Maps:
    """Return the same by ``LayerActivations``."""
    layers = LayerActivations(OnesAndTwos(), device="cpu")
    with layers.capture("conv1", inputs=True) as record:
        pooled = layers.run(torch.ones(1, 1, 4, 4))
    return Maps(record["conv1"].inputs, record["conv1"].output, pooled)


def main() -> None:
    """Print every number of the lesson with a sentence."""
    seen = gradient_by_hook()
    print("x = [2, 2, 2, 2], y = x², z = mean(y). Backward from z:")
    print(f"  the hook on y saw {seen.gradient}, and y.grad is {seen.stored}: y is no leaf;")
    print(f"  a capture of the layer y with gradients saw {gradient_by_capture()}.")
    print(f"  x's gradient is {plain_gradient()},")
    print(f"  doubled by a hook on x {doubled_by_hook()}, by an edit {doubled_by_edit()}.")
    print(f"  Two passes without a hook give {after_two_passes()} too: they add up.\n")
    hooked, captured = maps_by_hook(), maps_by_capture()
    print(f"A picture of ones, {tuple(hooked.inputs[0].shape)}, arrives in a {type(hooked.inputs).__name__}.")
    print(f"conv1 gives maps {tuple(hooked.maps.shape)}: {hooked.maps.flatten(2).tolist()[0]},")
    print(f"pooled {tuple(hooked.pooled.shape)}: {hooked.pooled.flatten().tolist()}.")
    same = torch.equal(hooked.maps, captured.maps) and torch.equal(hooked.inputs[0], captured.inputs[0])
    print(f"By capture the same: {same}.")


if __name__ == "__main__":
    main()
