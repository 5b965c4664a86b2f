"""One number of a maximum, mean or power pooling."""

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from ...findings.explanation import Explanation, Patch
from ...receptive.windows import Slide, adaptive_places, padding_to_same, taps
from ...sentences import Sentence, counted
from .explanation import bracketed, doubles, short

_ADAPTIVE_MAXIMA = (nn.AdaptiveMaxPool1d, nn.AdaptiveMaxPool2d, nn.AdaptiveMaxPool3d)
_ADAPTIVE_MEANS = (nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d)
_MAXIMA = (nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d, *_ADAPTIVE_MAXIMA)
_MEANS = (nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d, *_ADAPTIVE_MEANS)
_POWERS = (nn.LPPool1d, nn.LPPool2d, nn.LPPool3d)
POOLINGS: tuple[type[nn.Module], ...] = (*_MAXIMA, *_MEANS, *_POWERS)
SAME_POOLINGS = frozenset({"AvgPool2dSame", "MaxPool2dSame"})
"""Poolings of timm that pad as TensorFlow does, by the names of their classes."""
_SHOWN = 12  # values in a line of text

Axes = list[tuple[int, ...]]


class _Window(NamedTuple):
    """Window of a pooling in one channel; its index is (*before, *axes)."""

    before: tuple[int, ...]
    axes: Axes
    length: tuple[int, ...]
    values: tuple[float | None, ...]
    divisor: int


