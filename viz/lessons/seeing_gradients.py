"""Lesson 3: gradients seen and changed by hooks, and a convolution."""

import warnings
from typing import NamedTuple

import torch
from torch import Tensor, nn

from .. import LayerActivations, scale


class MeanOfSquares(nn.Sequential):
    """The mean of x², written as layers x, y and z.

    It returns z, the mean of y = x².
    """

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


class HookedGradient(NamedTuple):
    """The gradient that a hook on y saw, and ``y.grad`` afterwards."""

    gradient: list[float]
    stored: Tensor | None


def twos(value: float = 2.0, count: int = 4) -> Tensor:
    """Return a tensor of one value that requires its gradient.

    By default it is [2, 2, 2, 2].
    """
    return torch.full((count,), value, requires_grad=True)


# --- 1. Watching a gradient ------------------------------------------------------------------------------


def gradient_by_hook(value: float = 2.0, count: int = 4) -> HookedGradient:
    """Return dz/dy from a hook on y, and ``y.grad``.

    Autograd keeps ``grad`` for leaves only.
    """
    found: list[Tensor] = []
    y = twos(value, count).pow(2)
    handle = y.register_hook(lambda gradient: found.append(gradient.clone()))
    y.mean().backward()
    handle.remove()
    with warnings.catch_warnings():  # torch warns everyone who asks a tensor like y for its grad
        warnings.simplefilter("ignore", UserWarning)
        return HookedGradient(found[0].tolist(), y.grad)


def gradient_by_capture(value: float = 2.0, count: int = 4) -> list[float]:
    """Return the same gradient by ``LayerActivations``, at the output of y."""
    layers = LayerActivations(MeanOfSquares(), device="cpu")
    with layers.capture("y", gradients=True) as record:
        layers.run(twos(value, count)).backward()
    gradient: list[float] = record["y"].gradient.tolist()
    return gradient


# --- 2. Changing a gradient ------------------------------------------------------------------------------


def plain_gradient(value: float = 2.0, count: int = 4) -> list[float]:
    """Return dz/dx without any hook."""
    x = twos(value, count)
    gradient: list[float] = torch.autograd.grad(twos_squared_mean(x), x)[0].tolist()
    return gradient


def twos_squared_mean(x: Tensor) -> Tensor:
    """Return the mean of x²."""
    return x.pow(2).mean()


def doubled_by_hook(factor: float = 2.0, value: float = 2.0, count: int = 4) -> list[float]:
    """Return x's gradient when a hook on x multiplies it."""
    x = twos(value, count)
    handle = x.register_hook(lambda gradient: gradient * factor)
    twos_squared_mean(x).backward()
    handle.remove()
    return _grad(x)


def doubled_by_edit(factor: float = 2.0, value: float = 2.0, count: int = 4) -> list[float]:
    """Return the same by ``LayerActivations``, with an edit at x."""
    layers, x = LayerActivations(MeanOfSquares(), device="cpu"), twos(value, count)
    with layers.edit("x", gradient=scale(factor)):
        layers.run(x).backward()
    return _grad(x)


def after_two_passes() -> list[float]:
    """Return x's gradient after two backward passes, which add up."""
    x = twos()
    twos_squared_mean(x).backward()
    twos_squared_mean(x).backward()
    return _grad(x)


def _grad(x: Tensor) -> list[float]:
    return [] if x.grad is None else x.grad.tolist()


# --- 3. Feature maps to check by head --------------------------------------------------------------------


class OnesAndTwos(nn.Module):
    """A convolution with kernels of ones and twos, and a pooling.

    It turns (N, 1, 4, 4) into (N, 2, 1, 1), with kernels of 3×3.
    """

    def __init__(self, kernel: int = 3) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 2, kernel)
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
    """Inputs and output of conv1, and the net's result."""

    inputs: tuple[Tensor, ...]
    maps: Tensor
    pooled: Tensor


@torch.no_grad()
def maps_by_hook(kernel: int = 3) -> Maps:
    """Return conv1's inputs and output for a picture of ones.

    The picture is (1, 1, 4, 4).
    """
    seen: list[tuple[tuple[Tensor, ...], Tensor]] = []
    net = OnesAndTwos(kernel)
    handle = net.conv1.register_forward_hook(lambda _, inputs, output: seen.append((inputs, output.clone())))
    pooled = net(torch.ones(1, 1, 4, 4))
    handle.remove()
    return Maps(*seen[0], pooled)


def maps_by_capture(kernel: int = 3) -> Maps:
    """Return the same by ``LayerActivations``."""
    layers = LayerActivations(OnesAndTwos(kernel), device="cpu")
    with layers.capture("conv1", inputs=True) as record:
        pooled = layers.run(torch.ones(1, 1, 4, 4))
    return Maps(record["conv1"].inputs, record["conv1"].output, pooled)
