"""Follower of several layers' channels through every operation of a run.

As in the room around, each value has a box; here it is one of channels: from which to which channel of the
layer where the stream begins. A box of one channel says that it stands there unmixed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from ..boxes import Boxes, compact
from ..lineage import Lineage
from ..mixture_rules import scale_boxes
from ..operations import Operation, Rule, after, operation
from ..tracing import box_rule
from .found import MIXED, NOTHING, Key

_PLANES = 2  # −first and last channel
_HOUSEKEEPING = frozenset({"clone", "_to_copy", "copy", "contiguous", "detach", "constant_pad_nd", "cat"})
_NORMALISES = ("batch_norm", "layer_norm", "group_norm", "rms_norm")
_BETWEEN = "\n"


class StreamMode(TorchDispatchMode):
    """Mode that follows this thread's operations, outside layers with weights."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = 0  # so many layers with weights are running, whose operations mix channels
        self.step = ""  # the layer that is running, if it has none inside
        self._lineages: dict[Key, Lineage] = {}

    def begin(self, key: Key, tensor: Tensor, axis: int) -> None:
        """Let the channels of a tensor be those of this layer."""
        lineage = self._lineages.setdefault(key, Lineage(_PLANES))
        shape = [1] * tensor.ndim
        shape[axis] = tensor.shape[axis]
        numbers = torch.arange(tensor.shape[axis]).float().reshape(shape)
        lineage.put(tensor, Boxes((-numbers, numbers)).each(lambda plane: plane.expand(tensor.shape)))

    def end_all(self) -> None:
        """Follow no layer's channels any further."""
        self._lineages.clear()

    def found(self, tensor: Tensor, axis: int) -> dict[Key, tuple[tuple[int, ...], tuple[str, ...]]]:
        """Return the channels and steps in a tensor, by layer.

        The channels are those along the axis; layers with no part in the tensor are left out.
        """
        seen = {key: lineage.get(tensor) for key, lineage in self._lineages.items()}
        there = {key: (_channels(boxes, axis), _steps(boxes)) for key, boxes in seen.items() if boxes}
        return {key: each for key, each in there.items() if set(each[0]) != {NOTHING}}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Run the operation, and note whose channels its results have."""
        del types
        if self.inside or not self._lineages or torch.Tag.inplace_view in func.tags:
            return func(*args, **(kwargs or {}))
        running = operation(func, args, kwargs or {}, lambda _: None, _PLANES)
        read = {key: each for key, lineage in self._lineages.items() if (each := _read(running, lineage))}
        out = func(*args, **(kwargs or {}))
        for key, boxes in read.items():
            lineage = self._lineages[key]
            self._follow(replace(running, out=out, known=lineage.get), lineage, boxes)
        return out

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """See ``Tracing``."""
        return False

    def _follow(self, ran: Operation, lineage: Lineage, read: Sequence[Boxes]) -> None:
        past = max((boxes.cause for boxes in read), key=len)
        cause = _longer(past, self.step or _named(ran))
        for tensor, boxes in zip(ran.outs, after(_rule(ran), ran), strict=False):
            if ran.function._schema.is_mutable:  # noqa: SLF001  (says what it writes)
                lineage.write(tensor, boxes)
            lineage.put(tensor, replace(boxes, cause=cause))


def _read(running: Operation, lineage: Lineage) -> list[Boxes]:
    return replace(running, known=lineage.get).read()


def _rule(ran: Operation) -> Rule | None:
    """Return an operation's rule; normalisations keep channels apart."""
    if any(name in ran.name for name in _NORMALISES):
        return _same
    return box_rule(ran)[0]


def _same(ran: Operation) -> Boxes:
    return ran.union([ran.boxes("input"), *scale_boxes(ran)], ran.shape)


def _named(ran: Operation) -> str:
    """Return an operation's name; empty if it only moves values."""
    moves = ran.function.is_view or ran.name in _HOUSEKEEPING or "view" in ran.name
    return "" if moves else ran.name.strip("_")


def _longer(past: str, step: str) -> str:
    if not step or past.rpartition(_BETWEEN)[2] == step:
        return past
    return f"{past}{_BETWEEN}{step}" if past else step


def _steps(boxes: Boxes) -> tuple[str, ...]:
    return tuple(boxes.cause.split(_BETWEEN)) if boxes.cause else ()


def _channels(boxes: Boxes, axis: int) -> tuple[int, ...]:
    first, last = (_along(plane, axis) for plane in boxes.planes)
    alone = -first == last
    found = torch.where(alone, last, torch.full_like(last, MIXED))
    found = torch.where(last.isinf(), torch.full_like(last, NOTHING), found)
    return tuple(int(channel) for channel in found.tolist())


def _along(plane: Tensor, axis: int) -> Tensor:
    """The largest entry for each place along one axis."""
    thin, kept = compact(plane), axis % plane.ndim
    others = [each for each in range(plane.ndim) if each != kept]
    return (thin.amax(others) if others else thin).expand(plane.shape[kept])
