"""Modules in a pickle, none made: tree, class names, settings."""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple

from ..pickled import UnmadeObject
from ..pickled_weights import PickledTensor
from ..state_finding import named_tensors

__all__ = ["ModuleRow", "class_names", "main_module", "module_rows", "plain_settings"]

_PARTS, _TENSORS = "_modules", "_parameters"
_MOST_ROWS = 20_000
_LONGEST_NAME = 500  # characters
_MOST_VALUES, _DEEPEST, _LONGEST_TEXT = 2_000, 8, 1_000  # of settings
_LARGEST = 2**63  # of a whole number in JSON that others read
_MOST_CLASSES = 100_000
_NAMES_OF_CLASSES = ("names", "class_names", "classes", "categories", "id2label")


class ModuleRow(NamedTuple):
    """A module: its dotted name, and its class's name in the file."""

    name: str
    type: str


def main_module(contents: object) -> UnmadeObject | None:
    """Return the outermost module with the most tensors.

    None if modules have less than half of the tensors.
    """
    modules = {id(each): len(named_tensors(each)) for each in _outermost(contents)}
    if not modules or 2 * sum(modules.values()) < len(named_tensors(contents)):
        return None
    return max(_outermost(contents), key=lambda each: modules[id(each)])


def module_rows(module: UnmadeObject) -> tuple[ModuleRow, ...]:
    """Return a module and all inside it, in definition order.

    A module that is there twice counts once.
    """
    found: list[ModuleRow] = []
    seen: set[int] = set()
    waiting: list[tuple[str, object]] = [("", module)]
    while waiting and len(found) < _MOST_ROWS:
        name, value = waiting.pop()
        if not isinstance(value, UnmadeObject) or not _is_module(value):
            continue
        if id(value) in seen or len(name) > _LONGEST_NAME:
            continue
        seen.add(id(value))
        found.append(ModuleRow(name, value.name))
        parts = list(_parts(value).items())
        waiting.extend((f"{name}.{part}" if name else part, each) for part, each in reversed(parts))
    return tuple(found)


def class_names(*holders: object) -> tuple[str, ...]:
    """Return the class names from the first container that states them."""
    for holder in holders:
        held = holder.items if isinstance(holder, UnmadeObject) else holder
        if not isinstance(held, Mapping):
            continue
        for word in _NAMES_OF_CLASSES:
            if found := _listed(held.get(word)):
                return found
    return ()


def plain_settings(holder: object) -> dict[str, Any]:
    """Return an object's plain values for JSON, without tensors and modules."""
    held = holder.items if isinstance(holder, UnmadeObject) else holder
    if not isinstance(held, Mapping):
        return {}
    said = {name: value for name, value in held.items() if not name.startswith("_") and not _weighs(value)}
    return _PlainConversion().mapping(said, 0)


class _PlainConversion:
    """Conversion of a pickle's values for JSON, limited in their number."""

    def __init__(self) -> None:
        self._left = _MOST_VALUES

    def mapping(self, value: Mapping[str, object], depth: int) -> dict[str, Any]:
        found = {}
        for name, each in value.items():
            if self._left <= 0:
                break
            found[name[:_LONGEST_TEXT]] = self.value(each, depth + 1)
        return found

    def value(self, value: object, depth: int) -> Any:
        self._left -= 1
        if depth < _DEEPEST and isinstance(value, Mapping):
            return self.mapping(value, depth)
        if depth < _DEEPEST and isinstance(value, list | tuple):
            return [self.value(each, depth + 1) for each in value[: max(0, self._left)]]
        return f"<{value.name}>" if isinstance(value, UnmadeObject) else _scalar(value)


def _scalar(value: object) -> Any:
    match value:
        case None | bool():
            return value
        case int():
            return value if abs(value) < _LARGEST else None
        case float():
            return value if isfinite(value) else str(value)
    return value[:_LONGEST_TEXT] if isinstance(value, str) else None


def _outermost(contents: object) -> Iterator[UnmadeObject]:
    """Yield the modules that are inside no other one, each once."""
    seen: set[int] = set()
    waiting = [contents]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, UnmadeObject) and _is_module(value):
            yield value
        else:
            waiting.extend(reversed(_inside(value)))


def _is_module(value: UnmadeObject) -> bool:
    """Return whether an object is a module, TorchScript's too."""
    return isinstance(value.items.get(_PARTS), Mapping) or value.name.startswith("__torch__.")


def _parts(module: UnmadeObject) -> Mapping[str, object]:
    held = module.items.get(_PARTS)
    return held if isinstance(held, Mapping) else module.items


def _inside(value: object) -> list[object]:
    held = value.items if isinstance(value, UnmadeObject) else value
    if isinstance(held, Mapping):
        return list(held.values())
    return list(held) if isinstance(held, list | tuple) else []


def _weighs(value: object) -> bool:
    """Return whether a value holds tensors or modules."""
    if isinstance(value, PickledTensor) or (isinstance(value, UnmadeObject) and _is_module(value)):
        return True
    return bool(named_tensors(value)) or any(True for _ in _outermost(value))


def _listed(value: object) -> tuple[str, ...]:
    """Return the texts of a list, or of a numbered dict.

    It is empty for anything else.
    """
    if isinstance(value, Mapping):
        value = [value.get(str(at)) for at in range(len(value))]
    if not isinstance(value, list | tuple) or not 1 < len(value) <= _MOST_CLASSES:
        return ()
    return tuple(value) if all(isinstance(each, str) for each in value) else ()
