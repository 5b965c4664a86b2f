"""Results of signs between values, within the bounds of a run."""

import operator
from collections.abc import Callable, Mapping
from math import log2
from typing import Any

import torch
from torch import Tensor

from ...sentences import Sentence
from ..refusal import CodeError
from .bounds import LONGEST_TEXT, MOST_BITS, MOST_ITEMS
from .screening import check_whole, take_together
from .session import Session
from .values import kind_of

Two = Callable[[Any, Any], Any]
_NUMBERS = (bool, int, float)
_SCALARS = (*_NUMBERS, str, type(None))
_SIGNS: Mapping[str, tuple[str, Two]] = {
    "Add": ("+", operator.add),
    "Sub": ("-", operator.sub),
    "Mult": ("*", operator.mul),
    "Div": ("/", operator.truediv),
    "FloorDiv": ("//", operator.floordiv),
    "Mod": ("%", operator.mod),
    "Pow": ("**", operator.pow),
}
_IN_PLACE: Mapping[str, Two] = {
    "Add": operator.iadd,
    "Sub": operator.isub,
    "Mult": operator.imul,
    "Div": operator.itruediv,
}
_COMPARED: Mapping[str, Two] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}


def combined(session: Session, sign: str, left: Any, right: Any) -> Any:
    """Return ``left sign right`` for numbers, tensors, texts and lists.

    Raises:
        CodeError: there is no such thing, or it would be too large.
    """
    shown, function = _SIGNS[sign]
    if _is_tensor_sum(left, right):
        take_together(session, left, right)
        return function(left, right)
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        _check_numbers(sign, left, right)
        return check_whole(function(left, right))
    if sign == "Add" and type(left) is type(right) and type(left) in (str, list, tuple):
        most = LONGEST_TEXT if isinstance(left, str) else MOST_ITEMS
        if len(left) + len(right) <= most:
            return left + right
        raise CodeError(Sentence("This grows longer than an exercise needs."))
    raise CodeError(
        Sentence(
            "This has no meaning here: {left} `{sign}` {right}.",
            left=kind_of(left),
            sign=shown,
            right=kind_of(right),
        )
    )


def combined_in_place(session: Session, sign: str, left: Any, right: Any) -> Any:
    """Return the result of ``left sign= right``.

    A tensor ``left`` is overwritten, a list grows.
    """
    if type(left) is Tensor and _is_tensor_sum(left, right) and sign in _IN_PLACE:
        take_together(session, left, right)
        return _IN_PLACE[sign](left, right)
    if type(left) is list and sign == "Add":
        more = session.listed(right)
        combined(session, sign, left, more)  # whether that is too long
        left.extend(more)
        return left
    return combined(session, sign, left, right)


def _is_tensor_sum(left: Any, right: Any) -> bool:
    kinds = {type(left), type(right)}
    return Tensor in kinds and kinds <= {Tensor, *_NUMBERS}


def _check_numbers(sign: str, left: Any, right: Any) -> None:
    """Refuse a power or product that would be too large."""
    if not (isinstance(left, int) and isinstance(right, int)):
        return
    bits = left.bit_length() + right.bit_length()
    if sign == "Pow" and right > 0:
        bits = int(right * max(1.0, log2(abs(left) + 1))) if right <= MOST_BITS else MOST_BITS + 2
        bits = 1 if abs(left) <= 1 else bits
    if bits > MOST_BITS + 1:
        raise CodeError(Sentence("This number is too large for these exercises."))


def compared(session: Session, sign: str, left: Any, right: Any) -> Any:
    """Return a comparison: True or False, or a tensor of these.

    Raises:
        CodeError: the two cannot be compared here.
    """
    if sign in ("Is", "IsNot"):
        return (left is right) == (sign == "Is")
    if sign in ("In", "NotIn"):
        return _is_in(session, left, right) == (sign == "In")
    if _is_tensor_sum(left, right):
        take_together(session, left, right)
        return _COMPARED[sign](left, right)
    if _is_flat(left) and _is_flat(right):
        return _COMPARED[sign](left, right)
    raise CodeError(
        Sentence("Here {left} and {right} cannot be compared.", left=kind_of(left), right=kind_of(right))
    )


def _is_flat(value: Any) -> bool:
    """Return whether comparing a value takes no longer than it is long."""
    if type(value) in (list, tuple):
        return len(value) <= MOST_ITEMS and all(type(each) in _SCALARS for each in value)
    return type(value) in _SCALARS


def _is_in(session: Session, value: Any, found: Any) -> bool:
    if type(found) is str and type(value) is str:
        return value in found
    if type(found) is dict:
        return checked_key(value) in found
    items = session.listed(found)
    if not (_is_flat(value) and _is_flat(items)):
        raise CodeError(Sentence("`in` looks for numbers and texts here."))
    return value in items


def checked_key(value: Any) -> Any:
    """Return a value that may be a key of a dict.

    It is a number, a text, None, a tuple of these, or a layer.

    Raises:
        CodeError: it is something else.
    """
    if type(value) in _SCALARS or (type(value) is tuple and _is_flat(value)) or kind_of(value) == "a layer":
        return value
    raise CodeError(Sentence("The key of a dict cannot be {kind} here.", kind=kind_of(value)))


def negated(session: Session, sign: str, value: Any) -> Any:
    """Return ``-value`` or ``+value``.

    Raises:
        CodeError: it is neither a number nor a tensor.
    """
    if type(value) is Tensor:
        session.take(value.numel())
        return torch.neg(value) if sign == "USub" else value
    if type(value) in _NUMBERS:
        return -value if sign == "USub" else +value
    raise CodeError(Sentence("There is no sign before {kind}.", kind=kind_of(value)))


def is_true(value: Any) -> bool:
    """Return whether a value counts as true.

    Raises:
        CodeError: it is a tensor of several values.
    """
    if type(value) is Tensor and value.numel() != 1:
        raise CodeError(
            Sentence(
                "A tensor of {count} values is neither true nor false: ask `.any()` or `.all()`.",
                count=value.numel(),
            )
        )
    return bool(value)
