"""Models that people have, and that ``copy.deepcopy`` refuses or copies in part."""

import threading
import warnings
from collections.abc import Callable
from functools import partial

import torch
from torch import nn
from torch.nn.utils import parametrizations, prune, spectral_norm, weight_norm

PICTURE = torch.linspace(-1, 1, 3 * 8 * 8).view(1, 3, 8, 8)


def plain() -> nn.Sequential:
    """A small classifier, the same numbers every time."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        return nn.Sequential(
            nn.Conv2d(3, 4, 3), nn.Tanh(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2)
        )


def normed(norm: Callable[[nn.Module], object]) -> nn.Module:
    """With a weight that is computed from others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        net = plain()
        norm(net[0])
        net(PICTURE)  # a spectral norm has taken a step
        return net


weight_normed = partial(normed, weight_norm)
spectral_normed = partial(normed, spectral_norm)
parametrised = partial(normed, parametrizations.weight_norm)
pruned = partial(normed, partial(prune.l1_unstructured, name="weight", amount=0.5))


def keeping() -> nn.Module:
    """It has kept an output, with its graph."""
    net = plain()
    net.last = net(PICTURE)
    return net


def locked() -> nn.Module:
    """It has a lock, and a generator of numbers."""
    net = plain()
    net.lock, net.numbers = threading.Lock(), (each for each in range(3))  # type: ignore[assignment]
    return net


def part_scripted() -> nn.Module:
    """One of its layers is compiled."""
    net = plain()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        net[1] = torch.jit.script(nn.Sequential(nn.Tanh(), nn.Conv2d(4, 4, 1)))
    return net


def lazy_run_once() -> nn.Module:
    """Its shapes come from its first input; it has kept the output."""
    net = nn.Sequential(nn.LazyConv2d(4, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.LazyLinear(2))
    net.last = net(PICTURE)
    return net


def patched() -> nn.Module:
    """A function that refers to its layers stands in place of ``forward``."""
    net = plain()

    def forward(images: torch.Tensor) -> torch.Tensor:
        for layer in net:
            images = layer(images)
        return images

    net.forward = forward  # type: ignore[method-assign]
    return net


def hooked() -> nn.Module:
    """A hook of its own calls another of its layers."""
    net = plain()
    net[0].register_forward_hook(lambda _, __, output: net[1](output))
    return net


def meta() -> nn.Module:
    """It has no numbers."""
    with torch.device("meta"):
        return plain()


def renamed(forward: Callable[[torch.Tensor], torch.Tensor]) -> nn.Module:
    """An empty model whose ``forward`` is a function of this module."""
    net = nn.Module()
    net.layers, net.forward = REACHED, forward  # type: ignore[method-assign]
    return net


class Keeper:
    """A class that keeps a model."""

    net = plain()

    def __call__(self, images: torch.Tensor) -> torch.Tensor:
        """Run this module's model."""
        return REACHED(images)


class Calling(nn.Module):
    """Its own method calls a model of this module, which is a layer of it."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = REACHED

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Run that model."""
        return REACHED(images)


class Stepping(nn.Module):
    """A method that no call runs trains its layers, and another, which the call runs, reads that rate."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = plain()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Run its own layers."""
        self.told = self.rate()
        return self.layers(images)

    def rate(self) -> float:
        """Read how far weights move in a step."""
        return OPTIMIZER.param_groups[0]["lr"]

    def step(self) -> None:
        """Train a little."""
        STEPPING(PICTURE).sum().backward()
        OPTIMIZER.step()


class Collected(nn.Module):
    """Its class keeps all that are made of it, and a call reads only how many."""

    made: list[nn.Module] = []  # noqa: RUF012  # as people write it
    count = 0

    def __init__(self) -> None:
        super().__init__()
        self.layers = plain()
        self.made.append(self)
        Collected.count += 1

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Run its own layers."""
        return self.layers(images) if Collected.count else images


class FirstMade(Collected):
    """A call runs the first that was collected."""

    made: list[nn.Module] = []  # noqa: RUF012  # likewise

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Run the layers of that one."""
        return self.made[0].layers(images)


class InMethod(nn.Module):
    """A method that ``forward`` names by a word calls a model of this module."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = REACHED

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Run a method."""
        return getattr(self, "run")(images)  # noqa: B009  # as people write it

    def run(self, images: torch.Tensor) -> torch.Tensor:
        """Run that model."""
        return REACHED(images)


class InPlaceOfPyTorchs(nn.Conv2d):
    """Its layer's own ``forward`` calls the method that stands in place of PyTorch's."""

    def __init__(self) -> None:
        super().__init__(3, 4, 3)
        self.layers = REACHED

    def _conv_forward(self, images: torch.Tensor, *_: object) -> torch.Tensor:
        return REACHED(images)


class Holder:
    """An object that refers to a model of this module from when it is made."""

    def __init__(self) -> None:
        self.net = REACHED


class InItsMaking(nn.Module):
    """A call makes an object that refers to a model of this module."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = REACHED

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Run a new object's model."""
        return Holder().net(images)


class Named(nn.Module):
    """Its attribute has the name of a model of this module, which it is itself."""

    def __init__(self) -> None:
        super().__init__()
        self.NAMED = plain()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Run its own layers."""
        return self.NAMED(images)


def in_a_function(images: torch.Tensor) -> torch.Tensor:
    """Run this module's model in a function inside it."""

    def run() -> torch.Tensor:
        return REACHED(images)

    return run()


def in_a_class(images: torch.Tensor) -> torch.Tensor:
    """Run the model that a class inside it refers to."""

    class Inner:
        net = REACHED

    return Inner.net(images)


def in_a_generator(images: torch.Tensor) -> torch.Tensor:
    """Run it in an expression that is code of its own."""
    return next(REACHED(each) for each in [images])


REACHED = plain()
with_function, with_class = partial(renamed, in_a_function), partial(renamed, in_a_class)
with_generator, with_object = partial(renamed, in_a_generator), partial(renamed, Keeper())
WITH_LOCK, PATCHED, PLAIN, NAMED = locked(), patched(), plain(), Named()
STEPPING, COLLECTED, FIRST_MADE = Stepping(), Collected(), FirstMade()
OPTIMIZER = torch.optim.Adam(STEPPING.parameters())


def the_same() -> nn.Module:
    """A function that returns one object every time."""
    return PATCHED


def new_head() -> nn.Module:
    """A function that puts a new layer on a body that it keeps."""
    return nn.Sequential(PLAIN[:4], nn.Linear(4, 2))
