"""One number of a pooling: the largest value, or the mean, of a window in one channel."""

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import Any

from torch import Tensor, nn

from ...sentences import counted
from ..windows import Slide, adaptive_places, taps
from .explanation import Explanation, Patch, doubles, short

_ADAPTIVE_MAXIMA = (nn.AdaptiveMaxPool1d, nn.AdaptiveMaxPool2d, nn.AdaptiveMaxPool3d)
_ADAPTIVE_MEANS = (nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d)
_MAXIMA = (nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d, *_ADAPTIVE_MAXIMA)
_MEANS = (nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d, *_ADAPTIVE_MEANS)
POOLINGS: tuple[type[nn.Module], ...] = (*_MAXIMA, *_MEANS)
_SHOWN = 12  # values in a line of text

Axes = list[tuple[int, ...]]


def pooling(layer: Any, inputs: Tensor, output: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a maximum or mean pooling, adaptive ones included."""
    count = next(place % 3 + 1 for place, kind in enumerate(POOLINGS) if isinstance(layer, kind))
    channel = doubles(inputs[cell[:-count]])
    axes = [
        _places(layer, axis, channel.shape[axis], output.shape[axis - count], cell[axis - count])
        for axis in range(count)
    ]
    places = list(itertools.product(*axes))
    values = tuple(_value(channel, place) for place in places)
    found = _maximum if isinstance(layer, _MAXIMA) else _mean
    explained = found(values, _divisor(layer, axes, channel.shape))
    patch = Patch(cell[-count - 1], tuple(axes), tuple(channel.shape), values, (), explained.total)
    won = [place for place, value in zip(places, values, strict=True) if value == explained.total]
    source = (*cell[:-count], *won[0]) if won and found is _maximum else None
    return dataclasses.replace(explained, patch=patch, source=source)


def _maximum(values: Sequence[float | None], divisor: int) -> Explanation:
    del divisor
    known = [value for value in values if value is not None]
    lost = any(math.isnan(value) for value in known)  # NaN wins, as in torch
    total = math.nan if lost else max(known, default=-math.inf)
    text = f"max({_listed(known, ', ')}) = {short(total)}"
    return Explanation(
        "pooling",
        counted("the only value", "the largest of {count} values", count=len(known)),
        text,
        total,
        abs(total),
    )


def _mean(values: Sequence[float | None], divisor: int) -> Explanation:
    known = [value for value in values if value is not None]
    total = sum(known) / divisor if divisor else math.nan
    text = f"({_listed(known, ' + ')}) ÷ {divisor} = {short(total)}"
    magnitude = sum(map(abs, known)) / abs(divisor or 1)
    formula = counted(
        "one value ÷ {divisor}", "the sum of {count} values ÷ {divisor}", count=len(known), divisor=divisor
    )
    return Explanation("pooling", formula, text, total, magnitude, numbers=(("divisor", float(divisor)),))


def _listed(known: Sequence[float], sign: str) -> str:
    more = [f"… ({len(known) - _SHOWN} more)"] if len(known) > _SHOWN else []
    return sign.join([*map(short, known[:_SHOWN]), *more])


def _places(layer: Any, axis: int, length: int, outputs: int, place: int) -> tuple[int, ...]:
    """Return the places of a window along one axis, including those in the padding."""
    if isinstance(layer, (*_ADAPTIVE_MAXIMA, *_ADAPTIVE_MEANS)):
        return adaptive_places(place, length, outputs)
    kernel, padding = _side(layer.kernel_size, axis), _side(layer.padding, axis)
    stride, dilation = _side(layer.stride, axis), _side(getattr(layer, "dilation", 1), axis)
    return tuple(tap.place for tap in taps(place, Slide(kernel, stride, padding, dilation)))


def _side(setting: int | Sequence[int], axis: int) -> int:
    return setting if isinstance(setting, int) else setting[axis if len(setting) > 1 else 0]


def _value(channel: Tensor, place: tuple[int, ...]) -> float | None:
    inside = all(0 <= at < length for at, length in zip(place, channel.shape, strict=True))
    return float(channel[place]) if inside else None


def _divisor(layer: Any, axes: Axes, length: Sequence[int]) -> int:
    """Return what a mean is divided by: padding counts if the layer says so, places beyond it never do."""
    if getattr(layer, "divisor_override", None):
        return int(layer.divisor_override)
    counted = getattr(layer, "count_include_pad", False)
    beyond = [_side(layer.padding, axis) if counted else 0 for axis in range(len(axes))]
    return math.prod(
        sum(-pad <= place < size + pad for place in places)
        for places, size, pad in zip(axes, length, beyond, strict=True)
    )
