"""One number of a convolution: patches times weights, plus a bias."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from ...findings.explanation import Explanation, Patch
from ...receptive.windows import Slide, Tap, padding_to_same, taps, transposed_taps
from ...sentences import Sentence, counted
from .explanation import doubles, number, short

Convolution = nn.Conv1d | nn.Conv2d | nn.Conv3d | nn.ConvTranspose1d | nn.ConvTranspose2d | nn.ConvTranspose3d
CONVOLUTIONS = (nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)

STANDARDISED = frozenset({"StdConv2d", "StdConv2dSame", "ScaledStdConv2d", "ScaledStdConv2dSame"})
"""Convolutions of timm that bring their weights to mean 0 and deviation 1 first, by their classes' names."""
SAME_CONVOLUTIONS = frozenset({"Conv2dSame", "StdConv2dSame", "ScaledStdConv2dSame"})
"""Those of timm that pad as TensorFlow does."""


class _CellPatches(NamedTuple):
    """One cell's patches and weights, both (channels, *window)."""

    first: int
    patches: Tensor
    weights: Tensor
    axes: list[tuple[Tap, ...]]
    length: tuple[int, ...]


def convolution(
    layer: Convolution, inputs: Tensor, cell: tuple[int, ...], channel: int | None = None
) -> Explanation:
    """Return the explanation of one cell of a convolution, transposed ones included.

    Source: Dumoulin and Visin, A guide to convolution arithmetic for deep learning (2016), section 2.
    """
    seen = _seen(layer, inputs, cell)
    products = seen.patches * seen.weights
    sums = products.flatten(1).sum(1)
    bias = 0.0 if layer.bias is None else number(layer.bias[_out_channel(layer, cell)])
    total = float(sums.sum()) + bias
    if not products[0].numel():
        return _unreached(layer, bias)
    chosen = int(sums.abs().argmax()) if channel is None else channel - seen.first
    return Explanation(
        "convolution",
        _formula(products, biased=layer.bias is not None),
        _text(sums, bias if layer.bias is not None else None, total),
        total,
        float(products.abs().sum()) + abs(bias) + _standardising(layer, seen),
        numbers=() if layer.bias is None else (("bias", bias),),
        patch=_patch(seen, chosen) if 0 <= chosen < len(sums) else None,
        channels=tuple((seen.first + at, number(part)) for at, part in enumerate(sums)),
    )


def _standardising(layer: Convolution, seen: _CellPatches) -> float:
    """Return the rounding that standardised weights add to the magnitude."""
    if type(layer).__name__ not in STANDARDISED:
        return 0.0
    return float(seen.patches.abs().sum() * seen.weights.square().mean().sqrt())


def _unreached(layer: Convolution, bias: float) -> Explanation:
    """Return the explanation of a cell that no input reaches."""
    if layer.bias is None:
        return Explanation("convolution", Sentence("0, for no input reaches this place"), "0", 0.0, 0.0)
    return Explanation(
        "convolution",
        Sentence("the bias alone, for no input reaches this place"),
        f"{short(bias)} (bias)",
        bias,
        abs(bias),
        numbers=(("bias", bias),),
    )


def _formula(products: Tensor, *, biased: bool) -> Sentence:
    over = {
        "channels": counted("one channel", "{count} channels", count=len(products)),
        "places": counted("one place", "{count} places", count=products[0].numel()),
    }
    if biased:
        return Sentence("Σ over {channels} and {places}: input × weight + bias", **over)
    return Sentence("Σ over {channels} and {places}: input × weight", **over)


def _seen(layer: Convolution, inputs: Tensor, cell: tuple[int, ...]) -> _CellPatches:
    count = len(layer.kernel_size)
    image = inputs[cell[0]] if inputs.ndim == count + 2 else inputs
    first, _, kernels = filter_weights(layer, cell)
    axes = [_taps(layer, axis, place, image.shape[axis + 1]) for axis, place in enumerate(cell[-count:])]
    patches = image[first : first + len(kernels)].detach()
    weights = doubles(kernels)
    for axis, met in enumerate(axes, 1):
        patches = _covered(patches, axis, [tap.place for tap in met], layer.padding_mode)
        weights = weights.index_select(axis, torch.tensor([tap.entry for tap in met], dtype=torch.long))
    return _CellPatches(first, doubles(patches), weights, axes, tuple(image.shape[1:]))


