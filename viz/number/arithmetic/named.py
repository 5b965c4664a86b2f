"""Explanations of other libraries' layers, by the names of their classes.

None of these libraries is imported. A class may have the same name and compute something else: so an
explanation of a class of unknown origin counts only if it agrees with the layer's output, at the cell and at
others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from ...findings.explanation import Explanation
from ...sentences import Sentence
from .activations import NAMED, activation, is_activation, prelu
from .attention import dot_product
from .convolutions import SAME_CONVOLUTIONS, STANDARDISED, convolution
from .explanation import judged
from .moves import MOVES_BY_NAME, move
from .normalisations import (
    batch_norm,
    channel_norm,
    channel_rms_norm,
    group_norm,
    layer_norm,
    response_norm,
    rms_norm,
)
from .poolings import SAME_POOLINGS, global_pooling, pooling
from .products import linear, scaled

Explains = Callable[[Any, Tensor, tuple[int, ...]], Explanation]
Place = Callable[[tuple[int, ...]], Explanation]

# Errors of strange classes.
_STRANGE = (ArithmeticError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError)
_STEEPEST = 1.5  # no activation that nets use changes faster than its input by more
_GIVEN = 3  # queries, keys and values; a mask may follow
_PROBES = 6  # other cells at which an explanation must agree

_NORMALISATIONS: dict[str, Explains] = {
    "LayerNorm": layer_norm,
    "LayerNormFp32": layer_norm,
    "LayerNorm2d": channel_norm,
    "LayerNorm2dFp32": channel_norm,
    "LayerNormExp2d": channel_norm,
    "GroupNorm": group_norm,
    "GroupNorm1": group_norm,
    "FrozenBatchNorm2d": batch_norm,
    "RmsNorm": rms_norm,
    "RmsNormFp32": rms_norm,
    "RmsNorm2d": channel_rms_norm,
    "RmsNorm2dFp32": channel_rms_norm,
    "GlobalResponseNorm": response_norm,
}
_NORMALISED_FIRST: dict[str, Explains] = {
    "BatchNormAct2d": batch_norm,
    "FrozenBatchNormAct2d": batch_norm,
    "GroupNormAct": group_norm,
    "GroupNorm1Act": group_norm,
    "LayerNormAct": layer_norm,
    "LayerNormActFp32": layer_norm,
    "LayerNormAct2d": channel_norm,
    "LayerNormAct2dFp32": channel_norm,
    "RmsNormAct": rms_norm,
    "RmsNormActFp32": rms_norm,
    "RmsNormAct2d": channel_rms_norm,
    "RmsNormAct2dFp32": channel_rms_norm,
}


def explained_by_name(
    layer: nn.Module, inputs: Sequence[Tensor], output: Tensor, cell: tuple[int, ...], channel: int | None
) -> Explanation | None:
    """Return the explanation of one cell of a layer known by name.

    None if no explanation fits the output.
    """
    for explains in _candidates(layer, inputs, output, channel):
        try:
            if _is_genuine(layer) or _fits(explains, output, cell):
                return explains(cell)
        except _STRANGE:
            continue
    return None


def _is_genuine(layer: nn.Module) -> bool:
    """Return whether the class is certainly the library's own.

    Then an explanation is returned even if its number disagrees.
    """
    return type(layer).__module__.startswith(("timm.layers.", "torchvision."))


def _fits(explains: Place, output: Tensor, cell: tuple[int, ...]) -> bool:
    """Return whether the explanation agrees with the output at several cells."""
    places = [cell]
    for far in torch.linspace(0, output.numel() - 1, _PROBES, dtype=torch.float64).long().tolist():
        place: list[int] = []
        for length in reversed(output.shape):
            far, at = divmod(far, length)  # noqa: PLW2901  (what is left of the place)
            place.insert(0, at)
        places.append(tuple(place))
    return all(judged(explains(place), output, place).agrees for place in places)


def _candidates(layer: Any, inputs: Sequence[Tensor], output: Tensor, channel: int | None) -> Iterator[Place]:
    """Yield functions of a cell's place that may explain the cell."""
    name, first = type(layer).__name__, inputs[0]
    if name in STANDARDISED | SAME_CONVOLUTIONS:
        yield partial(convolution, layer, first, channel=channel)
    elif name in SAME_POOLINGS:
        yield partial(pooling, layer, first, output)
    elif _is_dot_product(layer, inputs, output):
        for mask in _masks(inputs):
            yield partial(_dot_product, layer, inputs, mask)
    elif name in _NORMALISED_FIRST:
        if is_activation(layer.act):
            yield partial(_then_activated, _NORMALISED_FIRST[name], layer, first)
    elif (one := _ONE_INPUT.get(name)) is not None:
        yield partial(one, layer, first)


def _then_activated(normalised: Explains, layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a normalisation with an activation."""
    first = normalised(layer, inputs, cell)
    if isinstance(layer.act, nn.Identity):
        return first
    then = activation(layer.act, torch.tensor(first.total, dtype=torch.float64), ())
    return replace(
        first,
        formula=Sentence("{first}, then {second}", first=first.formula, second=then.formula),
        text=f"{first.text}; {then.text}",
        total=then.total,
        magnitude=_STEEPEST * first.magnitude + then.magnitude,
    )


def _blurred(layer: Any, inputs: Tensor, cell: tuple[int, ...]) -> Explanation:
    """Return the explanation of one cell of a blur with fixed weights.

    Source: Zhang, Making convolutional networks shift-invariant again (2019), section 3.2.
    """
    channels, modes = inputs.shape[1], {"constant": "zeros"}
    twin = nn.Conv2d(
        *(channels, channels, layer.filt_size, layer.stride, layer.padding[0]),
        groups=channels,
        bias=False,
        padding_mode=modes.get(layer.pad_mode, layer.pad_mode),
    )
    twin.weight = nn.Parameter(layer.filt.expand(channels, 1, *layer.filt.shape[2:]), requires_grad=False)
    return convolution(twin, inputs, cell)


def _is_dot_product(layer: nn.Module, inputs: Sequence[Tensor], output: Tensor) -> bool:
    """Return whether a layer without weights may be dot-product attention."""
    named = "attention" in type(layer).__name__.lower()
    if not named or len(inputs) < _GIVEN or any(True for _ in layer.parameters()):
        return False
    query, key, value = (each.shape for each in inputs[:3])
    return output.shape == (*query[:-1], value[-1]) and key[:-1] == value[:-1] and query[-1] == key[-1]


def _masks(inputs: Sequence[Tensor]) -> Iterator[Tensor | None]:
    """Yield possible masks: the given one, none, and a causal one."""
    if len(inputs) > _GIVEN:
        yield inputs[_GIVEN]
    yield None
    yield torch.ones(inputs[0].shape[-2], inputs[1].shape[-2], dtype=torch.bool).tril()


def _dot_product(
    layer: Any, inputs: Sequence[Tensor], mask: Tensor | None, cell: tuple[int, ...]
) -> Explanation:
    return dot_product(layer, inputs, cell, mask)


_ONE_INPUT: dict[str, Explains] = {
    **_NORMALISATIONS,
    **dict.fromkeys(NAMED, activation),
    **dict.fromkeys(MOVES_BY_NAME, move),
    **dict.fromkeys(("LayerScale", "LayerScale2d", "Affine", "Scale"), scaled),
    **dict.fromkeys(("FastAdaptiveAvgPool", "FastAdaptiveMaxPool", "FastAdaptiveAvgMaxPool"), global_pooling),
    "BlurPool2d": _blurred,
    "PReLU": prelu,
    "Linear": linear,
}
