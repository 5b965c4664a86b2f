"""Attributes that answers may read: one list for each type.

Nothing else in this room reaches an attribute by a visitor's word: no ``getattr``, and no name that is not on
a list below, however it was written.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from torch import Tensor

from ...sentences import Sentence
from ..near_misses import of_attribute
from ..refusal import CodeError
from . import layers, tensors
from .bounds import MOST_ITEMS
from .operators import checked_key
from .places import write_place
from .session import Session
from .values import Handle, IndexedValues, Layer, Namespace, NativeFunction, kind_of

Read = Callable[[Session, Any], Any]


def _bound(native: NativeFunction) -> Read:
    def bind(_: Session, owner: Any) -> NativeFunction:
        return NativeFunction(
            native.name, lambda session, *given, **named: native.call(session, owner, *given, **named)
        )

    return bind


def _methods(natives: Mapping[str, NativeFunction]) -> dict[str, Read]:
    return {name: _bound(native) for name, native in natives.items()}


def _append(session: Session, items: list[Any], value: Any) -> None:
    if len(items) >= MOST_ITEMS:
        session.listed(range(MOST_ITEMS + 1))
    items.append(value)


def _got(_: Session, found: dict[Any, Any], key: Any, otherwise: Any = None) -> Any:
    return found.get(key, otherwise)


def _got_or_put(session: Session, found: dict[Any, Any], key: Any, otherwise: Any = None) -> Any:
    if checked_key(key) not in found:
        write_place(session, found, key, otherwise)
    return found[key]


def _parameter(name: str) -> Read:
    """Return a reader of a copy of a layer's weights.

    The net itself stays as it is.
    """

    def read(session: Session, layer: Layer) -> Tensor | None:
        value = dict(layer.module.named_parameters(recurse=False)).get(name)
        if value is None:
            return None
        session.take(value.numel())
        return value.detach().clone()

    return read


def _number(of: str) -> Read:
    """Return a reader of one of a layer's plain numbers.

    None where the layer has none.
    """

    def read(_: Session, layer: Layer) -> Any:
        value = vars(layer.module).get(of)
        return value if type(value) in (int, tuple, bool, str) else None

    return read


_LAYER_NUMBERS = (
    *("in_channels", "out_channels", "kernel_size", "stride", "padding", "groups", "training"),
    *("in_features", "out_features", "inplace"),
)

_TENSOR: dict[str, Read] = {
    "shape": lambda _, tensor: tuple(tensor.shape),
    "ndim": lambda _, tensor: tensor.ndim,
    "grad": lambda _, tensor: tensor.grad if tensor.is_leaf or tensor.retains_grad else None,
    "requires_grad": lambda _, tensor: tensor.requires_grad,
    "T": lambda _, tensor: tensor.t(),
    **_methods(tensors.METHODS),
}
_LAYER: dict[str, Read] = {
    "weight": _parameter("weight"),
    "bias": _parameter("bias"),
    **{name: _number(name) for name in _LAYER_NUMBERS},
    **_methods(layers.METHODS),
}
_LIST: dict[str, Read] = _methods(
    {
        "append": NativeFunction("append", _append),
        "pop": NativeFunction("pop", lambda _, items, place=-1: items.pop(place)),
        "clear": NativeFunction("clear", lambda _, items: items.clear()),
    }
)
_DICT: dict[str, Read] = _methods(
    {
        "get": NativeFunction("get", _got),
        "items": NativeFunction("items", lambda _, found: list(found.items())),
        "keys": NativeFunction("keys", lambda _, found: list(found)),
        "setdefault": NativeFunction("setdefault", _got_or_put),
        "values": NativeFunction("values", lambda _, found: list(found.values())),
        "clear": NativeFunction("clear", lambda _, found: found.clear()),
    }
)
_HANDLE: dict[str, Read] = _methods({"remove": NativeFunction("remove", layers.remove)})
_LARGEST: dict[str, Read] = {"values": lambda _, found: found[0], "indices": lambda _, found: found[1]}

TABLES: Mapping[type, Mapping[str, Read]] = {
    Tensor: _TENSOR,
    Layer: _LAYER,
    list: _LIST,
    dict: _DICT,
    Handle: _HANDLE,
    IndexedValues: _LARGEST,
}
"""By type: which names may stand after a dot, and what each of them gives."""


def attribute(session: Session, owner: Any, name: str, written: str = "") -> Any:
    """Return the attribute of that name in the type's list.

    A layer also has the layers below it.

    Args:
        session: the run of the answer, which keeps its bounds.
        owner: the value before the dot.
        name: the name after it.
        written: the owner as it was written, for the sentence that says what to write instead.

    Raises:
        CodeError: the list has no such name.
    """
    read = TABLES.get(type(owner), {}).get(name)
    if read is not None:
        return read(session, owner)
    if type(owner) is Layer and name in owner.children:
        return owner.children[name]
    if type(owner) is Namespace and name in owner.functions:
        return owner.functions[name]
    raise CodeError(of_attribute(type(owner).__name__, written[:40], name) or _unknown(owner, name))


def _unknown(owner: Any, name: str) -> Sentence:
    """Report an unknown name, and the names that come near it."""
    known = [*TABLES.get(type(owner), {})]
    if type(owner) is Layer:
        known = [*owner.children, *known]
    if type(owner) is Namespace:
        known = [*owner.functions]
    near = ", ".join(get_close_matches(name, known, 3) or known[:6])
    what = owner.name if type(owner) is Namespace else kind_of(owner)
    if not near:
        return Sentence("There is no `.{name}` of {what} here.", what=what, name=name[:40])
    return Sentence(
        "There is no `.{name}` of {what} here; there is {near}.", what=what, name=name[:40], near=near
    )
