"""Walks over all tensors in layers' inputs and outputs, of any structure.

A model may return anything. There is one rule: every tensor inside is reached, named by its path, and the
structure around it is rebuilt with the same types, or changed where it is; values that hold no tensor are
passed on as they are. ``viz.hooks.values.containers`` knows which containers there are.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import nn

from .containers import Container, is_object, opened, shallow

Paths: TypeAlias = dict[str, torch.Tensor]
Undo: TypeAlias = Callable[[], None]

_NUMBERS = "biufc"  # the kinds of NumPy arrays that have a tensor's values


def unchanged(value: Any) -> Any:
    """Return ``value`` itself, as for a part that holds no tensor."""
    return value


def map_tensors(
    value: Any,
    function: Callable[[torch.Tensor], Any],
    other: Callable[[Any], Any] = unchanged,
    copied: Collection[int] = (),
) -> Any:
    """Return ``value`` with every tensor in it mapped by ``function``.

    ``other`` maps every plain part. A container without tensors stays itself, unless it is a list or a dict,
    or its id is among ``copied``.
    """
    return _Mapping(function, other, copied).of(value, ())


def exchange_tensors(value: Any, function: Callable[[torch.Tensor], torch.Tensor]) -> tuple[Any, Undo]:
    """Replace every tensor by ``function(tensor)``, in its own container if possible.

    Whoever else holds such a container sees the new tensors too, and goes on sharing it.

    Returns:
        The value with its new tensors, and a function that puts the old ones back where the new ones still
        stand.
    """
    undone: list[Undo] = []

    def undo() -> None:
        for each in undone:
            each()

    return _Exchange(function, undone).of(value, ()), undo


def leaves(value: Any, name: str = "output") -> Paths:
    """Return every tensor in ``value`` by its path, such as ``output[0]``.

    NumPy arrays of numbers are among them, as tensors.

    Args:
        value: what a layer took or returned.
        name: what the path of a bare tensor is called.

    >>> list(lg.leaves({"scores": torch.zeros(2), "boxes": [torch.zeros(3)]}))
    ["output['scores']", "output['boxes'][0]"]
    """
    return {path: leaf for path, leaf, _ in _leaves(value, name, (), set())}


def tensors_in(value: Any) -> list[torch.Tensor]:
    """Return every tensor in ``value``, in the order of ``leaves``.

    Arrays take no hooks and are left out.
    """
    if isinstance(value, torch.Tensor):
        return [value]
    return [leaf for _, leaf, is_tensor in _leaves(value, "", (), set()) if is_tensor]


def places(value: Any, name: str = "output", *, apart: bool = False) -> dict[str, int]:
    """Return the position of every tensor in ``value`` by its path.

    Args:
        value: what a layer took or returned.
        name: what the path of a bare tensor is called.
        apart: a tensor in two places has a position for each, instead of the first one for both.
    """
    tensors = [(path, leaf) for path, leaf, is_tensor in _leaves(value, name, (), set()) if is_tensor]
    first: dict[int, int] = {}
    return {
        path: position if apart else first.setdefault(id(tensor), position)
        for position, (path, tensor) in enumerate(tensors)
    }


def filled(value: Any, found: Mapping[str, Any], name: str = "output") -> Any:
    """Return ``value``'s structure around what was found, with None elsewhere.

    Args:
        value: a structure of anything.
        found: what is to stand at each path, in place of what ``value`` has there.
        name: the path of ``value`` itself.
    """
    return _Filling(found).of(value, name, ())


class _Filling:
    """One filling of a structure, in which each object is filled once."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self._found = found
        self._objects: dict[int, Any] = {}

    def of(self, value: Any, path: str, around: tuple[int, ...]) -> Any:
        if path in self._found:
            return self._found[path]
        container = _live(value, around)
        if container is None or id(value) in self._objects:
            return self._objects.get(id(value))
        parts = zip(container.steps, container.parts, strict=True)
        new = container.around([self.of(part, path + step, (*around, id(value))) for step, part in parts])
        if is_object(value):
            self._objects[id(value)] = new
        return new


