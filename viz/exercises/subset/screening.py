"""Arguments that may be passed on to PyTorch: numbers, tensors, lists of them; and sizes of results."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import torch
from torch import Tensor

from ...sentences import Sentence
from ..refusal import CodeError
from .bounds import MOST_BITS, MOST_LISTED
from .session import Session
from .values import kind_of

KEYWORDS = frozenset(
    {"dim", "keepdim", "min", "max", "k", "start_dim", "end_dim", "unbiased", "start", "end"}
)
_NUMBERS = (bool, int, float, type(None))
_LONG_BITS = 63


def screened(name: str, given: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Refuse arguments that a function of PyTorch is not to be given.

    Raises:
        CodeError: something is neither a number nor a tensor, nor a list of numbers; or a name is unknown.
    """
    for key in named:
        if key not in KEYWORDS:
            raise CodeError(Sentence("`{name}` takes nothing named `{key}` here.", name=name, key=key[:40]))
    for value in (*given, *named.values()):
        if not (type(value) is Tensor or is_plain(value)):
            raise CodeError(Sentence("`{name}` cannot take {kind} here.", name=name, kind=kind_of(value)))


def is_plain(value: Any) -> bool:
    """Return whether a value is a number that PyTorch can take, or a list of few of them."""
    if isinstance(value, list | tuple):
        return len(value) <= MOST_LISTED and all(_is_number(each) for each in value)
    return _is_number(value)


def _is_number(value: Any) -> bool:
    return type(value) in _NUMBERS and not (isinstance(value, int) and value.bit_length() > _LONG_BITS)


def take_together(session: Session, *values: Any) -> None:
    """Count the result of an operation of numbers and tensors, value by value, before it is made.

    A side of no length counts as one, because a sum over it has as many values as the other sides.

    Raises:
        CodeError: their shapes do not fit, or it would be too large.
    """
    shapes = [value.shape for value in values if type(value) is Tensor]
    try:
        session.take(prod(max(side, 1) for side in torch.broadcast_shapes(*shapes)))
    except RuntimeError:
        said = " and ".join(str(tuple(shape)) for shape in shapes)
        raise CodeError(
            Sentence("Tensors of the shapes `{shapes}` do not fit together.", shapes=said)
        ) from None


def shape_of(given: Sequence[Any]) -> tuple[int, ...]:
    """Return the shape in the arguments of ``torch.zeros``: numbers, or one list of them.

    Raises:
        CodeError: they are something else.
    """
    sides = given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given
    if not all(type(side) is int and 0 <= side < 1 << _LONG_BITS for side in sides):
        raise CodeError(Sentence("A shape is made of whole numbers, such as `torch.zeros(1, 3, 8, 8)`."))
    return tuple(sides)


def check_whole(value: Any) -> Any:
    """Return a value that is no whole number, or one that is not too large.

    Raises:
        CodeError: it is too large.
    """
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise CodeError(Sentence("This number is too large for these exercises."))
    if isinstance(value, complex):
        raise CodeError(Sentence("This has no real result."))
    return value
