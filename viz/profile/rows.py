"""A model's layers as rows of plain values."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..errors import UnsupportedModelError
from ..layer_names import SEPARATOR, calling_layer, is_operation

Evidence = Literal[
    "scripted",  # the layer is a TorchScript module
    "raised",  # its forward ran and raised
    "thread",  # its code ran in another thread
    "context",  # its code ran in the same thread and in another context
    "backward",  # its code ran in a backward pass
    "direct",  # its forward, or another method, ran past its hooks
    "holder",  # it has no forward
    "weight",  # its weight was given to a function of torch by other code
    "parts",  # layers in it ran, its own forward did not
    "training",  # the layer around it ran without calling it; the code calls it under ``if self.training``
    "uncalled",  # the layer around it, or the model, ran without calling it
    "none",  # none of these was seen
]
Shape = tuple[int, ...] | None


@dataclass(frozen=True)
class LayerRow:
    """One layer, in plain values.

    Attributes:
        name: dotted name; for a layer with several, the first.
        type: the name of its class.
        detail: its settings in a few words, such as ``64→64, 3×3, stride 1``.
        parameters: the number of its parameters, including those of the layers inside it.
        depth: 0 for the outermost layers.
        calls: how often it ran.
        shapes: for each call, the shape of what it returned; None where that is not one tensor.
        aliases: its other names.
        reason: why it has no call, or None when it has.
        ends: for each call, its place in the order in which all calls ended, from 0.
        children: whether there are layers inside it.
        evidence: what the reason rests on (``Evidence``), or None without a reason.
        chance: whether another pass may return other values, though the inputs are the same.
        channels: for each call, how many channels that tensor has where it sits on the picture, None where it
            has none; empty without known layouts.

    >>> row = lg.survey(layers, images)[0]
    >>> row.name, row.type, row.detail, row.shapes
    ('conv1', 'Conv2d', '3→6, 5×5, stride 1', ((1, 6, 28, 28),))
    """

    name: str
    type: str
    detail: str
    parameters: int
    depth: int
    calls: int
    shapes: tuple[Shape, ...]
    aliases: tuple[str, ...]
    reason: str | None
    ends: tuple[int, ...]
    children: bool
    evidence: Evidence | None = None
    chance: bool = False
    channels: tuple[int | None, ...] = ()

    @property
    def order(self) -> int | None:
        """The place of its first call; None if it has none.

        By it, layers are in execution order.
        """
        return self.ends[0] if self.ends else None

    @property
    def convolves(self) -> bool:
        """True if its settings are a convolution's.

        They are channels in and out, a window, and its steps.

        A name is no evidence: ``Conv1D`` of transformers is a fully connected layer.
        """
        return re.match(r"\d+→\d+, [\d×]+, stride ", self.detail) is not None


def first_of_chance(rows: Iterable[LayerRow]) -> str:
    """Return the first random layer or operation; empty if there is none.

    From it on, two passes differ.
    """
    marked = [row for row in rows if row.chance]
    return min(marked, key=lambda row: row.order or 0).name if marked else ""


def first_layer(rows: Sequence[LayerRow]) -> str:
    """Return the layer to begin with, a convolution if one ran.

    Otherwise it is the first layer that ran, or just the first.

    Raises:
        UnsupportedModelError: there is no layer.
    """
    if not rows:
        raise UnsupportedModelError(
            "this model has no layers to look at: its forward() computes everything itself, in no module of "
            "its own"
        )
    ran = [row for row in rows if row.calls]
    convolutions = [row for row in ran if row.type.startswith("Conv") and _is_one_convolution(row, ran)]
    return (convolutions or ran or list(rows))[0].name


def _is_one_convolution(row: LayerRow, ran: Sequence[LayerRow]) -> bool:
    """Check whether a layer is one convolution, or a block around one.

    A whole ConvNeXt is neither.
    """
    if not row.children:
        return row.convolves
    return sum(each.convolves and _inside(each.name, row.name) for each in ran) == 1


def with_operations(rows: Sequence[LayerRow], operations: Sequence[LayerRow]) -> list[LayerRow]:
    """Return the rows with each operation in its place.

    It comes after those that ended before it under the same layer.
    """
    placed = list(rows)
    for operation in operations:
        layer = calling_layer(operation.name)
        elder = [row for row in placed if _parent(row.name) == layer and _ended_before(row, operation)]
        behind = elder[-1] if elder else next((row for row in placed if row.name == layer), None)
        at = 0 if behind is None else placed.index(behind) + 1
        while elder and at < len(placed) and _inside(placed[at].name, behind.name if behind else ""):
            at += 1
        placed.insert(at, operation)
    return placed


def _ended_before(row: LayerRow, operation: LayerRow) -> bool:
    return row.order is not None and operation.order is not None and row.order < operation.order


def _parent(name: str) -> str:
    return calling_layer(name) if is_operation(name) else name.rpartition(".")[0]


def _inside(name: str, layer: str) -> bool:
    return name.startswith((f"{layer}.", f"{layer} {SEPARATOR}"))


class LayerCall(NamedTuple):
    """One call of a layer, counted from 0."""

    layer: str
    call: int


class NamedCall(NamedTuple):
    """A call with one number, or one map, for each class.

    ``scores`` is true if it is before any softmax.
    """

    layer: str
    call: int
    scores: bool