class _Mapping:
    """One mapping of a structure, in which each object is mapped once."""

    def __init__(
        self, function: Callable[[torch.Tensor], Any], other: Callable[[Any], Any], copied: Collection[int]
    ) -> None:
        self._function, self._other, self._copied = function, other, copied
        self._objects: dict[int, Any] = {}

    def of(self, value: Any, around: tuple[int, ...]) -> Any:
        if isinstance(value, torch.Tensor):
            return self._function(value)
        container = _live(value, around)
        if container is None:
            return self._other(value)
        if id(value) not in self._objects:
            new = self._rebuilt(value, container, (*around, id(value)))
            if not is_object(value):
                return new
            self._objects[id(value)] = new
        return self._objects[id(value)]

    def _rebuilt(self, value: Any, container: Container, around: tuple[int, ...]) -> Any:
        new = [self.of(part, around) for part in container.parts]
        if all(after is before for after, before in zip(new, container.parts, strict=True)):
            if isinstance(value, list | dict):
                return shallow(value)
            if id(value) not in self._copied or container.put is None:
                return value
        return container.around(new)


class _Exchange:
    """An exchange in a structure that meets each object once."""

    def __init__(self, function: Callable[[torch.Tensor], torch.Tensor], undone: list[Undo]) -> None:
        self._function, self._undone = function, undone
        self._objects: dict[int, Any] = {}

    def of(self, value: Any, around: tuple[int, ...]) -> Any:
        if isinstance(value, torch.Tensor):
            return self._function(value)
        container = _live(value, around)
        if container is None:
            return value
        if id(value) in self._objects:
            return self._objects[id(value)]
        new = self._refilled(value, container, (*around, id(value)))
        if is_object(value):
            self._objects[id(value)] = new
        return new

    def _refilled(self, value: Any, container: Container, around: tuple[int, ...]) -> Any:
        old = container.parts
        new = [self.of(part, around) for part in old]
        if all(after is before for after, before in zip(new, old, strict=True)):
            return value
        if container.put is None:
            return container.around(new)
        container.put(new)
        self._undone.append(lambda: _put_back(value, old, new))
        return value


def _put_back(value: Any, old: list[Any], new: list[Any]) -> None:
    """Put the old parts back, except where a part has changed since."""
    container = opened(value)
    if container is None or container.put is None:
        return
    before = {id(after): part for after, part in zip(new, old, strict=True)}
    container.put([before.get(id(part), part) for part in container.parts])


def _leaves(
    value: Any, path: str, around: tuple[int, ...], seen: set[int]
) -> Iterator[tuple[str, torch.Tensor, bool]]:
    if isinstance(value, torch.Tensor):
        yield path, value, True
        return
    if isinstance(value, np.ndarray):
        if value.dtype.kind in _NUMBERS:
            yield path, _tensor_of(value), False
        return
    container = None if id(value) in around or id(value) in seen else opened(value)
    if container is None:
        return
    if is_object(value):  # in a net of objects, each is walked once
        seen.add(id(value))
    for step, part in zip(container.steps, container.parts, strict=True):
        yield from _leaves(part, path + step, (*around, id(value)), seen)


def _tensor_of(array: np.ndarray[Any, Any]) -> torch.Tensor:
    """Return an array of numbers as a tensor of the nearest type."""
    wide = {"g": np.dtype(np.float64), "G": np.dtype(np.complex128)}  # more digits than it has
    dtype = wide.get(array.dtype.char, array.dtype.newbyteorder("="))
    return torch.from_numpy(np.ascontiguousarray(array, dtype))


def _live(value: Any, around: tuple[int, ...]) -> Container | None:
    """Return a value's parts; None for modules, arrays and rings."""
    if id(value) in around or isinstance(value, nn.Module | np.ndarray):
        return None
    return opened(value)
