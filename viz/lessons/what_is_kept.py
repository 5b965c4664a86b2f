"""Lesson 0, second half: the value that a hook keeps.

The ways are references, ``clone``, ``detach`` and copies.
"""

import warnings
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

from .. import LayerActivations

# --- 1. The output of a ReLU in the middle of a Sequential -----------------------------------------------


def small_net() -> nn.Sequential:
    """Return a net with a ReLU that works in place.

    It turns (N, 3, H, W) into (N, 9, 1, 1).
    """
    return nn.Sequential(
        nn.Conv2d(3, 9, 1, bias=False), nn.BatchNorm2d(9), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d((1, 1))
    ).eval()


@torch.no_grad()
def relu_by_hand(model: nn.Sequential, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return the ReLU's output and the net's, by walking through the Sequential."""
    found = x
    for index, layer in enumerate(model):
        x = layer(x)
        if index == 2:  # noqa: PLR2004  (the ReLU's place)
            found = x
    return found, x


@torch.no_grad()
def references_by_hook(model: nn.Sequential, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return references to batch norm's and ReLU's outputs, without a copy.

    Hooks are often written like this.
    """
    seen: list[Tensor] = []
    handles = [model[i].register_forward_hook(lambda *given: seen.append(given[2])) for i in (1, 2)]
    model(x)
    for handle in handles:
        handle.remove()
    return seen[0], seen[1]


def copies_by_capture(model: nn.Sequential, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return batch norm's and ReLU's outputs as they were, by ``LayerActivations``."""
    layers = LayerActivations(model, device="cpu")
    with layers.capture(1, 2) as record:
        layers.run(x)
    return record[1].output, record[2].output


# --- 2. clone, detach, copy ------------------------------------------------------------------------------


class Fate(NamedTuple):
    """Fate of a kept value: its memory, gradient and later values."""

    way: str
    shares_memory: bool
    gradient: list[float] | None  # of its sum with respect to the net's input; None: cut off
    later: list[float]  # its values after the original, [1, 2, 3], was overwritten with zeros


def ways_to_keep() -> dict[str, Callable[[Tensor], Tensor]]:
    """Return the usual ways to keep a tensor, by name."""
    return {
        "the bare reference": lambda value: value,
        "clone()": torch.clone,
        "detach()": Tensor.detach,
        "detach().clone()": lambda value: value.detach().clone(),
        "new_tensor(value)": _new_tensor,
        "empty_like().copy_()": lambda value: torch.empty_like(value).copy_(value),
        "LayerActivations": _captured,
    }


def fate(way: str) -> Fate:
    """Return the fate of a value kept in this way."""
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    value = x * 1
    kept = ways_to_keep()[way](value)
    gradient = torch.autograd.grad(kept.sum(), x)[0].tolist() if kept.requires_grad else None
    value.detach().zero_()  # what an in-place layer does to the memory of the layer before it
    return Fate(way, kept.data_ptr() == value.data_ptr(), gradient, kept.tolist())


def _new_tensor(value: Tensor) -> Tensor:
    with warnings.catch_warnings():  # torch itself advises detach().clone() instead
        warnings.simplefilter("ignore", UserWarning)
        return value.new_tensor(value)


def _captured(value: Tensor) -> Tensor:
    layers = LayerActivations(nn.Sequential(nn.Identity()), device="cpu")
    with layers.capture(0) as record:
        layers.run(value)
    found: Tensor = record[0].output
    return found
