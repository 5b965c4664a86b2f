"""Random waveforms to learn from, and a waveform as a picture."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

__all__ = ["KINDS", "LENGTH", "strip", "waveform"]

LENGTH = 256  # values in a waveform

Signal = NDArray[np.float32]
Time = NDArray[np.float64]


def _chirp(cycles: Time, time: Time) -> Time:
    """Return a sine whose frequency rises by twenty cycles."""
    return np.asarray(np.sin(2 * np.pi * (cycles + 10 * time**2)))


# Each computes its values from the cycles completed (including the phase) and the time from 0 to 1.
_SHAPES: dict[str, Callable[[Time, Time], Time]] = {
    "sine": lambda cycles, _: np.sin(2 * np.pi * cycles),
    "square": lambda cycles, _: np.where(cycles % 1 < 0.5, 1.0, -1.0),  # noqa: PLR2004  # half of each cycle
    "sawtooth": lambda cycles, _: 2 * (cycles % 1) - 1,
    "triangle": lambda cycles, _: 4 * np.abs(cycles % 1 - 0.5) - 1,
    "chirp": _chirp,
    "pulses": lambda cycles, _: np.where(cycles % 1 < 0.1, 1.0, -0.2),  # noqa: PLR2004  # a tenth of each cycle
    "ringing": lambda cycles, time: np.exp(-4 * time) * np.sin(2 * np.pi * cycles),
    "noise": lambda cycles, _: np.zeros_like(cycles),  # see _HISS
}
KINDS = tuple(_SHAPES)
_HISS = 0.4  # the standard deviation of the waveform that is only noise


def waveform(kind: str, random: np.random.Generator) -> Signal:
    """Return a random waveform (256,) of a kind, float32 in [-1, 1].

    Chance sets its frequency, phase, height and noise.

    Raises:
        KeyError: ``kind`` is not one of ``KINDS``.
    """
    time = np.arange(LENGTH) / LENGTH
    cycles = random.uniform(3, 12) * time + random.uniform()
    noise = _HISS if kind == "noise" else random.uniform(0, 0.08)
    values = random.uniform(0.5, 1) * _SHAPES[kind](cycles, time) + random.normal(0, noise, LENGTH)
    return np.clip(values, -1, 1).astype(np.float32)


def strip(signal: Signal, height: int = 32) -> Image.Image:
    """Return a waveform (L,) as a picture, bright where it is high.

    A column is black at −1 and white at 1. That is how a waveform travels like any photo, and how any photo
    can be read as a waveform.
    """
    row = np.round((np.clip(signal, -1, 1) + 1) * 127.5).astype(np.uint8)
    return Image.fromarray(np.broadcast_to(row, (height, len(row))).copy(), "L").convert("RGB")