def pooling(layer: Any, inputs: Tensor, output: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a sliding or adaptive pooling."""
    count = next(place % 3 + 1 for place, kind in enumerate(POOLINGS) if isinstance(layer, kind))
    channel = doubles(inputs[cell[:-count]])
    axes = [
        _places(layer, axis, channel.shape[axis], output.shape[axis - count], cell[axis - count])
        for axis in range(count)
    ]
    values = tuple(_value(channel, place) for place in itertools.product(*axes))
    divisor = _divisor(layer, axes, channel.shape)
    window = _Window(cell[:-count], axes, tuple(channel.shape), values, divisor)
    if isinstance(layer, _POWERS):
        return _shown(_power(window, float(layer.norm_type)), window)
    return _shown(_maximum(window) if isinstance(layer, _MAXIMA) else _mean(window), window)


def global_pooling(layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of timm's global pooling.

    It is the mean of all places, their maximum, or half of each.
    """
    pooled = sorted(axis % inputs.ndim for axis in layer.dim)
    kept = iter(at for axis, at in enumerate(cell) if layer.flatten or axis not in pooled)
    before = [slice(None) if axis in pooled else next(kept) for axis in range(inputs.ndim)]
    channel = doubles(inputs[tuple(before)])
    axes = [tuple(range(length)) for length in channel.shape]
    known = tuple(at for at in before if isinstance(at, int))
    window = _Window(known, axes, tuple(channel.shape), tuple(channel.flatten().tolist()), channel.numel())
    if type(layer).__name__ == "FastAdaptiveAvgMaxPool":
        return _halves(_mean(window), _maximum(window))
    found = _maximum if type(layer).__name__ == "FastAdaptiveMaxPool" else _mean
    return _shown(found(window), window)


def _shown(found: Explanation, window: _Window) -> Explanation:
    """Return the explanation with its window and the largest value's place."""
    axes = tuple(window.axes)
    patch = Patch(
        window.before[-1] if window.before else 0, axes, window.length, window.values, (), found.total
    )
    places = zip(itertools.product(*window.axes), window.values, strict=True)
    won = [place for place, value in places if value == found.total] if found.source is not None else []
    return dataclasses.replace(found, patch=patch, source=(*window.before, *won[0]) if won else None)


def _maximum(window: _Window) -> Explanation:
    known = [value for value in window.values if value is not None]
    lost = any(math.isnan(value) for value in known)  # NaN wins, as in torch
    total = math.nan if lost else max(known, default=-math.inf)
    return Explanation(
        "pooling",
        counted("the only value", "the largest of {count} values", count=len(known)),
        f"max({_listed(known, ', ')}) = {short(total)}",
        total,
        abs(total),
        source=window.before,
    )


def _mean(window: _Window) -> Explanation:
    known = [value for value in window.values if value is not None]
    divisor = window.divisor
    total = sum(known) / divisor if divisor else math.nan
    formula = counted(
        "one value ÷ {divisor}", "the sum of {count} values ÷ {divisor}", count=len(known), divisor=divisor
    )
    return Explanation(
        "pooling",
        formula,
        f"({_listed(known, ' + ')}) ÷ {divisor} = {short(total)}",
        total,
        sum(map(abs, known)) / abs(divisor or 1),
        numbers=(("divisor", float(divisor)),),
    )


def _power(window: _Window, exponent: float) -> Explanation:
    """Return the explanation of the root of a sum of powers.

    Torch takes the mean of the powers, times the size of the whole window, and its root.
    """
    known = torch.tensor([value for value in window.values if value is not None], dtype=torch.float64)
    if math.isinf(exponent):
        return _largest_size(known, smallest=exponent < 0)
    powers = known.pow(exponent)
    missing = math.prod(map(len, window.axes)) / window.divisor
    mean_power = powers.sum() * missing
    total = float(mean_power.pow(1 / exponent))
    spread = float(powers.abs().sum() / powers.sum().abs()) if powers.sum() else 1.0
    power = short(exponent)
    terms = [f"{bracketed(value)}^{power}" for value in known.tolist()[:_SHOWN]]
    more = [f"… ({len(known) - _SHOWN} more)"] if len(known) > _SHOWN else []
    scaled = "" if missing == 1 else f" × {short(missing)}"
    return Explanation(
        "pooling",
        Sentence("the sum of the powers of {count} values ^ (1 ÷ {power})", count=len(known), power=power),
        f"(({' + '.join([*terms, *more])}){scaled}) ^ (1 ÷ {bracketed(exponent)}) = {short(total)}",
        total,
        abs(total) * (1 + spread * (1 + abs(exponent)) / abs(exponent)),
        numbers=(("power", exponent),),
    )


def _largest_size(known: Tensor, *, smallest: bool) -> Explanation:
    """Return the limit for infinite powers: the largest or smallest absolute value."""
    total = float(known.abs().min() if smallest else known.abs().max())
    formula = Sentence("the smallest absolute value") if smallest else Sentence("the largest absolute value")
    text = f"{'min' if smallest else 'max'}|{_listed(known.tolist(), ', ')}| = {short(total)}"
    return Explanation("pooling", formula, text, total, abs(total))


def _halves(mean: Explanation, maximum: Explanation) -> Explanation:
    total = 0.5 * mean.total + 0.5 * maximum.total
    return Explanation(
        "addition",
        Sentence("half the mean + half the largest value"),
        f"0.5 × {bracketed(mean.total)} + 0.5 × {bracketed(maximum.total)} = {short(total)}",
        total,
        0.5 * (mean.magnitude + maximum.magnitude),
        numbers=(("mean", mean.total), ("largest", maximum.total)),
    )


def _listed(known: Sequence[float], sign: str) -> str:
    more = [f"… ({len(known) - _SHOWN} more)"] if len(known) > _SHOWN else []
    return sign.join([*map(short, known[:_SHOWN]), *more])


def _places(layer: Any, axis: int, length: int, outputs: int, place: int) -> tuple[int, ...]:
    """Return a window's places along one axis, padding included."""
    if isinstance(layer, (*_ADAPTIVE_MAXIMA, *_ADAPTIVE_MEANS)):
        return adaptive_places(place, length, outputs)
    kernel, padding = _side(layer.kernel_size, axis), _padding(layer, axis, length)[0]
    stride, dilation = _stride(layer, axis), _side(getattr(layer, "dilation", 1), axis)
    return tuple(tap.place for tap in taps(place, Slide(kernel, stride, padding, dilation)))


def _stride(layer: Any, axis: int) -> int:
    return _side(layer.kernel_size if layer.stride is None else layer.stride, axis)


def _padding(layer: Any, axis: int, length: int) -> tuple[int, int]:
    """Return the padding before and after an axis, in places."""
    if type(layer).__name__ in SAME_POOLINGS:
        dilation = _side(getattr(layer, "dilation", 1), axis)
        return padding_to_same(length, _side(layer.kernel_size, axis), _stride(layer, axis), dilation)
    side = _side(getattr(layer, "padding", 0), axis)
    return side, side


def _side(setting: int | Sequence[int], axis: int) -> int:
    return setting if isinstance(setting, int) else setting[axis if len(setting) > 1 else 0]


def _value(channel: Tensor, place: tuple[int, ...]) -> float | None:
    inside = all(0 <= at < length for at, length in zip(place, channel.shape, strict=True))
    return float(channel[place]) if inside else None


def _divisor(layer: Any, axes: Axes, length: Sequence[int]) -> int:
    """Return a mean's divisor; padding counts if the layer includes it."""
    if getattr(layer, "divisor_override", None):
        return int(layer.divisor_override)
    counted = getattr(layer, "count_include_pad", False) or type(layer).__name__ in SAME_POOLINGS
    beyond = [_padding(layer, axis, size) if counted else (0, 0) for axis, size in enumerate(length)]
    return math.prod(
        sum(-before <= place < size + after for place in places)
        for places, size, (before, after) in zip(axes, length, beyond, strict=True)
    )
