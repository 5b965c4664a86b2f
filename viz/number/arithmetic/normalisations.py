"""One number of a normalisation: (x − mean) ÷ deviation, times a weight, plus a bias."""

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.instancenorm import _InstanceNorm

from ...sentences import Sentence
from .explanation import Explanation, bracketed, doubles, number, short


def batch_norm(layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a batch or instance normalisation.

    Running statistics are used if there are any, as in eval mode; otherwise those of the input itself, over
    the batch (batch normalisation) or over one picture (instance normalisation).

    Source: Ioffe and Szegedy, Batch normalization (2015), algorithm 2.
    """
    axis = _channel_axis(layer, inputs)
    channel = cell[axis]
    if layer.running_mean is not None:
        mean, variance = number(layer.running_mean[channel]), number(layer.running_var[channel])
    else:
        one = isinstance(layer, _InstanceNorm)
        mean, variance = _moments(inputs[cell[: axis + 1]] if one else inputs[:, channel])
    return _normalised(layer, number(inputs[cell]), mean, variance, channel)


def _channel_axis(layer: Any, inputs: Tensor) -> int:
    """Return where the channels are: instance normalisation also takes one picture without a batch."""
    alone = isinstance(layer, _InstanceNorm) and inputs.ndim == layer._get_no_batch_dim()  # noqa: SLF001
    return 0 if alone else 1


def layer_norm(layer: nn.LayerNorm, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a layer normalisation over the last axes.

    Source: Ba, Kiros and Hinton, Layer normalization (2016), equation 3.
    """
    count = len(layer.normalized_shape)
    mean, variance = _moments(inputs[cell[:-count]])
    return _normalised(layer, number(inputs[cell]), mean, variance, cell[-count:])


def channel_norm(layer: nn.LayerNorm, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a layer normalisation over the channels of (N, C, …)."""
    mean, variance = _moments(inputs.movedim(1, -1)[(cell[0], *cell[2:])])
    return _normalised(layer, number(inputs[cell]), mean, variance, cell[1])


def group_norm(layer: nn.GroupNorm, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a group normalisation.

    Source: Wu and He, Group normalization (2018), equation 7.
    """
    size = layer.num_channels // layer.num_groups
    first = cell[1] // size * size
    mean, variance = _moments(inputs[cell[0], first : first + size])
    return _normalised(layer, number(inputs[cell]), mean, variance, cell[1])


def rms_norm(layer: nn.RMSNorm, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a normalisation by the root of the mean square.

    Source: Zhang and Sennrich, Root mean square layer normalization (2019), equation 4.
    """
    count = len(layer.normalized_shape)
    square = float(doubles(inputs[cell[:-count]]).square().mean())
    epsilon = layer.eps if layer.eps is not None else torch.finfo(inputs.dtype).eps
    value, gain = number(inputs[cell]), _entry(layer.weight, cell[-count:], 1.0)
    total = _divided(value, math.sqrt(square + epsilon)) * gain
    return Explanation(
        "normalisation",
        Sentence("x ÷ √(mean square + eps) × weight"),
        f"{short(value)} ÷ √({short(square)} + {short(epsilon)}) × {bracketed(gain)} = {short(total)}",
        total,
        abs(total),
        numbers=(("x", value), ("mean square", square), ("eps", epsilon), ("weight", gain)),
    )


def _moments(values: Tensor) -> tuple[float, float]:
    """Return mean and variance, the latter as a mean square as well."""
    known = doubles(values)
    return float(known.mean()), float(known.var(correction=0))


def _normalised(layer: Any, value: float, mean: float, variance: float, place: Any) -> Explanation:
    gain, shift = _entry(layer.weight, place, 1.0), _entry(layer.bias, place, 0.0)
    deviation = math.sqrt(variance + layer.eps)
    total = _divided(value - mean, deviation) * gain + shift
    text = (
        f"({short(value)} − {bracketed(mean)}) ÷ √({short(variance)} + {short(layer.eps)}) "
        f"× {bracketed(gain)} + {bracketed(shift)} = {short(total)}"
    )
    numbers = (("x", value), ("mean", mean), ("variance", variance), ("eps", layer.eps))
    return Explanation(
        "normalisation",
        Sentence("(x − mean) ÷ √(variance + eps) × weight + bias"),
        text,
        total,
        _divided(abs(value) + abs(mean), deviation) * abs(gain) + abs(shift),
        numbers=(*numbers, ("weight", gain), ("bias", shift)),
    )


def _divided(number: float, by: float) -> float:
    return number / by if by else math.nan


def _entry(values: Tensor | None, place: Any, otherwise: float) -> float:
    return otherwise if values is None else number(values[place])
