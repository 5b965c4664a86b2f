"""One tensor operation as it ran, and the rules for its boxes.

An operation without a rule may mix everything that it reads, so everything that it returns gets the union of
all boxes: too large perhaps, never too small.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import torch
from torch import Tensor

from .boxes import Boxes, no_boxes, spread, union
from .quantised import plain_words

_MISFITS = (RuntimeError, LookupError, TypeError, ValueError)

Known = Callable[[Tensor], Boxes | None]
Masked = Callable[[Tensor], Tensor | None]


@dataclass(frozen=True, eq=False)
class Operation:
    """One operation as it ran.

    Attributes:
        name: its plain name, without the underscore that means "in place".
        function: the operation itself.
        arguments: what it was given, by name.
        out: what it returned.
        known: the boxes of a tensor before the operation; None where it does not depend on the picture.
        planes: how many planes a box has.
        masked: the mask of a matrix before the operation, as ``masks`` says; None where none is known.
    """

    name: str
    function: Any
    arguments: Mapping[str, Any]
    out: Any
    known: Known
    planes: int
    masked: Masked = lambda _: None

    @property
    def outs(self) -> list[Tensor]:
        """The tensors that it returned."""
        return list(_tensors(self.out))

    @property
    def shape(self) -> torch.Size:
        """The shape of the first tensor that it returned."""
        return self.outs[0].shape

    def boxes(self, name: str) -> Boxes:
        """Return the boxes of one argument.

        They are empty if it does not depend on the picture.
        """
        value = self.arguments[name]
        return self.known(value) or self.nothing(value.shape)

    def nothing(self, shape: Sequence[int]) -> Boxes:
        """Return boxes of values that do not depend on the picture."""
        return no_boxes(shape, self.planes)

    def union(self, parts: Iterable[Boxes], shape: Sequence[int]) -> Boxes:
        """Return the smallest boxes around those of all parts.

        The parts broadcast to ``shape``.
        """
        return union(parts, shape, self.planes)

    def read(self) -> list[Boxes]:
        """Return the boxes of every argument that depends on the picture."""
        return [boxes for tensor in _tensors(list(self.arguments.values())) if (boxes := self.known(tensor))]

    def others(self, *names: str) -> list[Boxes]:
        """Return the boxes of further arguments that depend on the picture.

        They are all but those of these names; without names, all but the first.
        """
        left_out = names or tuple(self.arguments)[:1]
        further = {name: value for name, value in self.arguments.items() if name not in left_out}
        return [boxes for boxes in replace(self, arguments=further).read() if not boxes.nowhere]

    def get(self, *names: str) -> Any:
        """Return the first of these arguments that the operation takes, or None."""
        return next((self.arguments[name] for name in names if name in self.arguments), None)


Rule = Callable[[Operation], Boxes | Sequence[Boxes]]


def operation(
    function: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    known: Known,
    planes: int,
    masked: Masked = lambda _: None,
) -> Operation:
    """Return the operation that is about to run, without results yet."""
    name, quantised, defaults = _signature(function)
    arguments = {**defaults, **dict(zip(defaults, args, strict=False)), **kwargs}
    if quantised:
        name, arguments = plain_words(name, arguments)
    return Operation(name, function, arguments, None, known, planes, masked)


@cache
def _signature(function: Any) -> tuple[str, bool, dict[str, Any]]:
    """Return a function's plain name and its arguments' defaults.

    Between them is whether the function is one for quantised values.
    """
    parameters = function._schema.arguments  # noqa: SLF001  (the only place that names an operation's arguments)
    name = function.overloadpacket.__name__.removesuffix("_")
    known = {"aten": name, "quantized": name}.get(function.namespace, f"{function.namespace}::{name}")
    defaults = {each.name: each.default_value for each in parameters}
    return known, function.namespace == "quantized", defaults


def after(rule: Rule | None, operation: Operation) -> list[Boxes]:
    """Return the boxes of every tensor that the operation returned."""
    try:
        found = (rule or anything)(operation)
    except _MISFITS:  # an unusual form of a known operation: fall back to boxes that are wide but never wrong
        found = anything(operation)
    boxes = [found] * len(operation.outs) if isinstance(found, Boxes) else found
    return [_fitted(operation, *pair) for pair in zip(boxes, operation.outs, strict=False)]


def named(boxes: Boxes, read: Sequence[Boxes], cause: str, size: tuple[int, int]) -> Boxes:
    """Return the boxes, with the cause if they now cover the picture."""
    inherited = next((each.cause for each in read if each.cause), "")
    if inherited or not cause or not boxes.cover(size) or any(each.cover(size) for each in read):
        return replace(boxes, cause=inherited)
    return replace(boxes, cause=cause)


def anything(operation: Operation) -> Boxes:
    """Return the union of all boxes that the operation read."""
    read = (each for each in operation.read() if 0 not in each.shape)
    return operation.union((each.each(lambda plane: spread(plane, ()).flatten()[:1]) for each in read), (1,))


def _fitted(operation: Operation, boxes: Boxes, out: Tensor) -> Boxes:
    """Return boxes of the tensor's shape: their union if theirs differs."""
    if boxes.shape == out.shape:
        return boxes
    if 0 in boxes.shape:
        return operation.nothing(out.shape)
    return boxes.each(lambda plane: spread(plane, ()).flatten()[:1].squeeze().expand(out.shape))


def _tensors(value: Any) -> Iterator[Tensor]:
    """Yield the tensors among arguments or results, also in nested lists."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _tensors(part)
