"""Models for a sweep, each with a hazard for the process that looks at it."""

import os
import signal
import time

import torch
from torch import nn

from tests.viz.subjects import subject
from viz.pictures.subject import Subject

LOADER = f"{__name__}:load"


class Raising(nn.Module):
    """Fails when it runs."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        raise ZeroDivisionError(f"at run time, of {len(images)}")


def load(model: str, weights: str) -> Subject:
    """The model, or what is wrong with it."""
    assert weights == "random"
    if model == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif model == "leaving":
        os._exit(3)
    elif model == "endless":
        time.sleep(600)
    elif model == "huge":
        torch.empty(1 << 34)
    elif model == "broken":
        raise KeyError("no such\nweights")
    elif model == "loud":
        os.write(1, b"a model that talks")
    return subject(Raising() if model == "raising" else nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()))
