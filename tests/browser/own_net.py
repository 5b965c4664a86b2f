"""An operator's own model; a test tells its server to show it."""

from typing import Any

import torch
from torch import nn

CARD = {"input_size": 40, "mean": [0, 0, 0], "std": [1, 1, 1], "classes": ["dark", "bright"]}


class Spectrum(nn.Module):
    """The Fourier transform of each channel, which is complex."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the spectrum of ``images``, in their shape."""
        return torch.fft.fft2(images)


class Magnitude(nn.Module):
    """Strength of each frequency."""

    def forward(self, spectrum: torch.Tensor) -> torch.Tensor:
        """Return the absolute values of ``spectrum``."""
        return spectrum.abs()


def spectral() -> tuple[nn.Module, dict[str, Any]]:
    """A net that works on frequencies."""
    with torch.random.fork_rng():
        torch.manual_seed(12)
        head = (nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(12, 2))
        return nn.Sequential(Spectrum(), Magnitude(), *head), CARD


def edge_finder() -> tuple[nn.Module, dict[str, Any]]:
    """Two convolutions and a head, the same numbers every time."""
    with torch.random.fork_rng():
        torch.manual_seed(11)
        body = (nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 12, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        return nn.Sequential(*body, nn.Linear(12, 2)), CARD
