"""Containers of tensors: their parts, and ways to exchange them.

A layer may take and return anything. What is known here: tuples of every kind, lists, deques, sets, mappings
and their views, ``functools.partial``, dataclasses, plain objects (with a ``__dict__`` or ``__slots__``,
callable or not), lists and dicts of parameters, and whatever is registered with ``torch.utils._pytree``.
"""

import copy
import dataclasses
import enum
import functools
import logging
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence, ValuesView
from typing import Any, NamedTuple, cast

import torch
from torch import nn
from torch.utils import _pytree as pytree

# Types with attributes of their own, but none that a model computes.
_PLAIN = (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType, enum.Enum)
_PLAIN_TOO = (nn.Module, logging.Logger, torch.Generator, torch.dtype, torch.device, BaseException)
SETS = (set, frozenset)
_NO_CONTAINERS = (str, bytes, int, float, complex, type(None), torch.Tensor, torch.Size)  # made once: fast
EVERY_LAYERS_OWN = frozenset(vars(nn.Module()))  # the names of attributes
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()), ValuesView)


class Container(NamedTuple):
    """One container, opened.

    Attributes:
        steps: how a path goes on to each part: ``[0]``, ``['key']``, ``.name``.
        parts: the parts, in the same order.
        around: returns a container of the same type around other parts.
        put: puts other parts into this container itself; None if it cannot be changed.
    """

    steps: list[str]
    parts: list[Any]
    around: Callable[[Sequence[Any]], Any]
    put: Callable[[Sequence[Any]], None] | None = None


def opened(value: Any) -> Container | None:
    """Return a value's parts, or None if it is no container."""
    if isinstance(value, _NO_CONTAINERS):
        return None
    for opens in (_of_sequence, _of_mapping, _of_object, _of_registered):
        container = opens(value)
        if container is not None:
            return container
    return None


def is_object(value: Any) -> bool:
    """Return whether a container is an object of its own class.

    Such an object may stand in a net of others.
    """
    return not isinstance(value, (tuple, list, deque, *SETS, Mapping, *_VIEWS))


def _of_sequence(value: Any) -> Container | None:
    if dataclasses.is_dataclass(value):
        return None
    if isinstance(value, tuple):
        return _of_named(value) if hasattr(value, "_fields") else _numbered(value, _like(value))
    if isinstance(value, list | deque):
        return _numbered(value, _like(value), functools.partial(_refill, value))
    if isinstance(value, nn.ParameterList):
        return _numbered(list(value), list)
    if isinstance(value, SETS):
        put = functools.partial(_refill_set, value) if isinstance(value, set) else None
        return _numbered(value, _like(value), put)
    return _numbered(cast("Any", value), tuple) if isinstance(value, _VIEWS) else None


def _of_named(value: Any) -> Container:
    """Open a namedtuple, except the batch sizes of a PackedSequence.

    They stay on the CPU.
    """
    packed = isinstance(value, nn.utils.rnn.PackedSequence)
    names = [name for name in value._fields if not (packed and name == "batch_sizes")]

    def around(parts: Sequence[Any]) -> Any:
        return _with_attributes(value._replace(**dict(zip(names, parts, strict=True))), value)

    return _named(value, names, around)


def _of_mapping(value: Any) -> Container | None:
    if isinstance(value, nn.ParameterDict):
        value = dict(value.items())
    if not isinstance(value, Mapping) or dataclasses.is_dataclass(value):
        return None
    keys = list(value)
    put = functools.partial(_set_items, value, keys) if hasattr(value, "__setitem__") else None

    def around(parts: Sequence[Any]) -> Any:
        if put is None:  # a read-only mapping
            return dict(zip(keys, parts, strict=True))
        changed = shallow(value)
        for name, part in getattr(changed, "__dict__", {}).items():
            if type(part) in {
                dict,
                list,
            }:  # a mapping of one's own keeps its items there, and the copy shares them
                cast("Any", object).__setattr__(changed, name, copy.copy(part))
        _set_items(changed, keys, parts)
        return changed

    return Container([f"[{key!r}]" for key in keys], [value[key] for key in keys], around, put)


def _of_registered(value: Any) -> Container | None:
    """Open one level of a container registered with PyTorch's pytree."""
    node = pytree.SUPPORTED_NODES.get(type(value))
    if node is None or dataclasses.is_dataclass(value):
        return None
    parts, context = node.flatten_fn(value)
    return _numbered(parts, lambda new: node.unflatten_fn(list(new), context))


def _of_object(value: Any) -> Container | None:
    if isinstance(value, functools.partial):
        keywords = value.keywords
        return _named(
            value,
            ["args", "keywords"],
            lambda parts: type(value)(value.func, *parts[0], **parts[1]),
            parts=[value.args, keywords],
        )
    if not dataclasses.is_dataclass(value) and isinstance(value, _PLAIN + _PLAIN_TOO):
        return None
    names = attributes(value)
    if not names:
        return None
    return _named(
        value,
        names,
        functools.partial(_copied_with, value, names),
        functools.partial(_set_attributes, value, names),
    )


