"""Arguments that may go to PyTorch, and sizes of its results."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from math import prod
from typing import Any

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
    """Return whether a value is one number, or a list of few.

    PyTorch must be able to take each number.
    """
    if isinstance(value, list | tuple):
        return len(value) <= MOST_LISTED and all(_is_number(each) for each in value)
    return _is_number(value)


def _is_number(value: Any) -> bool:
    return type(value) in _NUMBERS and not (isinstance(value, int) and value.bit_length() > _LONG_BITS)


def take_together(session: Session, *values: Any) -> None:
    """Count an operation's result before it is made.

    The operation is of numbers and tensors, value by value. A side of no length counts as one, because a sum
    over it has as many values as the other sides.

    Raises:
        CodeError: their shapes do not fit, or it would be too large.
    """
    shapes = [value.shape for value in values if type(value) is Tensor]
    # Not by torch.broadcast_shapes, whose first use in a process imports SymPy: most of a second.
    sides = [{*each} - {1} for each in zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1)]
    if any(len(each) > 1 for each in sides):
        said = " and ".join(str(tuple(shape)) for shape in shapes)
        raise CodeError(Sentence("Tensors of the shapes `{shapes}` do not fit together.", shapes=said))
    session.take(prod(max(each | {1}) for each in sides))


def shape_of(given: Sequence[Any]) -> tuple[int, ...]:
    """Return the shape in the arguments of ``torch.zeros``.

    They are numbers, or one list of them.

    Raises:
        CodeError: they are something else.
    """
    sides = given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given
    if not all(type(side) is int and 0 <= side < 1 << _LONG_BITS for side in sides):
        raise CodeError(Sentence("A shape is made of whole numbers, such as `torch.zeros(1, 3, 8, 8)`."))
    return tuple(sides)


def check_whole(value: Any) -> Any:
    """Return a value that is neither complex nor too large.

    Raises:
        CodeError: it is one of these.
    """
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise CodeError(Sentence("This number is too large for these exercises."))
    if isinstance(value, complex):
        raise CodeError(Sentence("This has no real result."))
    return value
