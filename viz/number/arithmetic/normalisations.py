"""One number of a batch, layer, group or other normalisation."""

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.modules.instancenorm import _InstanceNorm

from ...findings.explanation import Explanation
from ...sentences import Sentence
from .explanation import bracketed, doubles, number, short


class _Moments(NamedTuple):
    """Mean and variance, with error bounds in units of one rounding step."""

    mean: float
    variance: float
    mean_error: float
    variance_error: float


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
        moments = _Moments(mean, variance, abs(mean), abs(variance))
    else:
        one = isinstance(layer, _InstanceNorm)
        moments = _moments(inputs[cell[: axis + 1]] if one else inputs[:, channel])
    return _normalised(layer, number(inputs[cell]), moments, channel)


def _channel_axis(layer: Any, inputs: Tensor) -> int:
    """Return the channels' axis: 0 without a batch, 1 otherwise."""
    alone = isinstance(layer, _InstanceNorm) and inputs.ndim == layer._get_no_batch_dim()  # noqa: SLF001
    return 0 if alone else 1


def layer_norm(layer: nn.LayerNorm, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a layer normalisation.

    The mean and the variance are those of the last axes.

    Source: Ba, Kiros and Hinton, Layer normalization (2016), equation 3.
    """
    count = len(layer.normalized_shape)
    return _normalised(layer, number(inputs[cell]), _moments(inputs[cell[:-count]]), cell[-count:])


def channel_norm(layer: nn.LayerNorm, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a layer normalisation over channels.

    The input is (N, C, …).
    """
    moments = _moments(inputs.movedim(1, -1)[(cell[0], *cell[2:])])
    return _normalised(layer, number(inputs[cell]), moments, cell[1])


def group_norm(layer: nn.GroupNorm, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a group normalisation.

    Source: Wu and He, Group normalization (2018), equation 7.
    """
    size = layer.num_channels // layer.num_groups
    first = cell[1] // size * size
    moments = _moments(inputs[cell[0], first : first + size], one_by_one=not inputs.is_contiguous())
    return _normalised(layer, number(inputs[cell]), moments, cell[1])


def rms_norm(layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a root-mean-square normalisation.

    Source: Zhang and Sennrich, Root mean square layer normalization (2019), equation 4.
    """
    count = len(layer.normalized_shape)
    return _by_mean_square(layer, inputs[cell[:-count]], number(inputs[cell]), cell[-count:])


def channel_rms_norm(layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of an RMS normalisation over channels."""
    channels = inputs.movedim(1, -1)[(cell[0], *cell[2:])]
    return _by_mean_square(layer, channels, number(inputs[cell]), cell[1])


def _by_mean_square(layer: Any, values: Tensor, value: float, place: Any) -> Explanation:
    square = float(doubles(values).square().mean())
    epsilon = layer.eps if layer.eps is not None else torch.finfo(values.dtype).eps
    gain = _entry(layer.weight, place, 1.0)
    total = _divided(value, math.sqrt(square + epsilon)) * gain
    return Explanation(
        "normalisation",
        Sentence("x ÷ √(mean square + eps) × weight"),
        f"{short(value)} ÷ √({short(square)} + {short(epsilon)}) × {bracketed(gain)} = {short(total)}",
        total,
        abs(total),
        numbers=(("x", value), ("mean square", square), ("eps", epsilon), ("weight", gain)),
    )


def local_response_norm(layer: nn.LocalResponseNorm, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a local response normalisation.

    Source: Krizhevsky, Sutskever and Hinton, ImageNet classification (2012), section 3.3; torch divides the
    sum of squares by how many channels there would be without a border.
    """
    first = max(cell[1] - layer.size // 2, 0)
    channels = inputs.movedim(1, -1)[(cell[0], *cell[2:])]
    near = channels[first : cell[1] + (layer.size - 1) // 2 + 1]
    square, value = float(doubles(near).square().sum()), number(inputs[cell])
    divisor = (layer.k + layer.alpha * square / layer.size) ** layer.beta
    total = _divided(value, divisor)
    scale = f"{short(layer.alpha)} × {short(square)} ÷ {layer.size}"
    return Explanation(
        "normalisation",
        Sentence("x ÷ (k + alpha × sum of squares ÷ size) ^ beta"),
        f"{short(value)} ÷ ({short(layer.k)} + {scale}) ^ {short(layer.beta)} = {short(total)}",
        total,
        abs(total) * (1 + abs(layer.beta)),
        numbers=(("x", value), ("sum of squares", square), ("size", float(layer.size))),
    )


def response_norm(layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a global response normalisation.

    Source: Woo et al., ConvNeXt V2 (2023), algorithm 1.
    """
    axis = layer.channel_dim % inputs.ndim
    channels = doubles(inputs[cell[0]].movedim(axis - 1, 0)).flatten(1).norm(dim=1)
    own, mean, value = number(channels[cell[axis]]), float(channels.mean()), number(inputs[cell])
    share = _divided(own, mean + layer.eps)
    gain, shift = number(layer.weight[cell[axis]]), number(layer.bias[cell[axis]])
    total = value + gain * value * share + shift
    text = (
        f"{short(value)} + {bracketed(gain)} × {bracketed(value)} × {short(own)} ÷ "
        f"({short(mean)} + {short(layer.eps)}) + {bracketed(shift)} = {short(total)}"
    )
    numbers = (("x", value), ("norm", own), ("mean norm", mean), ("eps", layer.eps))
    return Explanation(
        "normalisation",
        Sentence("x + weight × x × norm ÷ (mean norm + eps) + bias"),
        text,
        total,
        abs(value) + 3 * abs(gain * value * share) + abs(shift),
        numbers=(*numbers, ("weight", gain), ("bias", shift)),
    )


def _moments(values: Tensor, *, one_by_one: bool = False) -> _Moments:
    """Return the mean and the variance, with their errors.

    A layer adds up partial sums, or updates both moments as it goes: few roundings for each. Where
    channels are the last in memory, torch adds numbers and squares one by one, and subtracts the square
    of the mean at the end. Source: Higham and Mary, A new approach to probabilistic rounding error
    analysis (2019), theorem 2.4.
    """
    known = doubles(values)
    size, square = float(known.abs().mean()), float(known.square().mean())
    mean, variance = float(known.mean()), float(known.var(correction=0))
    if one_by_one:
        roundings = math.sqrt(known.numel())
        return _Moments(mean, variance, roundings * size, roundings * square)
    return _Moments(mean, variance, size, math.sqrt(square * variance))


def _normalised(layer: Any, value: float, moments: _Moments, place: Any) -> Explanation:
    gain, shift = _entry(layer.weight, place, 1.0), _entry(layer.bias, place, 0.0)
    mean, variance = moments.mean, moments.variance
    deviation = math.sqrt(variance + layer.eps)
    whitened = _divided(value - mean, deviation)
    total = whitened * gain + shift
    away = _divided(abs(value) + abs(mean) + moments.mean_error, deviation)
    away += abs(whitened) * _divided(moments.variance_error, 2 * (variance + layer.eps))
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
        away * abs(gain) + abs(shift),
        numbers=(*numbers, ("weight", gain), ("bias", shift)),
    )


def _divided(number: float, by: float) -> float:
    return number / by if by else math.nan


def _entry(values: Tensor | None, place: Any, otherwise: float) -> float:
    return otherwise if values is None else number(values[place])
