"""State that a model keeps between passes, restored after a pass.

This is what its layers keep beside their weights: buffers, attributes, also of their classes, and what is in
these: tensors, arrays, random generators, containers, and objects with attributes. Objects of libraries,
arrays of objects, and what functions and modules keep, stay as the pass has left them. Weights are restored
if a pass writes into them through PyTorch's functions. If it adds layers, weights or hooks, it has built the
model, and nothing is put back.
"""

import argparse
import contextlib
import random
import sys
from collections import OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property, lru_cache, partial
from operator import is_
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from ..functional import written_by
from ..witness import own_hooks
from .containers import EVERY_LAYERS_OWN, slots_of
from .copies import TensorState
from .gradients import has_memory, memory_of
from .structure import map_tensors

MOST = 10_000  # values that are looked into, the model's layers and their attributes not counted
_Part = tuple[Callable[[], bool], Callable[[], None]]  # whether it is another one now, and how to put it back
_Write = Callable[[str, Any], None]


class Memory:
    """A model's memory at one moment."""

    def __init__(self, model: nn.Module) -> None:
        self._model = model
        self._structure = _structure(model)
        self._tensors: list[torch.Tensor] = []
        self._seen: dict[int, Any] = {}  # the values too: an id means nothing once its value is gone
        self._parts: list[_Part] = []
        self._waiting: deque[Any] = deque()  # not a recursion: a list of a model's own may be linked
        self.weights: list[nn.Parameter] = []
        self._finders: dict[type, _Finders] = {}
        self._find_layers(model)
        for _ in range(len(self._waiting)):
            self._find(self._waiting.popleft())
        most = len(self._seen) + MOST
        while self._waiting and len(self._seen) < most:
            self._find(self._waiting.popleft())
        self._waiting.clear()

    def put_back(self) -> None:
        """Restore the state that a pass has changed."""
        for put_back in self._changes:
            put_back()

    def apart(self, result: Any) -> Any:
        """Return a result with copies of what will be restored in it."""
        if not self._changes:
            return result
        memories = {memory for tensor in self._tensors for memory in memory_of(tensor)}
        return map_tensors(
            result,
            lambda tensor: tensor.clone() if memory_of(tensor) & memories else tensor,
            lambda other: other.copy() if isinstance(other, np.ndarray) else other,
            self._seen,
        )

    def keep(self, tensor: torch.Tensor) -> None:
        """Remember a tensor's memory, and the values in it, from now on."""
        state = TensorState(tensor)
        self._tensors += [tensor, state.alias]
        self._parts.append((lambda: state.is_changed, state.put_back))

    @cached_property
    def _changes(self) -> list[Callable[[], None]]:
        """Ways to put back what the pass has changed."""
        if _structure(self._model) != self._structure:
            return []
        return [put_back for changed, put_back in self._parts if changed()]

    def _find(self, value: Any) -> None:
        kind = type(value)
        if kind not in self._finders:
            self._finders[kind] = _finders(kind)
        if self._finders[kind] and id(value) not in self._seen:
            self._seen[id(value)] = value
            for find in self._finders[kind]:
                find(self, value)

    def _find_all(self, values: Iterable[Any]) -> None:
        self._waiting.extend([value for value in values if type(value) not in _ATOMS])

    def _find_layers(self, model: nn.Module) -> None:
        for layer in model.modules():
            if layer is model or id(layer) not in self._seen:
                self._seen[id(layer)] = layer
                self._find_layer(layer)

    def _find_layer(self, layer: nn.Module) -> None:
        own = vars(layer)

        def now() -> dict[str, Any]:
            return {name: value for name, value in own.items() if name not in EVERY_LAYERS_OWN}

        self._find_names(now, own.__setitem__, own.__delitem__)
        self._find_class(type(layer))
        self._find(layer._buffers)  # noqa: SLF001  (named_buffers() leaves out shared ones)
        for weight in layer._parameters.values():  # noqa: SLF001
            self._find_weight(weight)

    def _find_attributes(self, value: Any) -> None:
        own, slots = getattr(value, "__dict__", None), slots_of(value)
        if isinstance(own, dict):
            self._find_names(own.copy, own.__setitem__, own.__delitem__)
        if slots:
            self._find_names(
                lambda: {name: getattr(value, name) for name in slots if hasattr(value, name)},
                partial(object.__setattr__, value),  # also of a frozen dataclass
                partial(object.__delattr__, value),
            )
        self._find_class(type(value))

    def _find_class(self, kind: type) -> None:
        if id(kind) in self._seen:
            return
        self._seen[id(kind)] = kind
        for base in kind.__bases__:
            self._find_class(base)
        if _is_own(kind.__module__):
            self._find_names(
                lambda: {name: value for name, value in vars(kind).items() if not name.startswith("__")},
                partial(setattr, kind),
                partial(delattr, kind),
            )

    def _find_names(
        self, now: Callable[[], dict[str, Any]], write: _Write, erase: Callable[[str], None]
    ) -> None:
        before = now()

        def put_back() -> None:
            after = now()
            for name in after.keys() - before.keys():
                erase(name)
            for name, value in before.items():
                if name not in after or after[name] is not value:
                    write(name, value)

        self._parts.append((lambda: _other_items(now(), before), put_back))
        self._find_all(before.values())

    def _find_list(self, value: Any) -> None:
        before, base = list(value), list if isinstance(value, list) else deque

        def put_back() -> None:
            base.clear(value)
            base.extend(value, before)

        self._parts.append((lambda: _others(value, before), put_back))
        self._find_all(before)

    def _find_mapping(self, value: Any) -> None:
        base: Any = OrderedDict if isinstance(value, OrderedDict) else dict
        before = dict(base.items(value))

        def put_back() -> None:
            base.clear(value)
            for key, item in before.items():
                base.__setitem__(value, key, item)

        self._parts.append((lambda: _other_items(dict(base.items(value)), before), put_back))
        self._find_all(before.values())

    def _find_set(self, value: set[Any]) -> None:
        before = set(value)

        def put_back() -> None:
            set.clear(value)
            set.update(value, before)

        self._parts.append((lambda: value != before, put_back))
        self._find_all(before)

    def _find_tensor(self, value: torch.Tensor) -> None:
        if type(value) is torch.Tensor and has_memory(value) and not value.is_meta:
            self.keep(value)
        else:
            self._find_weight(value)

    def _find_weight(self, value: torch.Tensor | None) -> None:
        if type(value) is nn.Parameter and not (value.is_meta or value.is_inference()):
            self.weights.append(value)

    def _find_array(self, value: np.ndarray[Any, Any]) -> None:
        if isinstance(value, np.memmap) or value.dtype.hasobject or not value.flags.writeable:
            return
        before = value.copy()  # compared by bytes: a NaN equals no other
        self._parts.append((lambda: value.tobytes() != before.tobytes(), lambda: np.copyto(value, before)))

    def _find_generator(self, value: torch.Generator) -> None:
        self._find_state(value.get_state, value.set_state, torch.equal)

    def _find_numpy_generator(self, value: np.random.Generator) -> None:
        bits = value.bit_generator
        self._find_state(lambda: bits.state, partial(setattr, bits, "state"), _alike)

    def _find_random_state(self, value: np.random.RandomState) -> None:
        self._find_state(lambda: value.get_state(legacy=False), value.set_state, _alike)

    def _find_random(self, value: random.Random) -> None:
        if not isinstance(value, random.SystemRandom):  # it has no state
            self._find_state(value.getstate, value.setstate, _alike)

    def _find_state(
        self, now: Callable[[], Any], write: Callable[[Any], Any], same: Callable[[Any, Any], bool]
    ) -> None:
        before = now()
        self._parts.append((lambda: not same(now(), before), lambda: write(before)))


