"""Values in brackets: ``maps[0, 3]``, ``kept["stem"]``, ``output[:, 3] = 0``."""

from typing import Any

import torch
from torch import Tensor

from ...sentences import Sentence, counted
from ..refusal import CodeError
from .bounds import LARGEST_TENSOR, MOST_ITEMS
from .operators import checked_key
from .screening import is_plain
from .session import Session
from .shown import shown
from .values import IndexedValues, Layer, kind_of

_SIMPLE = (int, bool, slice, type(None), type(...))
_NO_PLACE = Sentence(
    "A tensor's place is made of whole numbers and slices, such as `maps[0, 3]` or `maps[:, 1:4]`."
)


def read_place(session: Session, owner: Any, place: Any) -> Any:
    """Return the value at a place in brackets.

    Raises:
        CodeError: the owner has no such places, or this would be too large.
    """
    if type(owner) is Tensor:
        _check_place(owner, place)
        session.take(_size_at(owner, place))
        return owner[place]
    if type(owner) is dict:
        if checked_key(place) not in owner:
            raise CodeError(Sentence("There is nothing under `{key}` in this dict yet.", key=shown(place, 1)))
        return owner[place]
    if type(owner) is Layer and owner.row is not None:
        owner = owner.row
    if type(owner) in (list, tuple, range, str, IndexedValues) and isinstance(place, int | slice):
        if isinstance(place, int) and not -len(owner) <= place < len(owner):
            raise CodeError(
                counted(
                    "There is no place {place} here: this holds {count} value.",
                    "There is no place {place} here: this holds {count} values.",
                    place=place,
                    count=len(owner),
                )
            )
        return owner[place]
    raise CodeError(Sentence("There is no such place in {kind}.", kind=kind_of(owner)))


def write_place(session: Session, owner: Any, place: Any, value: Any) -> None:
    """Write a value into a tensor, a list or a dict.

    Raises:
        CodeError: nothing can be written there, or not this.
    """
    if type(owner) is Tensor:
        _check_place(owner, place)
        if not (type(value) is Tensor or is_plain(value)) or isinstance(value, list | tuple):
            raise CodeError(Sentence("A tensor holds numbers, not {kind}.", kind=kind_of(value)))
        session.take(_size_at(owner, place))
        owner[place] = value
    elif type(owner) is dict:
        if len(owner) >= MOST_ITEMS:
            session.listed(range(MOST_ITEMS + 1))
        owner[checked_key(place)] = value
    elif type(owner) is list and type(place) is int:
        owner[place] = value
    else:
        raise CodeError(Sentence("Nothing can be written into {kind} in this way.", kind=kind_of(owner)))


def _check_place(owner: Tensor, place: Any) -> None:
    parts = place if type(place) is tuple else (place,)
    special = [part for part in parts if type(part) not in _SIMPLE]
    if len(special) > 1 or not all(_is_some(owner, part) for part in special):
        raise CodeError(_NO_PLACE)
    for part in parts:
        if isinstance(part, slice) and not all(
            type(end) in (int, type(None)) for end in (part.start, part.stop, part.step)
        ):
            raise CodeError(_NO_PLACE)


def _is_some(owner: Tensor, part: Any) -> bool:
    """Return whether a part chooses some places, by numbers or booleans."""
    if type(part) is Tensor:
        return not part.is_floating_point() and part.numel() <= owner.numel()
    return type(part) is list and is_plain(part)


def _size_at(owner: Tensor, place: Any) -> int:
    """Return the number of values at a place, before taking them.

    They are counted on a device that holds none.
    """
    parts = place if type(place) is tuple else (place,)
    some = next((part for part in parts if type(part) in (Tensor, list)), None)
    if some is None:
        return 0  # a view
    if type(some) is Tensor and some.dtype == torch.bool:
        return owner.numel()
    where = [torch.empty_like(part, device="meta") if type(part) is Tensor else part for part in parts]
    chosen = owner.detach().to("meta")[tuple(where)]
    return min(chosen.numel(), LARGEST_TENSOR + 1)
