"""Subjects for the engine: tiny nets for pictures of eight by eight pixels, and what they return, by hand."""

import threading
from collections import Counter
from types import SimpleNamespace

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn
from torch.nn.functional import conv2d

from tests.machine import patience
from viz.pictures.photo import Photo, photograph
from viz.pictures.subject import Subject
from viz.request.inspection import Inspection

CLASSES = ("cat", "dog", "owl")


class Counting(nn.Module):
    """Two convolutions with a ReLU between them, then class scores; counts its passes and their steps.

    ``also`` is another name of ``last``, which runs twice. While ``gate`` is closed a pass waits for it.
    """

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first = nn.Conv2d(3, 4, 3)
        self.relu = nn.ReLU(inplace=True)
        self.second = nn.Conv2d(4, 3, 3)
        self.last = nn.Sigmoid()
        self.also = self.last
        counts = SimpleNamespace(passes=0, steps=Counter[str]())
        self.counts = lambda: counts  # what a function keeps is none of what each pass would put back
        self.started, self.gate = threading.Event(), threading.Event()
        self.gate.set()

    @property
    def passes(self) -> int:
        """Number of passes that began."""
        count: int = self.counts().passes
        return count

    @passes.setter
    def passes(self, count: int) -> None:
        self.counts().passes = count

    @property
    def steps(self) -> Counter[str]:
        """Number of runs of each layer."""
        steps: Counter[str] = self.counts().steps
        return steps

    @steps.setter
    def steps(self, steps: Counter[str]) -> None:
        self.counts().steps = steps

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, 8, 8)."""
        self.passes += 1
        self.started.set()
        if not self.gate.wait(patience(60)):
            raise TimeoutError("the test never opened the gate")
        for name in ("first", "relu", "second"):
            self.steps[name] += 1
            images = self.get_submodule(name)(images)
        scores: Tensor = self.last(self.last(images.mean((2, 3))))
        return scores


class Failing(nn.Module):
    """Fails on every picture that is not plain grey; the survey's picture is."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Identity()

    def forward(self, images: Tensor) -> Tensor:
        """Return the images (N, 3, 8, 8), if they are one colour."""
        if images.std() > 0:
            raise ZeroDivisionError("this picture is not plain")
        plain: Tensor = self.layer(images)
        return plain


def prepare(image: Image.Image) -> Tensor:
    """The input (1, 3, 8, 8), from 0 to 1."""
    pixels = np.asarray(image.resize((8, 8)), np.float32)
    return torch.from_numpy(pixels).permute(2, 0, 1)[None] / 255


def as_seen(images: Tensor) -> Image.Image:
    """The picture back from the input."""
    return Image.fromarray((images[0] * 255).round().permute(1, 2, 0).to(torch.uint8).numpy())


def subject(module: nn.Module) -> Subject:
    """The net with the way to its input and back."""
    return Subject(module, prepare, as_seen, CLASSES)


class Shelf:
    """A loader that keeps what it has loaded, in order, so that a test can reach the engine's models."""

    def __init__(self) -> None:
        self.loaded: list[tuple[str, nn.Module]] = []

    def __call__(self, model: str, weights: str) -> Subject:
        """Load a new net: ``failing``, or a counting one for any other name."""
        if model == "absent":
            raise FileNotFoundError(f"no {weights} weights for {model}")
        module = Failing() if model == "failing" else Counting()
        self.loaded.append((model, module))
        return subject(module)

    @property
    def net(self) -> Counting:
        """The net that was loaded last."""
        module = self.loaded[-1][1]
        assert isinstance(module, Counting)
        return module


def photo(seed: int) -> Photo:
    """A picture of noise, different for every seed."""
    noise = np.random.default_rng(seed).integers(0, 256, (8, 8, 3), dtype=np.uint8)
    return photograph(Image.fromarray(noise))


def wanted(picture: Photo, layer: str = "first", model: str = "counting", **more: object) -> Inspection:
    """The request for a layer."""
    return Inspection(picture.fingerprint, model, "random", layer, **more)


def by_hand(picture: Photo) -> dict[str, list[np.ndarray]]:
    """Return each layer's outputs in ``Counting``, call by call, from its weights and formulas alone."""
    net, image = Counting(), prepare(picture.image)
    with torch.no_grad():
        first = conv2d(image, net.first.weight, net.first.bias)
        relu = first.clamp_min(0)
        second = conv2d(relu, net.second.weight, net.second.bias)
        once = 1 / (1 + torch.exp(-second.mean((2, 3))))
        twice = 1 / (1 + torch.exp(-once))
    outputs = {"first": [first], "relu": [relu], "second": [second], "last": [once, twice]}
    return {name: [value.numpy() for value in calls] for name, calls in outputs.items()}
