"""A small net for answers, and what an answer is given."""

from typing import Any

import torch
from torch import nn

from viz.exercises.subset.session import layers_of
from viz.exercises.subset.walking import AnswerRun, run_answer


def small_net() -> nn.Sequential:
    """Return a net of a convolution, a ReLU and a linear layer, always with the same weights."""
    torch.manual_seed(0)
    net = nn.Sequential()
    net.add_module("conv", nn.Conv2d(3, 4, 3))
    net.add_module("relu", nn.ReLU())
    net.add_module("flatten", nn.Flatten())
    net.add_module("fc", nn.Linear(4 * 6 * 6, 5))
    return net.eval()


def small_picture() -> torch.Tensor:
    """Return an input for it, always the same."""
    return torch.linspace(-1, 1, 3 * 8 * 8).reshape(1, 3, 8, 8).sin()


def ran(code: str) -> AnswerRun:
    """Return what an answer does with the small net, in this process."""
    return run_answer(code, given())


def given() -> dict[str, Any]:
    """Return the names that an answer about the small net begins with."""
    return {"net": layers_of(small_net()), "picture": small_picture(), "classes": ["a", "b"]}


def whole(code: str) -> dict[str, Any]:
    """Return what Python itself makes of the same code: an independent second opinion."""
    names: dict[str, Any] = {"net": small_net(), "picture": small_picture(), "torch": torch}
    exec(compile(code, "<test>", "exec"), names)  # our own code
    return names
