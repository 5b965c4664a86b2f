"""A model of somebody's own, as an operator would write it; the server of a test is told to show it."""

from typing import Any

import torch
from torch import nn

CARD = {"input_size": 40, "mean": [0, 0, 0], "std": [1, 1, 1], "classes": ["dark", "bright"]}


def edge_finder() -> tuple[nn.Module, dict[str, Any]]:
    """Two convolutions and a head, the same numbers every time."""
    with torch.random.fork_rng():
        torch.manual_seed(11)
        body = (nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 12, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        return nn.Sequential(*body, nn.Linear(12, 2)), CARD