def _out_channel(layer: Convolution, cell: tuple[int, ...]) -> int:
    return cell[-len(layer.kernel_size) - 1]


def filter_weights(layer: Convolution, cell: tuple[int, ...]) -> tuple[int, int, Tensor]:
    """Return a cell's first input channel, its own channel, and its weights.

    The weights are (channels of the group, *kernel), as the layer keeps them.
    """
    out, per_group = _out_channel(layer, cell), layer.in_channels // layer.groups
    group, within = divmod(out, layer.out_channels // layer.groups)
    first = group * per_group
    if not layer.transposed:
        return first, out, _kernels(layer, out)
    return first, out, layer.weight[first : first + per_group, within]


def _kernels(layer: Any, out: int) -> Tensor:
    """Return the weights of one channel, standardised if the layer does so.

    Source: Qiao et al., Micro-batch training with batch-channel normalization and weight standardization
    (2019), equation 4; Brock, De and Smith, Characterizing signal propagation (2021), equation 4.
    """
    kernels: Tensor = layer.weight[out]
    if type(layer).__name__ not in STANDARDISED:
        return kernels
    kept = doubles(kernels)
    variance, mean = torch.var_mean(kept, correction=0)
    gain = number(layer.gain[out]) * layer.scale if hasattr(layer, "gain") else 1.0
    standardised: Tensor = (kept - mean) / (variance + layer.eps).sqrt() * gain
    return standardised


def _taps(layer: Convolution, axis: int, place: int, length: int) -> tuple[Tap, ...]:
    kernel, stride, dilation = layer.kernel_size[axis], layer.stride[axis], layer.dilation[axis]
    slide = Slide(kernel, stride, _padding(layer, axis, length), dilation)
    return transposed_taps(place, slide) if layer.transposed else taps(place, slide)


def _padding(layer: Convolution, axis: int, length: int) -> int:
    """Return the padding in front of an axis."""
    if type(layer).__name__ in SAME_CONVOLUTIONS and getattr(layer, "same_pad", True):
        return padding_to_same(length, layer.kernel_size[axis], layer.stride[axis], layer.dilation[axis])[0]
    if isinstance(layer.padding, str):
        same = layer.dilation[axis] * (layer.kernel_size[axis] - 1) // 2
        return same if layer.padding == "same" else 0
    return int(layer.padding[axis])


def _covered(image: Tensor, axis: int, places: Sequence[int], mode: str) -> Tensor:
    """Return the padded image at these places along an axis."""
    length = image.shape[axis]
    inside = [_within(place, length, mode) for place in places]
    found = image.index_select(axis, _places(inside, image))
    shape = [1] * image.ndim
    shape[axis] = len(places)
    there = torch.tensor([place is not None for place in inside], dtype=torch.bool).view(shape)
    return torch.where(there.to(image.device), found, 0.0)


def _places(inside: Sequence[int | None], image: Tensor) -> Tensor:
    return torch.tensor([place or 0 for place in inside], dtype=torch.long, device=image.device)


def _within(place: int, length: int, mode: str) -> int | None:
    """Return the input's place that fills this one; None for zeros."""
    if 0 <= place < length:
        return place
    if mode == "circular":
        return place % length
    if mode == "replicate":
        return min(max(place, 0), length - 1)
    if mode == "reflect":
        return -place if place < 0 else 2 * (length - 1) - place
    return None


def _patch(seen: _CellPatches, chosen: int) -> Patch:
    values, weights = seen.patches[chosen].flatten(), seen.weights[chosen].flatten()
    return Patch(
        seen.first + chosen,
        tuple(tuple(tap.place for tap in met) for met in seen.axes),
        seen.length,
        tuple(values.tolist()),
        tuple(weights.tolist()),
        float((values * weights).sum()),
    )


def _text(sums: Tensor, bias: float | None, total: float) -> str:
    shown = [short(part) for part in sums[:8].tolist()]
    more = [f"… ({len(sums) - 8} more channels)"] if len(sums) > 8 else []  # noqa: PLR2004  (one line's worth)
    ending = [] if bias is None else [f"{short(bias)} (bias)"]
    return f"{' + '.join([*shown, *more, *ending])} = {short(total)}"
