"""An activation as a curve over the range of its input."""

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..answers.number import Curve
from ..number.breakdown_facts import json_number
from ..number.taken import LayerCall

_POINTS = 121
_AROUND = 0.05  # of the range, on either side
_LEAST = 1.0  # so that a map of one number has a curve too


def curve(taken: LayerCall, numbers: NDArray[np.int64], cell: tuple[int, ...]) -> Curve | None:
    """Return the function that a layer applies to each number alone.

    None if it needs more than that number.

    Args:
        taken: a call of an activation.
        numbers: which number of the value, counted flat, is at each place of the map.
        cell: one of them, by its index along every axis: some layers have a slope for each channel.
    """
    given = taken.given
    if given is None or given.shape != taken.value.shape:
        return None
    low, high = _range(given, numbers)
    x = torch.linspace(low, high, _POINTS, dtype=torch.float64)
    totals = _values(taken, x, cell[1] if len(cell) > 1 else 0)
    return Curve(x=tuple(x.tolist()), y=tuple(map(json_number, totals)))


def _range(given: Tensor, numbers: NDArray[np.int64]) -> tuple[float, float]:
    places = torch.as_tensor(numbers.ravel(), device=given.device)
    values = given.detach().flatten()[places].double()
    values = values[values.isfinite()]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    low, high = min(low, -_LEAST), max(high, _LEAST)  # what is left and right of zero belongs to the function
    beyond = _AROUND * (high - low)
    return low - beyond, high + beyond


def _values(taken: LayerCall, x: Tensor, channel: int) -> list[float]:
    """Return the function at each place, for one channel."""
    rows = x.expand(1, channel + 1, len(x))
    sampled = replace(taken, inputs=(rows, *taken.inputs[1:]), keywords=dict(taken.keywords), value=rows)
    return [sampled.explained((0, channel, place)).total for place in range(len(x))]
