"""An operator's own models that take their time for every picture but plain grey, the survey's."""

import os
import time

import torch
from torch import nn

SECONDS, STEADY_SECONDS = float(os.environ.get("SLOW_SECONDS", "2")), 0.25


class Slow(nn.Module):
    """Returns what it is given, after a while."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Wait, unless all pixels are equal."""
        if images.std((2, 3)).max() > 0.01:
            time.sleep(self.seconds)
        return images


def slow_net() -> nn.Module:
    """Two convolutions behind a layer that takes two seconds."""
    return _net(SECONDS)


def steady_net() -> nn.Module:
    """The same behind a layer that takes a quarter of a second: a pass over a folder can be watched."""
    return _net(STEADY_SECONDS)


def _net(seconds: float) -> nn.Module:
    with torch.random.fork_rng():
        torch.manual_seed(13)
        return nn.Sequential(Slow(seconds), nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 5, 3))
