"""Choice of a layer's explanation, or the reason why it has none."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from torch import Tensor, nn

from ...errors import RequestError
from ...findings.explanation import Explanation, unexplained
from ...sentences import Sentence
from .activations import FUNCTIONS, activation, gate, prelu, softmax
from .attention import multihead
from .convolutions import CONVOLUTIONS, convolution
from .explanation import judged
from .moves import is_move, move
from .named import explained_by_name
from .normalisations import batch_norm, group_norm, layer_norm, local_response_norm, rms_norm
from .poolings import POOLINGS, pooling
from .products import addition, linear, lookup
from .recurrent import RECURRENT, recurrent
from .resizing import is_resizing, resizing

Explains = Callable[[Any, Tensor, tuple[int, ...]], Explanation]

_BY_CLASS: tuple[tuple[tuple[type[nn.Module], ...], Explains], ...] = (
    ((nn.Linear,), linear),
    ((nn.Embedding,), lookup),
    ((nn.modules.batchnorm._NormBase,), batch_norm),  # noqa: SLF001  (batch and instance normalisation of any dimension)
    ((nn.LayerNorm,), layer_norm),
    ((nn.GroupNorm,), group_norm),
    ((nn.RMSNorm,), rms_norm),
    ((nn.LocalResponseNorm,), local_response_norm),
    ((nn.PReLU,), prelu),
    ((nn.Softmax, nn.Softmax2d, nn.Softmin, nn.LogSoftmax), softmax),
    ((nn.GLU,), gate),
    (tuple(FUNCTIONS), activation),
)
_ADDITIONS = frozenset({"Add", "Sum", "FloatFunctional"})
_NAMED = 12  # layers that a sentence names


class _CellRequest(NamedTuple):
    """One cell of one call of a layer: see ``explain``."""

    layer: Any
    inputs: Sequence[Any]
    keywords: Mapping[str, Any]
    output: Tensor
    cell: tuple[int, ...]
    channel: int | None
    leaf: str

    @property
    def tensors(self) -> list[Tensor]:
        """The tensors among the layer's arguments."""
        given = (*self.inputs, *self.keywords.values())
        return [each for each in given if isinstance(each, Tensor)]

    @property
    def call(self) -> tuple[Any, Sequence[Any], Mapping[str, Any], str, tuple[int, ...]]:
        """The layer, its arguments, and a number's path and index."""
        return self.layer, self.inputs, self.keywords, self.leaf, self.cell


def explain(
    layer: nn.Module,
    inputs: Sequence[Any],
    output: Tensor,
    cell: Sequence[int],
    *,
    channel: int | None = None,
    keywords: Mapping[str, Any] | None = None,
    leaf: str = "output",
    ran: Sequence[str] = (),
) -> Explanation:
    """Return how one number was made, or why that is unknown.

    Args:
        layer: the layer, with the weights that it ran with; it is explained as it runs in eval mode.
        inputs: its positional inputs, as captured (before a layer that works in place writes into them).
        output: the tensor that it returned.
        cell: an index along every axis of the output, the batch's first.
        channel: whose patch of a convolution to show; the one that counts most by default.
        keywords: its inputs that were given by name.
        leaf: which tensor of several it is, such as ``output[1]``.
        ran: the layers inside it that ran, by their names within it, to which a reader can turn.

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
    asked = _CellRequest(layer, inputs, keywords or {}, output, place, channel, leaf)
    reason = _obstacle(asked)
    found = None if reason else _explained(asked)
    if found is None:
        return unexplained(_inside(layer, ran) if ran else reason or _unknown(layer))
    return judged(found, output, place)


def _explained(asked: _CellRequest) -> Explanation | None:
    """Return the explanation of a torch layer, or one known by name."""
    layer, inputs = asked.layer, asked.tensors
    if _is_addition(layer, inputs, asked.output):
        return addition(inputs, asked.cell)
    if _overridden(layer):
        return explained_by_name(layer, inputs, asked.output, asked.cell, asked.channel)
    whole = next((explains for fits, explains in _BY_KIND if fits(layer)), None)
    if whole:
        return whole(asked)
    explains = next((explains for kinds, explains in _BY_CLASS if isinstance(layer, kinds)), None)
    return explains(layer, inputs[0], asked.cell) if explains else None


def _pooled(asked: _CellRequest) -> Explanation | None:
    """Return a pooling's explanation; None for the places of its maxima."""
    if asked.leaf.endswith("[1]"):
        return None
    return pooling(asked.layer, asked.tensors[0], asked.output, asked.cell)


def _of(*kinds: type[nn.Module]) -> Callable[[nn.Module], bool]:
    return lambda layer: isinstance(layer, kinds)


# Explanations of a layer from more than its first input.
_BY_KIND: tuple[tuple[Callable[[nn.Module], bool], Callable[[_CellRequest], Explanation | None]], ...] = (
    (_of(*CONVOLUTIONS), lambda asked: convolution(asked.layer, asked.tensors[0], asked.cell, asked.channel)),
    (_of(*POOLINGS), _pooled),
    (is_resizing, lambda asked: resizing(asked.layer, asked.tensors[0], asked.output, asked.cell)),
    (is_move, lambda asked: move(asked.layer, asked.tensors[0], asked.cell)),
    (_of(nn.MultiheadAttention), lambda asked: multihead(*asked.call)),
    (_of(*RECURRENT), lambda asked: recurrent(*asked.call)),
)


def _obstacle(asked: _CellRequest) -> str:
    """Return why a number cannot be explained; empty if it can."""
    inputs, name = asked.tensors, type(asked.layer).__name__
    if not inputs:
        return Sentence("No tensor was captured that was given to {what} as a positional input.", what=name)
    if any(each.is_complex() or each.is_quantized or each.is_nested for each in (asked.output, inputs[0])):
        return Sentence("The arithmetic of {what} is not explained here.", what=str(asked.output.dtype))
    return ""


def _inside(layer: nn.Module, ran: Sequence[str]) -> Sentence:
    """Return where else to look: at the layers inside that ran."""
    more = [f"… ({len(ran) - _NAMED} more)"] if len(ran) > _NAMED else []
    return Sentence(
        "{what} is made of other layers; they are explained one by one: {layers}.",
        what=type(layer).__name__,
        layers=", ".join([*ran[:_NAMED], *more]),
    )


def _unknown(layer: nn.Module) -> Sentence:
    """Return why a layer has no explanation, if none inside ran."""
    name = type(layer).__name__
    if any(True for _ in layer.children()):
        return Sentence(
            "No layer inside {what} ran, and what {what} computes itself is not explained here.", what=name
        )
    if _overridden(layer) and _torch_class(layer) is not nn.Module:
        return Sentence(
            "{what} has a forward pass of its own, so its arithmetic is not explained here.", what=name
        )
    return Sentence("The arithmetic of {what} is not explained here.", what=name)


def _overridden(layer: nn.Module) -> bool:
    """Return whether a layer's forward pass is not torch's own."""
    known = _torch_class(layer)
    return known is nn.Module or type(layer).forward is not known.forward


def _torch_class(layer: nn.Module) -> type[nn.Module]:
    kinds: list[type[nn.Module]] = [kind for kind in type(layer).__mro__ if issubclass(kind, nn.Module)]
    return next(kind for kind in kinds if kind.__module__.startswith("torch.nn.modules"))


def _is_addition(layer: nn.Module, inputs: list[Tensor], output: Tensor) -> bool:
    same = all(each.shape == output.shape for each in inputs)
    return type(layer).__name__ in _ADDITIONS and len(inputs) > 1 and same