_ATOMS = frozenset({bool, int, float, complex, str, bytes, type(None), torch.dtype, torch.device})
# Modules of classes that a plain object's may be made from.
_BASES = frozenset({"abc", "argparse", "builtins", "collections", "types", "typing"})
_NAMESPACES = (SimpleNamespace, argparse.Namespace, UserDict, UserList)
_Finders = list[Callable[[Memory, Any], None]]
_FINDERS: tuple[tuple[Any, Callable[[Memory, Any], None]], ...] = (
    (torch.Tensor, Memory._find_tensor),  # noqa: SLF001
    (nn.Module, Memory._find_layers),  # noqa: SLF001
    ((list, deque), Memory._find_list),  # noqa: SLF001
    (dict, Memory._find_mapping),  # noqa: SLF001
    (set, Memory._find_set),  # noqa: SLF001
    ((tuple, frozenset), Memory._find_all),  # noqa: SLF001
    (np.ndarray, Memory._find_array),  # noqa: SLF001
    (torch.Generator, Memory._find_generator),  # noqa: SLF001
    (np.random.Generator, Memory._find_numpy_generator),  # noqa: SLF001
    (np.random.RandomState, Memory._find_random_state),  # noqa: SLF001
    (random.Random, Memory._find_random),  # noqa: SLF001
    (_NAMESPACES, Memory._find_attributes),  # noqa: SLF001
)


