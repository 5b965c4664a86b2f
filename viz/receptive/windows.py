"""Window of one output place on a layer's input, along one axis.

Shared by receptive fields (where does a number come from?) and by the arithmetic (what was multiplied?).
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

Places = tuple[int, ...]


class Slide(NamedTuple):
    """Settings of a window that slides along one axis."""

    kernel: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1


class Tap(NamedTuple):
    """One place of the input, and its entry of the kernel."""

    place: int
    entry: int


def taps(out: int, slide: Slide) -> tuple[Tap, ...]:
    """Return the taps of a sliding window at output place ``out``.

    Places outside the input are padding.

    Source: Dumoulin and Visin, A guide to convolution arithmetic for deep learning (2016), section 2.
    """
    start = out * slide.stride - slide.padding
    return tuple(Tap(start + entry * slide.dilation, entry) for entry in range(slide.kernel))


def transposed_taps(out: int, slide: Slide) -> tuple[Tap, ...]:
    """Return the taps of a transposed convolution at output place ``out``.

    Input place i spreads to i · stride − padding + entry · dilation. Source: as ``taps``, section 4.
    """
    reached = ((out + slide.padding - entry * slide.dilation, entry) for entry in range(slide.kernel))
    return tuple(Tap(far // slide.stride, entry) for far, entry in reached if far % slide.stride == 0)


def padding_to_same(length: int, kernel: int, stride: int, dilation: int) -> tuple[int, int]:
    """Return the padding that gives an axis length ÷ stride places.

    It goes before and after the axis; the quotient is rounded up. TensorFlow calls it "SAME". Where it is
    odd, the larger half is at the end.
    """
    outputs = -(-length // stride)
    whole = max((outputs - 1) * stride + (kernel - 1) * dilation + 1 - length, 0)
    return whole // 2, whole - whole // 2


def centre(out: int, slide: Slide) -> float:
    """Return the middle of a sliding window, in places of the input.

    It may lie between two places or in the padding.
    """
    return out * slide.stride - slide.padding + slide.dilation * (slide.kernel - 1) / 2


def transposed_centre(out: int, slide: Slide) -> float:
    """Return the input place whose transposed window is centred at ``out``."""
    return (out + slide.padding - slide.dilation * (slide.kernel - 1) / 2) / slide.stride


def resampled_centre(out: int, step: float, *, corners: bool) -> float:
    """Return the input position of place ``out`` on a resized axis.

    The arguments are those of ``resampled_places``.
    """
    return out * step if corners else (out + 0.5) * step - 0.5


def adaptive_places(out: int, length: int, outputs: int) -> Places:
    """Return the places that adaptive pooling gathers for place ``out``."""
    start, end = out * length // outputs, -(-(out + 1) * length // outputs)
    return tuple(range(start, end))


@lru_cache(maxsize=256)
def sliding_places(length: int, outputs: int, slide: Slide) -> tuple[Places, ...]:
    """Return the input places in the window of every output place.

    Places outside the input of ``length`` are left out.
    """
    return _inside(length, outputs, lambda out: taps(out, slide))


@lru_cache(maxsize=64)
def transposed_places(length: int, outputs: int, slide: Slide) -> tuple[Places, ...]:
    """Return a transposed convolution's input places, for every output place."""
    return _inside(length, outputs, lambda out: transposed_taps(out, slide))


@lru_cache(maxsize=64)
def adaptive_windows(length: int, outputs: int) -> tuple[Places, ...]:
    """Return an adaptive pooling's input places, for every output place."""
    return tuple(adaptive_places(out, length, outputs) for out in range(outputs))


@lru_cache(maxsize=64)
def resampled_places(
    length: int, outputs: int, step: float, reach: int, *, corners: bool
) -> tuple[Places, ...]:
    """Return a resized axis's input places, for every output place.

    Args:
        length: places of the input.
        outputs: places of the output.
        step: input places for each output place.
        reach: 0 for the nearest place, 1 for linear and 2 for cubic interpolation.
        corners: whether the first and last places of both axes coincide; otherwise their pixels' edges do.
    """
    return tuple(_resampled(out, length, step, reach, corners=corners) for out in range(outputs))


def _resampled(out: int, length: int, step: float, reach: int, *, corners: bool) -> Places:
    if reach == 0:
        return (min(int(np.float32(out) * np.float32(step)), length - 1),)  # PyTorch rounds like this
    middle = resampled_centre(out, step, corners=corners)
    if reach == 1:
        middle = max(middle, 0.0)
    first = math.floor(middle)
    on_a_place = math.isclose(middle, first, abs_tol=1e-9)  # then the neighbours have no weight
    span = range(1) if on_a_place else range(1 - reach, reach + 1)
    return tuple(sorted({min(max(first + away, 0), length - 1) for away in span}))


def _inside(length: int, outputs: int, found: Callable[[int], Sequence[Tap]]) -> tuple[Places, ...]:
    return tuple(tuple(tap.place for tap in found(out) if 0 <= tap.place < length) for out in range(outputs))
