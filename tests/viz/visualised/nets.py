"""Nets of which it is known what they want to see, and how pictures are prepared for them."""

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn

from viz.hooks.activations import LayerActivations
from viz.pictures.subject import Subject
from viz.request.optimised import OptimisationSettings, Wish
from viz.visualised.inputs import inputs_of
from viz.visualised.study import Layer, OptimisedPictures

SIDE = 16


def prepare(image: Image.Image) -> Tensor:
    """From 0 … 255 to −1 … 3, another range than any real net's."""
    small = image.resize((SIDE, SIDE))
    return torch.from_numpy(np.array(small)).permute(2, 0, 1)[None].float() / 255 * 4 - 1


def subject_of(net: nn.Module) -> Subject:
    """A net with this preparation."""
    return Subject(net, prepare, lambda _: Image.new("RGB", (SIDE, SIDE)))


def wants_red() -> nn.Sequential:
    """Channel 0 is red without green and blue, channel 1 its opposite; then something that must not run."""
    layer = nn.Conv2d(3, 2, 1, bias=False)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.0, -1.0, -1.0], [-1.0, 1.0, 1.0]])[:, :, None, None])
    return nn.Sequential(layer, Forbidden())


def wants_edges() -> nn.Sequential:
    """Channel 0 is large where a row is brighter than the one above it, channel 1 likewise of columns."""
    layer = nn.Conv2d(3, 2, (2, 2), bias=False)
    with torch.no_grad():
        layer.weight.zero_()
        layer.weight[0, :, 0], layer.weight[0, :, 1] = -1.0, 1.0
        layer.weight[1, :, :, 0], layer.weight[1, :, :, 1] = -1.0, 1.0
    return nn.Sequential(layer)


def dead(bias: float = -7.0) -> nn.Sequential:
    """Wants red, behind a ReLU that no grey picture comes through."""
    layer = nn.Conv2d(3, 1, 1)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[8.0, -1.0, -1.0]])[:, :, None, None])
        layer.bias.fill_(bias)
    return nn.Sequential(layer, nn.ReLU(inplace=True))


class Forbidden(nn.Module):
    """Raises as soon as it runs."""

    def forward(self, _: Tensor) -> Tensor:
        """Raise."""
        raise AssertionError("the pass went on behind the layer")


def begun(net: nn.Module, wish: Wish, rectifiers: tuple[str, ...] = (), **making: object) -> tuple:
    """Pictures for a wish before the first step, and the net's layers."""
    layers = LayerActivations(net, "cpu")
    how = OptimisationSettings(**{"steps": 120, **making})  # type: ignore[arg-type]
    layer = Layer(layers.kind(wish.layer), None, rectifiers)
    return OptimisedPictures(inputs_of(subject_of(net)), wish, how, layer), layers


def finished(net: nn.Module, wish: Wish, rectifiers: tuple[str, ...] = (), **making: object) -> np.ndarray:
    """The pictures (pictures, height, width, 3) after all steps, on a scale of 0 to 1."""
    study, layers = begun(net, wish, rectifiers, **making)
    while not study.finished:
        study.step(layers)
    return study.pictures / 255