class _Guard(TorchFunctionMode):
    """Remembers each weight just before it is written into."""

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self._memory = memory
        self._waiting = defaultdict[int, list[nn.Parameter]](list)  # all of them: several may share a memory
        for weight in memory.weights:
            for place in memory_of(weight):
                self._waiting[place].append(weight)
        self.wrote = False

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Call the function, after a look at what it will write into."""
        del types
        kwargs = kwargs or {}
        target = args[0] if func == _SET_DATA else written_by(func, args, kwargs)
        for place in memory_of(target) & self._waiting.keys():
            for weight in self._waiting.pop(place):
                self._memory.keep(weight)
            self.wrote = True
        return func(*args, **kwargs)


_SET_DATA = torch.Tensor.data.__set__  # type: ignore[attr-defined]


class Repeating:
    """Passes of a model, each of which finds its memory unchanged.

    Weights cost a look at every function, so only a model that has written into them is guarded; and one of
    which no whole pass has been seen.
    """

    def __init__(self, model: nn.Module) -> None:
        self._model = model
        self._writes = True

    @contextlib.contextmanager
    def remembered(self, *, whole: bool) -> Iterator[Memory]:
        """Put the model's memory back at the end of a block.

        ``whole`` tells that the block runs the model to its end.
        """
        memory = Memory(self._model)
        guard, before = _Guard(memory) if self._writes else None, _versions(memory)
        try:
            with guard or contextlib.nullcontext():
                yield memory
            if whole:
                self._writes = guard.wrote if guard else _versions(memory) != before
        finally:
            memory.put_back()


def _others(now: Collection[Any], before: Collection[Any]) -> bool:
    """Return whether these are not the very same values, in this order."""
    return len(now) != len(before) or not all(map(is_, now, before))


def _other_items(now: dict[Any, Any], before: dict[Any, Any]) -> bool:
    return _others(now.keys(), before.keys()) or _others(now.values(), before.values())


def _structure(model: nn.Module) -> set[tuple[int, ...]]:
    """Return the ids of layers, their weights, layers and hooks.

    A model may hook itself in its first pass.
    """
    layers = list(model.modules())
    parts = [(*layer._parameters.values(), *layer._modules.values()) for layer in layers]  # noqa: SLF001
    return {
        tuple(map(id, (layer, *own, *hooks)))
        for layer, own, hooks in zip(layers, parts, own_hooks(layers), strict=True)
    }


def _versions(memory: Memory) -> list[int]:
    """The versions of the weights: most writes raise them."""
    return [weight._version for weight in memory.weights]  # noqa: SLF001


def _alike(state: Any, before: Any) -> bool:
    """Return whether two states are equal, with arrays in them."""
    return str(state) == str(before)


def _finders(kind: type) -> _Finders:
    """Return what looks into values of a class."""
    found = next(([find] for kinds, find in _FINDERS if issubclass(kind, kinds)), [])
    return [*found, Memory._find_attributes] if _is_plain(kind) else found  # noqa: SLF001


def _is_plain(kind: type) -> bool:
    """Return whether a model's own code made a class, from no library's."""
    if not _is_own(kind.__module__) or issubclass(kind, nn.Module):
        return False
    return all(each.__module__ in _BASES or _is_own(each.__module__) for each in kind.__mro__)


@lru_cache(1000)
def _is_own(module: str) -> bool:
    """Return whether a module of this name is no library's."""
    package = module.partition(".")[0]
    if package in sys.stdlib_module_names or package == __package__.partition(".")[0]:
        return False
    path = Path(getattr(sys.modules.get(module), "__file__", None) or "")
    return not {"site-packages", "dist-packages"} & set(path.parts)
