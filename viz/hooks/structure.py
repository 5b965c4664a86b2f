"""Walking what layers take and return: tuples, lists, dicts, dataclasses and whatever else holds tensors.

A model may return anything. There is one rule: every tensor inside is reached, named by its path, and the
structure around it is rebuilt with the same types; values that hold no tensor are passed on as they are.
"""

import copy
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import torch

Paths: TypeAlias = dict[str, torch.Tensor]


def unchanged(value: Any) -> Any:
    """Return ``value`` itself: what happens to a part that holds no tensor."""
    return value


def map_tensors(
    value: Any, function: Callable[[torch.Tensor], Any], other: Callable[[Any], Any] = unchanged
) -> Any:
    """Return ``value`` with ``function`` applied to every tensor in it and ``other`` to every plain part."""
    return _mapped(value, function, other, ())


def leaves(value: Any, name: str = "output") -> Paths:
    """Return every tensor in ``value`` by its path, such as ``output[0]`` or ``output.logits``.

    Args:
        value: what a layer took or returned.
        name: what the path of a bare tensor is called.
    """
    return dict(_leaves(value, name, ()))


def _mapped(
    value: Any,
    function: Callable[[torch.Tensor], Any],
    other: Callable[[Any], Any],
    around: tuple[int, ...],
) -> Any:
    if isinstance(value, torch.Tensor):
        return function(value)
    parts = _parts(value, around)
    if parts is None:
        return other(value)
    within = (*around, id(value))
    new = [_mapped(part, function, other, within) for _, part in parts]
    if all(after is before for after, (_, before) in zip(new, parts, strict=True)):
        return value if not isinstance(value, list | dict) else copy.copy(value)
    return _rebuilt(value, new)


def _leaves(value: Any, path: str, around: tuple[int, ...]) -> Iterator[tuple[str, torch.Tensor]]:
    if isinstance(value, torch.Tensor):
        yield path, value
        return
    for step, part in _parts(value, around) or ():
        yield from _leaves(part, path + step, (*around, id(value)))


def _parts(value: Any, around: tuple[int, ...]) -> list[tuple[str, Any]] | None:
    """Return the parts of a structure, each with its step in a path, or None for a plain value."""
    if id(value) in around or isinstance(value, type | str | bytes):  # a structure may contain itself
        return None
    if isinstance(value, tuple | list | Mapping) and not dataclasses.is_dataclass(value):
        return _items(value)
    if dataclasses.is_dataclass(value) or _carries_tensors(value):
        return [(f".{name}", getattr(value, name)) for name in _attributes(value)]
    return None


def _items(value: Any) -> list[tuple[str, Any]]:
    if hasattr(value, "_fields"):  # a namedtuple
        return [(f".{name}", getattr(value, name)) for name in _named(value)]
    steps = value.items() if isinstance(value, Mapping) else enumerate(value)
    return [(f"[{key!r}]", part) for key, part in steps]


def _named(value: Any) -> list[str]:
    """Return a namedtuple's fields, but not the batch sizes of a PackedSequence: they stay on the CPU."""
    packed = isinstance(value, torch.nn.utils.rnn.PackedSequence)
    return [name for name in value._fields if not (packed and name == "batch_sizes")]


def _attributes(value: Any) -> list[str]:
    if dataclasses.is_dataclass(value):
        return [field.name for field in dataclasses.fields(value) if hasattr(value, field.name)]
    return list(vars(value))


def _carries_tensors(value: Any, depth: int = 3) -> bool:
    """Return whether a plain object has tensors in its attributes: an ImageList, a distribution, a cache."""
    if isinstance(value, torch.nn.Module) or callable(value) or not hasattr(value, "__dict__"):
        return False
    return any(_holds_tensor(part, depth - 1) for part in vars(value).values())


def _holds_tensor(part: Any, depth: int) -> bool:
    if isinstance(part, torch.Tensor) or depth == 0:
        return isinstance(part, torch.Tensor)
    inside = part.values() if isinstance(part, Mapping) else part if isinstance(part, tuple | list) else ()
    return any(_holds_tensor(item, depth - 1) for item in inside) or _carries_tensors(part, depth)


def _rebuilt(value: Any, new: Sequence[Any]) -> Any:
    """Return a structure of ``value``'s own type around the ``new`` parts."""
    if dataclasses.is_dataclass(value) or not isinstance(value, tuple | list | Mapping):
        return _copied_with(value, dict(zip(_attributes(value), new, strict=True)))
    if isinstance(value, Mapping):
        return _mapping_with(value, dict(zip(value, new, strict=True)))
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return cast("Any", value)._replace(**dict(zip(_named(value), new, strict=True)))
        return cast("Any", type(value))(new)
    changed = copy.copy(value)
    changed[:] = new
    return changed


def _mapping_with(value: Mapping[Any, Any], new: dict[Any, Any]) -> Any:
    changed = copy.copy(value)
    if not hasattr(changed, "__setitem__"):  # a read-only mapping
        return new
    for key, part in new.items():
        changed[key] = part
    return changed


def _copied_with(value: Any, attributes: dict[str, Any]) -> Any:
    changed = copy.copy(value)
    for name, part in attributes.items():
        if isinstance(
            value, dict
        ):  # Hugging Face's ModelOutput keeps its items and attributes in step by itself
            setattr(changed, name, part)
        else:  # also for a frozen dataclass
            object.__setattr__(changed, name, part)
    return changed
