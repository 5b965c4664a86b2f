"""Training recipes of the bundled nets, as plain values."""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from torch import nn

from ..nets.bundled import LeNet, PhotoNet
from ..nets.patchformer import PatchFormer
from ..nets.signalnet import SignalNet
from ..nets.waveforms import LENGTH

__all__ = ["RECIPES", "Recipe"]


@dataclass(frozen=True)
class Recipe:
    """Settings of a training run besides the pictures and the seed.

    ``sizes`` says which picture sides the steps draw from: pairs of the share of the run at which the entry
    ends, and the sides in pixels. Starting small saves time (a 24-pixel step costs half of a 32-pixel one),
    and ending on several sizes teaches a net with global pooling to read enlarged pictures.
    Source: Howard and Gugger, "fastai: a layered API for deep learning", 2020, progressive resizing;
    Touvron, Vedaldi, Douze and Jégou, "Fixing the train-test resolution discrepancy", 2019.
    """

    net: Callable[[], nn.Module]
    epochs: int
    batch: int
    optimiser: str  # "sgd" with Nesterov's momentum, or "adamw"
    rates: tuple[tuple[float, float], ...]  # (share of the run, learning rate then), straight lines between
    weight_decay: float
    label_smoothing: float
    input_side: int  # the side in pixels at which the accuracy is measured and the page shows the net
    shift: int = 0  # random crops move a picture by up to this many pixels
    cutout: int = 0  # side of the square that is blanked, 0 for none
    half: bool = True  # bfloat16 where torch's autocast chooses it
    average_from: float = 1.0  # share of the run after which the weights are averaged
    sizes: tuple[tuple[float, tuple[int, ...]], ...] = ((1.0, (32,)),)

    def signature(self, seed: int) -> str:
        """Return one line that two runs share when they train alike."""
        told = {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.name not in ("net", "input_side")
        }
        return f"{getattr(self.net, '__name__', self.net)} {told} seed {seed}"

    def learning_rate_at(self, progress: float) -> float:
        """Return the learning rate at ``progress`` in [0, 1].

        It lies on straight lines between the ``rates``.

        Source: Smith and Topin, "Super-convergence", 2018; the restart: Loshchilov and Hutter, "SGDR", 2017.
        """
        shares, rates = zip(*self.rates, strict=True)
        return float(np.interp(progress, shares, rates))

    def sides_at(self, progress: float) -> tuple[int, ...]:
        """Return a step's possible picture sides in pixels.

        ``progress`` is in [0, 1].
        """
        return next((sides for end, sides in self.sizes if progress < end), self.sizes[-1][1])


RECIPES = {
    "signalnet": Recipe(
        net=SignalNet,
        epochs=4,
        batch=64,
        optimiser="adamw",
        rates=((0, 0), (0.2, 3e-3), (1, 0)),
        weight_decay=0.01,
        label_smoothing=0.0,
        input_side=LENGTH,
        half=False,
        sizes=((1.0, (LENGTH,)),),
    ),
    "lenet": Recipe(
        net=LeNet,
        epochs=30,
        batch=128,
        optimiser="sgd",
        rates=((0, 0), (0.2, 0.03), (1, 0)),
        weight_decay=5e-4,
        shift=2,
        cutout=0,
        label_smoothing=0.0,
        input_side=32,
        half=False,  # so small that converting to bfloat16 and back costs more than it saves
    ),
    "photonet": Recipe(
        net=PhotoNet,
        epochs=46,
        batch=128,
        optimiser="sgd",
        rates=(
            (0, 0),
            (5 / 46, 0.12),
            (22 / 46, 0.015),
            (22 / 46, 0.05),
            (30 / 46, 0.004),
            (30 / 46, 0.06),
            (40 / 46, 0.02),
            (1, 0),
        ),
        average_from=43 / 46,
        weight_decay=5e-4,
        shift=4,
        cutout=8,
        label_smoothing=0.1,
        input_side=32,
        sizes=((8 / 46, (24,)), (21 / 46, (32,)), (22 / 46, (32, 32, 48, 64)), (1.0, (32,))),
    ),
    "patchformer": Recipe(
        net=PatchFormer,
        epochs=16,
        batch=128,
        optimiser="adamw",
        rates=((0, 0), (0.15, 1.5e-3), (1, 0)),
        weight_decay=0.05,
        shift=3,
        label_smoothing=0.1,
        input_side=32,
    ),
}
