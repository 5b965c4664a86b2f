"""Layers whose channels are the model's classes, proven by their tensors.

A name is no proof.

Either the call made the model's output itself, or the output is a known function of what the call returned
that leaves each channel in its place: a softmax over the channels, or an enlargement of each map.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from ..hooks.activations import LayerActivations
from ..hooks.functional import Place
from ..hooks.taps import Tap
from ..hooks.values.structure import tensors_in
from ..layer_names import is_operation
from .rows import LayerRow, NamedCall

_SHARES = frozenset({"Softmax", "LogSoftmax", "Softmax2d", "Sigmoid"})  # types that return no scores
_VECTOR, _MAPS = 2, 4  # axes


def named_calls(
    layers: LayerActivations, rows: Sequence[LayerRow], arguments: tuple[Any, ...], classes: int
) -> tuple[NamedCall, ...]:
    """Return the calls whose channels are the classes, in order of ends.

    Args:
        layers: the model.
        rows: its survey, for inputs of this shape.
        arguments: what it is called with: one picture.
        classes: how many there are.
    """
    types = {row.name: row.type for row in rows if _fits(row, classes)}
    if not types:
        return ()
    with layers.trace(_ReturnTap, *types) as seen:
        output = layers.run(*arguments)
    answers = [tensor for tensor in tensors_in(output) if _has_classes(tensor, classes)]
    found = []
    for name, call, tensor, before in seen.calls:
        scores = types[name] not in _SHARES
        if any(_made(tensor, before, answer) for answer in answers):
            found.append(NamedCall(name, call, scores))
    return tuple(found)


class _ReturnTap(Tap):
    """Keeper of each call's first tensor, and of a copy.

    The copy has the values when the call ended.
    """

    needs_inputs = False

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self.calls: list[tuple[str, int, Tensor, Tensor]] = []

    def after(self, name: str, output: Any) -> Any:
        """Keep the first tensor itself and a copy.

        While it is kept, its memory is nobody else's.
        """
        tensors = tensors_in(output)
        if tensors and tensors[0].is_floating_point():
            call = sum(each[0] == name for each in self.calls)
            self.calls.append((name, call, tensors[0], tensors[0].detach().clone()))
        return output


def _fits(row: LayerRow, classes: int) -> bool:
    shapes = [shape for shape in row.shapes if shape and len(shape) in (_VECTOR, _MAPS)]
    return not is_operation(row.name) and any(shape[:2] == (1, classes) for shape in shapes)


def _has_classes(tensor: Tensor, classes: int) -> bool:
    return (
        tensor.is_floating_point()
        and tensor.ndim in (_VECTOR, _MAPS)
        and tuple(tensor.shape[:2]) == (1, classes)
    )


def _made(tensor: Tensor, before: Tensor, answer: Tensor) -> bool:
    """Check whether the model's output is made of this tensor.

    Each channel is then in its place.
    """
    if not _has_classes(tensor, answer.shape[1]):
        return False
    same = tensor.data_ptr() == answer.data_ptr() and tensor.numel() == answer.numel()
    if same and tensor.is_contiguous() and answer.is_contiguous():
        return torch.equal(before.reshape(answer.shape), answer)  # nobody wrote into it since
    return _varies(answer) and any(_equal(way, before, answer) for way in _WAYS)


def _equal(way: Callable[[Tensor, Tensor], Tensor], before: Tensor, answer: Tensor) -> bool:
    made = way(before, answer) if before.ndim == answer.ndim else before
    return made.shape == answer.shape and torch.allclose(made, answer, rtol=1e-4, atol=1e-6)


def _varies(answer: Tensor) -> bool:
    """Check whether the channels differ at every place.

    Otherwise equal values may be an accident.
    """
    return bool((answer.amax(1) > answer.amin(1)).all())


def _softmax(before: Tensor, _: Tensor) -> Tensor:
    return before.softmax(1)


def _enlarged(before: Tensor, answer: Tensor) -> Tensor:
    if before.ndim != _MAPS:
        return before
    size = tuple(answer.shape[2:])
    return functional.interpolate(before, size=size, mode="bilinear", align_corners=False)


_WAYS = (_softmax, _enlarged)
