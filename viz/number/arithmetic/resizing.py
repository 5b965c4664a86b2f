"""One number of an enlarged or reduced map: places times weights."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ...findings.explanation import Explanation, Patch
from ...receptive.windows import adaptive_places
from ...sentences import counted
from .explanation import doubles, product_text, short

_CUBIC = -0.75  # torch's choice among Keys' kernels
_SHOWN = 16  # products in a line of text
_REACH = {"linear": 1, "bilinear": 1, "trilinear": 1, "bicubic": 2}
Weights = dict[int, float]


def is_resizing(layer: nn.Module) -> bool:
    """Return whether the layer mixes neighbours, not only repeats them."""
    return isinstance(layer, nn.Upsample) and (layer.mode in _REACH or layer.mode == "area")


def resizing(layer: nn.Upsample, inputs: Tensor, output: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of an interpolation.

    Source: Keys, Cubic convolution interpolation for digital image processing (1981), equation 15.
    """
    channel = doubles(inputs[cell[:2]])
    along = [
        _weights(layer, axis, (channel.shape[axis], output.shape[axis + 2]), cell[axis + 2])
        for axis in range(channel.ndim)
    ]
    values, weights = channel, torch.ones((), dtype=torch.float64)
    for axis, known in enumerate(along):
        values = values.index_select(axis, torch.tensor(list(known)))
        weights = weights.unsqueeze(-1) * torch.tensor(list(known.values()), dtype=torch.float64)
    products = values * weights
    total = float(products.sum())
    axes = tuple(tuple(known) for known in along)
    flat = [tuple(numbers.flatten().tolist()) for numbers in (values, weights)]
    return Explanation(
        "resizing",
        counted("input × weight", "Σ over {count} places: input × weight", count=products.numel()),
        f"{_listed(flat)} = {short(total)}",
        total,
        float(products.abs().sum()) + _displaced(values, axes),
        patch=Patch(cell[1], axes, tuple(channel.shape), flat[0], flat[1], total),
        channels=((cell[1], total),),
    )


def _displaced(values: Tensor, axes: Sequence[tuple[int, ...]]) -> float:
    """Return the change of the result by roundings of its places."""
    spread = float(values.max() - values.min())
    return spread * sum(1.0 + max(places) for places in axes)


def _listed(flat: Sequence[Sequence[float]]) -> str:
    shown = [product_text(value, weight) for value, weight in zip(*flat, strict=True)][:_SHOWN]
    more = [f"… ({len(flat[0]) - _SHOWN} more)"] if len(flat[0]) > _SHOWN else []
    return " + ".join([*shown, *more])


def _weights(layer: Any, axis: int, lengths: tuple[int, int], out: int) -> Weights:
    """Return the weight of each place that has a part in ``out``."""
    length, outputs = lengths
    if layer.mode == "area":
        places = adaptive_places(out, length, outputs)
        return dict.fromkeys(places, 1 / len(places))
    reach = _REACH[layer.mode]
    centre = _centre(layer, axis, lengths, out)
    if reach == 1:
        centre = max(centre, 0.0)
    first = math.floor(centre)
    found: Weights = {}
    for away in range(1 - reach, reach + 1):  # the border stands for what lies beyond it
        place = min(max(first + away, 0), length - 1)
        found[place] = found.get(place, 0.0) + _weight(abs(centre - first - away), reach)
    return dict(sorted(found.items()))


def _centre(layer: Any, axis: int, lengths: tuple[int, int], out: int) -> float:
    """Return the middle of an output place, in places of the input."""
    length, outputs = lengths
    if layer.align_corners:
        return out * (length - 1) / (outputs - 1) if outputs > 1 else 0.0
    factor = layer.scale_factor[axis] if isinstance(layer.scale_factor, tuple) else layer.scale_factor
    kept = factor is not None and not layer.recompute_scale_factor
    return (out + 0.5) * (1 / factor if kept else length / outputs) - 0.5


def _weight(away: float, reach: int) -> float:
    if reach == 1:
        return 1 - away
    if away <= 1:
        return ((_CUBIC + 2) * away - (_CUBIC + 3)) * away * away + 1
    return ((_CUBIC * away - 5 * _CUBIC) * away + 8 * _CUBIC) * away - 4 * _CUBIC
