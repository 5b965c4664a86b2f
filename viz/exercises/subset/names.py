"""The names that an answer finds: functions of Python, and ``torch``."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from ...sentences import Sentence
from ..refusal import CodeError
from .bounds import LONGEST_TEXT
from .session import Session
from .shown import shown
from .tensors import FUNCTIONS
from .values import Layer, Namespace, NativeFunction, kind_of

_MOST_DIGITS = 20
_NUMBERS = (bool, int, float)


def _number(value: Any) -> Any:
    """A number, or the only value of a tensor.

    Raises:
        CodeError: it is something else.
    """
    if type(value) is Tensor and value.numel() == 1:
        return value.item()
    if type(value) in _NUMBERS:
        return value
    raise CodeError(Sentence("This needs a number, not {kind}.", kind=kind_of(value)))


def _length(_: Session, value: Any) -> int:
    if type(value) in (str, list, tuple, dict, range):
        return len(value)
    if type(value) is Tensor and value.ndim:
        return len(value)
    if type(value) is Layer:
        return len(value.children)
    raise CodeError(Sentence("There is no length of {kind}.", kind=kind_of(value)))


def _range(_: Session, *ends: Any) -> range:
    if not all(type(end) is int for end in ends):
        raise CodeError(Sentence("`range` counts whole numbers, such as `range(3)`."))
    return range(*ends)


def _print(session: Session, *values: Any) -> None:
    session.print(map(shown, values))


def _of_numbers(name: str, function: Callable[[list[Any]], Any]) -> NativeFunction:
    def call(session: Session, *given: Any) -> Any:
        values = session.listed(given[0] if len(given) == 1 else list(given))
        return function([_number(value) for value in values])

    return NativeFunction(name, call)


def _round(_: Session, value: Any, digits: Any = None) -> Any:
    if digits is not None and not (type(digits) is int and abs(digits) <= _MOST_DIGITS):
        raise CodeError(Sentence("`round` takes a number and how many digits to keep."))
    return round(_number(value), digits)


def _text(_: Session, value: Any) -> str:
    return shown(value)[:LONGEST_TEXT]


def _enumerated(session: Session, values: Any) -> list[tuple[int, Any]]:
    return list(enumerate(session.listed(values)))


def _paired(session: Session, *lists: Any) -> list[tuple[Any, ...]]:
    return list(zip(*map(session.listed, lists), strict=False))


def _dict(_: Session) -> dict[Any, Any]:
    return {}


def _listing(name: str, kind: Callable[[list[Any]], Any]) -> NativeFunction:
    return NativeFunction(name, lambda session, values=(): kind(session.listed(values)))


NAMES = {
    "abs": NativeFunction("abs", lambda _, value: abs(_number(value))),
    "bool": NativeFunction("bool", lambda _, value: bool(_number(value))),
    "dict": NativeFunction("dict", _dict),
    "enumerate": NativeFunction("enumerate", _enumerated),
    "float": NativeFunction("float", lambda _, value: float(_number(value))),
    "int": NativeFunction("int", lambda _, value: int(_number(value))),
    "len": NativeFunction("len", _length),
    "list": _listing("list", list),
    "max": _of_numbers("max", max),
    "min": _of_numbers("min", min),
    "print": NativeFunction("print", _print),
    "range": NativeFunction("range", _range),
    "round": NativeFunction("round", _round),
    "sorted": _of_numbers("sorted", sorted),
    "str": NativeFunction("str", _text),
    "sum": _of_numbers("sum", sum),
    "torch": Namespace("torch", dict(FUNCTIONS)),
    "tuple": _listing("tuple", tuple),
    "zip": NativeFunction("zip", _paired),
}
"""Everything that has a name before an answer begins, apart from the net and its picture."""
