"""Tiny nets, each with one hazard for code that captures, edits or surveys it."""

import warnings
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def in_script(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Return a function in TorchScript, without torch's warning of its age."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made: Callable[..., torch.Tensor] = torch.jit.script(function)
    return made


class Plain(nn.Module):
    """No hazard: two convolutions, a pooling, a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 3)
        self.conv2 = nn.Conv2d(4, 5, 3)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(5, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(self.pool(self.conv2(self.conv1(x))).flatten(1))


class InPlace(nn.Module):
    """Everything after the convolution writes into the convolution's output."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.relu(self.conv(x))
        out += 1
        return out.mul_(3)


class PreActivation(nn.Module):
    """An activation whose input is read again: in place, both branches read what it returned.

    Args:
        inplace: whether it works in place; if not, its output takes the place of its input all the same.
        part: what of the convolution's output it is given.
    """

    def __init__(self, *, inplace: bool, part: slice = slice(None)) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1)
        self.relu, self.fc = nn.ReLU(inplace), nn.Linear(4, 5)
        self.part = part

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        before = self.conv1(x)[:, :, self.part]
        after = self.relu(before)
        kept = before if self.relu.inplace else after
        return self.fc((self.conv2(after) + kept).square().mean((2, 3)))


class Reused(nn.Module):
    """One activation runs three times."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 3, 1), nn.Conv2d(3, 3, 1)
        self.relu = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.relu(self.conv1(x))
        return self.relu(x + self.relu(self.conv2(x)))


class Shared(nn.Module):
    """One layer under two names."""

    def __init__(self) -> None:
        super().__init__()
        self.encode = nn.Linear(4, 4)
        self.decode = self.encode

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.decode(self.encode(x) + 1)


class Pair(NamedTuple):
    """A namedtuple output."""

    mean: torch.Tensor
    spread: torch.Tensor | None


@dataclass
class Scores:
    """A dataclass output."""

    logits: torch.Tensor
    label: str
    hidden: tuple[torch.Tensor, ...] = ()


class Returns(nn.Module):
    """A layer that returns what a given function makes of its input."""

    def __init__(self, make: Callable[[torch.Tensor], object]) -> None:
        super().__init__()
        self.make = make

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.make(x)


class Structured(nn.Module):
    """Layers that return every kind of structure, each overwritten in place afterwards."""

    MAKERS = {  # noqa: RUF012  (a constant of a test)
        "bare": lambda x: x + 1,
        "pair": lambda x: (x + 1, x + 2),
        "nested": lambda x: [x + 1, [x + 2, (x + 3,)]],
        "named": lambda x: Pair(x + 1, None),
        "table": lambda x: {"out": x + 1, "aux": {"deep": x + 2}},
        "ordered": lambda x: OrderedDict(out=x + 1),
        "scores": lambda x: Scores(x + 1, "cat", (x + 2,)),
        "ranked": lambda x: (x + 1).max(dim=1),
        "words": lambda x: ("plain", 3, None, x + 1),
        "nothing": lambda _: None,
    }

    def __init__(self) -> None:
        super().__init__()
        for name, make in self.MAKERS.items():
            self.add_module(name, Returns(make))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.children():
            overwrite(layer(x))
        return x


def overwrite(value: object) -> None:
    """Write zeros into every tensor inside a value, without the structure code under test."""
    if isinstance(value, torch.Tensor):
        value.zero_()
    elif isinstance(value, dict):
        overwrite(list(value.values()))
    elif isinstance(value, Scores):
        overwrite([value.logits, *value.hidden])
    elif isinstance(value, tuple | list):
        for part in value:
            overwrite(part)


class Keywords(nn.Module):
    """A layer that gets its input by keyword."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = Scaled()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x, factor=torch.tensor(3.0), mode="double")


class Scaled(nn.Module):
    """A layer with keyword inputs, which works in place."""

    def forward(self, x: torch.Tensor, *, factor: torch.Tensor, mode: str) -> torch.Tensor:
        return x.mul_(factor) * (2 if mode == "double" else 1)


class Fails(nn.Module):
    """The second layer raises."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(5, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(self.first(x))


class CatchesAll(nn.Module):
    """A model that catches everything, even the signal to stop, and goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        try:
            x = self.first(x)
        except:  # noqa: E722  (this is the hazard)
            x = x * 0
        return self.second(x)


class CatchesAndRaises(nn.Module):
    """A model that turns everything it catches into an error of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        try:
            return self.first(x)
        except BaseException as problem:
            raise RuntimeError("wrapped") from problem


class Noisy(nn.Module):
    """Dropout and batch statistics differ between training and eval."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.drop = nn.Dropout(0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.drop(self.norm(x))


class Checkpointed(nn.Module):
    """Activation checkpointing runs the layers again during the backward pass."""

    def __init__(self, *, reentrant: bool = False) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)
        self.reentrant = reentrant

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return checkpoint(self.inside, x, use_reentrant=self.reentrant)

    def inside(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(torch.tanh(self.first(x)))


class Silent(nn.Module):
    """Layers that do not run, each for a reason of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.main = nn.Linear(4, 4)
        self.aux = nn.Sequential(nn.Linear(4, 2), nn.ReLU())
        self.weight_only = nn.Linear(4, 4)
        self.bypassed = nn.Linear(4, 4)
        self.never = nn.Linear(4, 4)
        self.blocks = nn.ModuleList([nn.Linear(4, 4)])
        self.steps = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.sum = nn.quantized.FloatFunctional()
        self.inner = Returns(abs)
        self.inner.table = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.bypassed.forward(self.main(x) @ self.weight_only.weight)
        x = self.sum.add(self.inner(x) @ self.inner.table.weight, x)
        for step in (*self.blocks, *self.steps):
            x = step(x)
        if self.training:
            return x, self.aux(x)
        return x


def hook_count(model: nn.Module) -> int:
    """Return how many hooks of any kind are on the model's layers."""
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    return sum(len(getattr(layer, kind)) for layer in model.modules() for kind in kinds)


class Conv1D(nn.Module):
    """A fully connected layer under the name that transformers gives it: weights (in, out), no window."""

    def __init__(self, nf: int, nx: int) -> None:
        super().__init__()
        self.nf, self.nx = nf, nx
        self.weight = nn.Parameter(torch.ones(nx, nf))

    def extra_repr(self) -> str:
        """Return its settings as that library does."""
        return f"nf={self.nf}, nx={self.nx}"

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return the product with the weights."""
        return tokens @ self.weight
