"""First difference between a value and the wanted one, in words."""

from typing import Any

import torch
from torch import Tensor

from ..sentences import Sentence
from .subset.shown import shown
from .subset.values import kind_of

RELATIVE, ABSOLUTE = 1e-3, 1e-5  # the same sum in another order differs less
_NUMBERS = (bool, int, float)


def difference(name: str, value: Any, wanted: Any) -> Sentence | None:
    """Return a value's difference from the wanted one, or None.

    Args:
        name: what to call it, such as ``maps`` or ``kept["stem"]``.
        value: what the answer made.
        wanted: what the solution made.
    """
    if type(wanted) is Tensor and type(value) is Tensor:
        return _of_tensors(name, value, wanted)
    if type(wanted) in _NUMBERS and type(value) in _NUMBERS:
        return None if _is_close(value, wanted) else _other(name, value, wanted)
    if type(wanted) is not type(value):
        return Sentence(
            "`{name}` is {kind}; {wanted} was asked for.",
            name=name,
            kind=kind_of(value),
            wanted=kind_of(wanted),
        )
    if isinstance(wanted, list | tuple):
        return _of_lists(name, value, wanted)
    if isinstance(wanted, dict):
        return _of_dicts(name, value, wanted)
    return None if _is_same(value, wanted) else _other(name, value, wanted)


def _is_same(value: Any, wanted: Any) -> bool:
    """Return whether two texts are equal, or two objects identical."""
    return bool(value == wanted) if isinstance(wanted, str) or wanted is None else value is wanted


def _is_close(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= ABSOLUTE + RELATIVE * abs(wanted)


def _other(name: str, value: Any, wanted: Any) -> Sentence:
    return Sentence(
        "`{name}` is `{value}`; `{wanted}` was asked for.",
        name=name,
        value=shown(value, 1),
        wanted=shown(wanted, 1),
    )


def _of_tensors(name: str, value: Tensor, wanted: Tensor) -> Sentence | None:
    """Return two tensors' first difference, and the number of such places."""
    if value.shape != wanted.shape:
        return Sentence(
            "`{name}` has the shape `{shape}`; `{wanted}` was asked for.",
            name=name,
            shape=str(tuple(value.shape)),
            wanted=str(tuple(wanted.shape)),
        )
    ours, theirs = value.detach().double(), wanted.detach().double()
    differs = ~torch.isclose(ours, theirs, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True)
    if not differs.any():
        return None
    place = tuple(differs.nonzero()[0].tolist())
    where = f"[{', '.join(map(str, place))}]" if place else ""
    return Sentence(
        "`{name}` has other values: `{place}` is {value}, and {wanted} was asked for. Of {all} values "
        "{differ} differ.",
        name=name,
        place=f"{name}{where}",
        value=f"{float(ours[place]) + 0.0:.4g}",
        wanted=f"{float(theirs[place]) + 0.0:.4g}",
        all=f"{value.numel():,}",
        differ=f"{int(differs.sum()):,}",
    )


def _of_lists(name: str, value: Any, wanted: Any) -> Sentence | None:
    if len(value) != len(wanted):
        return Sentence(
            "The length of `{name}` is {count}; {wanted} was asked for.",
            name=name,
            count=len(value),
            wanted=len(wanted),
        )
    pairs = enumerate(zip(value, wanted, strict=True))
    found = (difference(f"{name}[{place}]", each, its) for place, (each, its) in pairs)
    return next(filter(None, found), None)


def _of_dicts(name: str, value: dict[Any, Any], wanted: dict[Any, Any]) -> Sentence | None:
    for key, its in wanted.items():
        if key not in value:
            return Sentence("`{name}` has nothing under `{key}`.", name=name, key=shown(key, 1))
        found = difference(f"{name}[{shown(key, 1)}]", value[key], its)
        if found is not None:
            return found
    more = next((key for key in value if key not in wanted), None)
    if more is not None:
        return Sentence(
            "`{name}` has something under `{key}`, which was not asked for.", name=name, key=shown(more, 1)
        )
    return None
