"""Which explanation fits which layer, and why a layer has none."""

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor, nn

from ...errors import RequestError
from ...sentences import Sentence
from .activations import FUNCTIONS, activation, gate, prelu, softmax
from .convolutions import CONVOLUTIONS, convolution
from .explanation import Explanation, judged, unexplained
from .moves import is_move, move
from .normalisations import batch_norm, channel_norm, group_norm, layer_norm, rms_norm
from .poolings import POOLINGS, pooling
from .products import addition, linear, lookup

Explains = Callable[[Any, Tensor, tuple[int, ...]], Explanation]

_BY_CLASS: tuple[tuple[tuple[type[nn.Module], ...], Explains], ...] = (
    ((nn.Linear,), linear),
    ((nn.Embedding,), lookup),
    ((nn.modules.batchnorm._NormBase,), batch_norm),  # noqa: SLF001  (batch and instance normalisation of any dimension)
    ((nn.LayerNorm,), layer_norm),
    ((nn.GroupNorm,), group_norm),
    ((nn.RMSNorm,), rms_norm),
    ((nn.PReLU,), prelu),
    ((nn.Softmax, nn.Softmax2d, nn.Softmin, nn.LogSoftmax), softmax),
    ((nn.GLU,), gate),
    (tuple(FUNCTIONS), activation),
)
# From other libraries, or subclasses with a forward pass of their own that is known to compute the same.
_BY_NAME: dict[str, Explains] = {
    "LayerNorm": layer_norm,
    "LayerNorm2d": channel_norm,
    "FrozenBatchNorm2d": batch_norm,
}
_ADDITIONS = frozenset({"Add", "Sum", "FloatFunctional"})


def explain(
    layer: nn.Module,
    inputs: Sequence[Any],
    output: Tensor,
    cell: Sequence[int],
    *,
    channel: int | None = None,
) -> Explanation:
    """Return how one number of a layer's output was made from its inputs and weights, or why that is unknown.

    Args:
        layer: the layer, with the weights that it ran with; it is explained as it runs in eval mode.
        inputs: its positional inputs, as captured (before a layer that works in place writes into them).
        output: the tensor that it returned.
        cell: an index along every axis of the output, the batch's first.
        channel: whose patch of a convolution to show; the one that counts most by default.

    Raises:
        RequestError: the output has no such cell.
    """
    place = tuple(cell)
    if len(place) != output.ndim or not all(
        0 <= at < size for at, size in zip(place, output.shape, strict=True)
    ):
        raise RequestError(
            "there is no cell {place}: the output's shape is {shape}.", place=place, shape=tuple(output.shape)
        )
    found = _explained(layer, [each for each in inputs if isinstance(each, Tensor)], output, place, channel)
    return judged(found, output, place) if found.explained else found


def _explained(
    layer: nn.Module, inputs: list[Tensor], output: Tensor, cell: tuple[int, ...], channel: int | None
) -> Explanation:
    reason = _obstacle(layer, inputs, output)
    if reason:
        return unexplained(reason)
    if _is_addition(layer, inputs, output):
        return addition(inputs, cell)
    if isinstance(layer, CONVOLUTIONS):
        return convolution(layer, inputs[0], cell, channel)
    if isinstance(layer, POOLINGS):
        return pooling(layer, inputs[0], output, cell)
    explains = _explains(layer)
    if explains is None:
        return unexplained(
            Sentence("The arithmetic of {what} is not explained here.", what=type(layer).__name__)
        )
    return explains(layer, inputs[0], cell)


def _explains(layer: nn.Module) -> Explains | None:
    if type(layer).__name__ in _BY_NAME:
        return _BY_NAME[type(layer).__name__]
    if is_move(layer):
        return move
    return next((explains for kinds, explains in _BY_CLASS if isinstance(layer, kinds)), None)


def _obstacle(layer: nn.Module, inputs: list[Tensor], output: Tensor) -> str:
    """Return why a layer cannot be explained, whatever it computes; empty if it can."""
    name, inside = type(layer).__name__, [name for name, _ in layer.named_children()]
    if inside:
        return Sentence(
            "{what} is made of other layers; they are explained one by one: {layers}.",
            what=name,
            layers=", ".join(inside),
        )
    if not inputs:
        return Sentence("No tensor was captured that was given to {what} as a positional input.", what=name)
    if any(each.is_complex() or each.is_quantized for each in (output, inputs[0])):
        return Sentence("The arithmetic of {what} is not explained here.", what=str(output.dtype))
    return (
        Sentence("{what} has a forward pass of its own, so its arithmetic is not explained here.", what=name)
        if _overridden(layer)
        else ""
    )


def _overridden(layer: nn.Module) -> bool:
    """Return whether a subclass of a torch layer computes differently from that layer."""
    if type(layer).__name__ in _BY_NAME:
        return False
    kinds: list[type[nn.Module]] = [kind for kind in type(layer).__mro__ if issubclass(kind, nn.Module)]
    known = next(kind for kind in kinds if kind.__module__.startswith("torch.nn.modules"))
    return known is not nn.Module and type(layer).forward is not known.forward


def _is_addition(layer: nn.Module, inputs: list[Tensor], output: Tensor) -> bool:
    same = all(each.shape == output.shape for each in inputs)
    return type(layer).__name__ in _ADDITIONS and len(inputs) > 1 and same