def attributes(value: Any) -> list[str]:
    """Return the names in an object's ``__dict__`` and ``__slots__``.

    A dataclass has its fields first; one that is a dict too, as Hugging Face's ModelOutput is, its items.
    """
    if isinstance(value, type):
        return []
    if dataclasses.is_dataclass(value):
        items: list[str] = [key for key in value if isinstance(key, str)] if isinstance(value, dict) else []
        first = [*items, *(field.name for field in dataclasses.fields(value))]
    else:
        first = []
    names = dict.fromkeys([*first, *slots_of(value), *getattr(value, "__dict__", {})])
    return [name for name in names if hasattr(value, name)]


def slots_of(value: Any) -> list[str]:
    """Return the names in an object's ``__slots__``."""
    return [slot for kind in type(value).__mro__ for slot in _slots(kind)]


def _slots(kind: type) -> list[str]:
    slots = kind.__dict__.get("__slots__", ())
    found = [slots] if isinstance(slots, str) else list(slots)
    return [_mangled(kind, name) for name in found if name not in {"__dict__", "__weakref__"}]


def _mangled(kind: type, name: str) -> str:
    private = name.startswith("__") and not name.endswith("__")
    return f"_{kind.__name__.lstrip('_')}{name}" if private else name


def _numbered(
    value: Iterable[Any],
    around: Callable[[Sequence[Any]], Any],
    put: Callable[[Sequence[Any]], None] | None = None,
) -> Container:
    parts = list(value)
    return Container([f"[{place}]" for place in range(len(parts))], parts, around, put)


def _named(
    value: Any,
    names: list[str],
    around: Callable[[Sequence[Any]], Any],
    put: Callable[[Sequence[Any]], None] | None = None,
    parts: list[Any] | None = None,
) -> Container:
    found = [getattr(value, name) for name in names] if parts is None else parts
    return Container([f".{name}" for name in names], found, around, put)


def shallow(value: Any) -> Any:
    """Return a copy of a list or mapping, with the same parts."""
    if isinstance(value, list | deque):
        return _like(value)(value)
    try:
        return copy.copy(value)
    except TypeError:  # its class's own constructor wants something else
        if not isinstance(value, dict):
            return _shell(value)
    kind: Any = next(each for each in (OrderedDict, defaultdict, dict) if isinstance(value, each))
    new = _with_attributes(kind.__new__(type(value)), value)
    if isinstance(value, defaultdict):
        new.default_factory = value.default_factory
    for key, part in value.items():
        kind.__setitem__(new, key, part)
    return new


def _like(value: Any) -> Callable[[Iterable[Any]], Any]:
    """Return a maker of others of a sequence's or a set's class.

    The class's own constructor may want something else, and is passed by.
    """
    if type(value) in {tuple, list, set, frozenset}:
        made_by: Callable[[Iterable[Any]], Any] = type(value)
        return made_by

    def made(parts: Iterable[Any]) -> Any:
        kind: Any = next(each for each in (tuple, frozenset, set, list, deque) if isinstance(value, each))
        try:
            new = kind.__new__(type(value), parts)
        except TypeError:  # a class that is written in C
            return type(value)(parts)
        if kind not in {tuple, frozenset}:
            kind.__init__(new, parts, *([value.maxlen] if kind is deque else []))
        return _with_attributes(new, value)

    return made


def _with_attributes(new: Any, value: Any) -> Any:
    """Return a new container, with the attributes of another of its class."""
    for name in attributes(value):
        cast("Any", object).__setattr__(new, name, getattr(value, name))
    return new


def _refill(value: Any, parts: Sequence[Any]) -> None:
    for place, part in enumerate(parts):
        value[place] = part


def _refill_set(value: set[Any], parts: Sequence[Any]) -> None:
    value.clear()
    value.update(parts)


def _set_items(value: Any, keys: Sequence[Any], parts: Sequence[Any]) -> None:
    for key, part in zip(keys, parts, strict=True):
        value[key] = part


def _copied_with(value: Any, names: Sequence[str], parts: Sequence[Any]) -> Any:
    changed: Any = shallow(value) if isinstance(value, dict) else _shell(value)
    _set_attributes(changed, names, parts)
    if isinstance(value, OrderedDict):  # its own way to copy itself may put the items into another order
        for key in value:
            changed.move_to_end(key)
    return changed


def _shell(value: Any) -> Any:
    """Return an object of the same class and attributes, without its ``__copy__``.

    That might copy more, or refuse.
    """
    try:
        new = object.__new__(type(value))
    except TypeError:  # a class that is written in C
        return copy.copy(value)
    return _with_attributes(new, value)


def _set_attributes(value: Any, names: Sequence[str], parts: Sequence[Any]) -> None:
    for name, part in zip(names, parts, strict=True):
        if isinstance(value, dict):  # Hugging Face's ModelOutput keeps items and attributes in step by itself
            setattr(value, name, part)
        else:  # also of a frozen dataclass
            cast("Any", object).__setattr__(value, name, part)
