"""A one-dimensional convolution net that tells waveforms apart."""

from collections import OrderedDict

from torch import nn

from .waveforms import KINDS

__all__ = ["SignalNet"]


class SignalNet(nn.Sequential):
    """Convolutional net: signals (N, 1, L) to logits (N, classes).

    L is 16 or more. ``features`` is a plain ``Sequential``, so its layers also have numbers for names:
    ``features.2``.
    """

    def __init__(self, classes: int = len(KINDS)) -> None:
        features = nn.Sequential(
            nn.Conv1d(1, 16, 9, padding=4),  # (N, 16, L)
            nn.ReLU(),
            nn.Conv1d(16, 32, 9, stride=2, padding=4),  # (N, 32, L/2)
            nn.ReLU(),
            nn.Conv1d(32, 64, 9, stride=2, padding=4),  # (N, 64, L/4)
            nn.BatchNorm1d(64),
            nn.MaxPool1d(2),  # (N, 64, L/8)
            nn.ReLU(),
        )
        super().__init__(
            OrderedDict(
                features=features,
                pool=nn.AdaptiveAvgPool1d(1),
                flatten=nn.Flatten(),
                fc=nn.Linear(64, classes),
            )
        )
