"""State that a model keeps between passes, restored after a pass.

This is what its layers keep beside their weights: buffers and attributes, with the tensors, arrays and random
generators in them, and in lists, dicts, deques and sets among them. Objects of other classes stay as the pass
has left them. If a pass adds layers, weights or hooks, it has built the model, and nothing is put back.
"""

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import torch
from torch import nn

from ..structure import map_tensors
from ..witness import own_hooks
from .copies import copy_of
from .gradients import has_memory, memory_of

_EVERY_LAYERS_OWN = frozenset(vars(nn.Module()))
_Part = tuple[Callable[[], bool], Callable[[], None]]  # whether it is another one now, and how to put it back


class Memory:
    """A model's memory at one moment."""

    def __init__(self, model: nn.Module) -> None:
        self._model = model
        self._structure = _structure(model)
        self._tensors: list[torch.Tensor] = []
        self._seen: dict[int, Any] = {}  # the values too: an id means nothing once its value is gone
        self._parts: list[_Part] = []
        for layer in model.modules():
            self._find_attributes(vars(layer))
            self._find(layer._buffers)  # noqa: SLF001  (named_buffers() leaves out shared ones)

    def put_back(self) -> None:
        """Restore the state that a pass has changed."""
        for _, put_back in self._changed():
            put_back()

    def apart(self, result: Any) -> Any:
        """Return a result with copies of tensors whose memory will be restored."""
        if not self._changed():
            return result
        memories = {memory for tensor in self._tensors for memory in memory_of(tensor)}
        return map_tensors(result, lambda tensor: tensor.clone() if memory_of(tensor) & memories else tensor)

    def _changed(self) -> list[_Part]:
        if _structure(self._model) != self._structure:
            return []
        return [part for part in self._parts if part[0]()]

    def _find(self, value: Any) -> None:
        find = _FINDERS.get(type(value))
        if find is not None and id(value) not in self._seen:
            self._seen[id(value)] = value
            find(self, value)

    def _find_attributes(self, own: dict[str, Any]) -> None:
        def now() -> dict[str, Any]:
            return {name: value for name, value in own.items() if name not in _EVERY_LAYERS_OWN}

        before = now()

        def put_back() -> None:
            for name in now():
                del own[name]
            own.update(before)

        self._parts.append((lambda: _others(now().items(), before.items()), put_back))
        for value in before.values():
            self._find(value)

    def _find_list(self, value: Any) -> None:
        before = list(value)

        def put_back() -> None:
            value.clear()
            value.extend(before)

        self._parts.append((lambda: _others(value, before), put_back))
        self._find_all(before)

    def _find_mapping(self, value: Any) -> None:
        before = dict(value)

        def put_back() -> None:
            value.clear()
            value.update(before)

        self._parts.append((lambda: _others(value.items(), before.items()), put_back))
        self._find_all(before.values())

    def _find_set(self, value: set[Any]) -> None:
        before = set(value)

        def put_back() -> None:
            value.clear()
            value.update(before)

        self._parts.append((lambda: value != before, put_back))

    def _find_all(self, value: Iterable[Any]) -> None:
        for each in value:
            self._find(each)

    def _find_tensor(self, value: torch.Tensor) -> None:
        if not has_memory(value) or value.is_meta:
            return
        before = copy_of(value)

        def put_back() -> None:
            with torch.inference_mode(mode=value.is_inference()):
                value.data = before.data if value.shape != before.shape else value.data.copy_(before)

        self._tensors.append(value)
        self._parts.append((lambda: not torch.equal(value, before), put_back))

    def _find_array(self, value: np.ndarray[Any, Any]) -> None:
        before = value.copy()
        self._parts.append((lambda: not np.array_equal(value, before), lambda: np.copyto(value, before)))

    def _find_generator(self, value: torch.Generator) -> None:
        before = value.get_state()
        self._parts.append(
            (lambda: not torch.equal(value.get_state(), before), lambda: _set_state(value, before))
        )


_FINDERS: dict[type, Callable[[Memory, Any], None]] = {
    list: Memory._find_list,  # noqa: SLF001
    deque: Memory._find_list,  # noqa: SLF001
    dict: Memory._find_mapping,  # noqa: SLF001
    set: Memory._find_set,  # noqa: SLF001
    tuple: Memory._find_all,  # noqa: SLF001
    torch.Tensor: Memory._find_tensor,  # noqa: SLF001
    np.ndarray: Memory._find_array,  # noqa: SLF001
    torch.Generator: Memory._find_generator,  # noqa: SLF001
}


@contextlib.contextmanager
def remembered(model: nn.Module) -> Iterator[Memory]:
    """Put the model's memory back at the end of a block."""
    memory = Memory(model)
    try:
        yield memory
    finally:
        memory.put_back()


def _others(now: Any, before: Any) -> bool:
    """Return whether these are not the very same values, in this order."""
    return len(now) != len(before) or not all(map(_same, now, before))


def _same(now: Any, before: Any) -> bool:
    if type(now) is tuple and type(before) is tuple and len(now) == len(before):
        return all(map(_same, now, before))  # an item of a dict, which is made anew whenever it is read
    return now is before


def _structure(model: nn.Module) -> set[tuple[int, ...]]:
    return {(id(layer), *map(id, _parts_of(layer))) for layer in model.modules()}


def _parts_of(layer: nn.Module) -> Iterator[Any]:
    """Yield a layer's weights, layers and hooks.

    A model may hook itself in its first pass.
    """
    yield from layer._parameters.values()  # noqa: SLF001
    yield from layer._modules.values()  # noqa: SLF001
    yield from own_hooks(layer)


def _set_state(generator: torch.Generator, state: torch.Tensor) -> None:
    generator.set_state(state)
