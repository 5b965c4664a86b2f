"""An operator's own model that takes two seconds for every picture but plain grey, the survey's."""

import time

import torch
from torch import nn

SECONDS = 2.0


class Slow(nn.Module):
    """Returns what it is given, after a while."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Wait, unless all pixels are equal."""
        if images.std((2, 3)).max() > 0.01:
            time.sleep(SECONDS)
        return images


def slow_net() -> nn.Module:
    """Two convolutions behind a layer that takes its time."""
    with torch.random.fork_rng():
        torch.manual_seed(13)
        return nn.Sequential(Slow(), nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 5, 3))
