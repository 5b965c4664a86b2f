"""Names of operations without a layer, such as ``F.relu`` and ``+``.

``layer1.0 › add`` is the addition in the code of ``layer1.0``, and ``layer1.0 › add 2`` the second one within
one call of that code; ``› relu`` stands in the model's own ``forward``. If a layer runs several times, its
operations have several calls, as it has itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import torch
from torch import nn

from ..layer_names import OPERATORS

# Functions that return the same numbers, or ask about them.
_SILENT = frozenset(
    {"get", "set", "size", "dim", "numel", "stride", "to", "type", "float", "half", "contiguous", "detach"}
    | {"clone", "tolist", "item", "is_floating_point", "requires_grad", "new_zeros", "new_ones", "expand_as"}
    | {"zeros_like", "ones_like", "empty_like", "type_as", "unbind", "has_names", "data_ptr"}
)
_WRITING = frozenset(
    f"__{name}__"
    for name in ("setitem", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior")
) | frozenset({"__ixor__", "__ilshift__", "__irshift__"})
# These write into a tensor whose shape, or memory, is then another one.
_RESHAPING = frozenset(
    {"as_strided_", "resize_", "resize_as_", "set_", "squeeze_", "swapaxes_", "swapdims_", "t_"}
    | {"transpose_", "unsqueeze_"}
)


@dataclass(frozen=True)
class Operation:
    """One operation in a model's code; all of them without a name."""

    model: nn.Module
    name: str = ""


Place: TypeAlias = nn.Module | Operation


def plain_name(function: Callable[..., Any]) -> str:
    """A function's plain name: ``add`` for ``__iadd__``, ``add_`` and ``+``."""
    name = getattr(function, "__name__", "").strip("_")
    return name[1:] if name[:1] in {"i", "r"} and name[1:] in OPERATORS else name


def computes(name: str) -> bool:
    """Check whether a function of this plain name computes.

    Others pass numbers on, or return facts about them.
    """
    return bool(name) and name not in _SILENT


def is_one_operation(layer: nn.Module) -> bool:
    """Check whether a layer is torch's own, without layers inside.

    Its output is then its one operation's.
    """
    package = type(layer).__module__.partition(".")[0]
    return package in {"torch", "torchvision"} and next(layer.children(), None) is None


def written_by(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> torch.Tensor | None:
    """The tensor that a call writes into in place, or None.

    Such calls are ``+=``, ``relu_`` and ``x[...] = y``.
    """
    name = getattr(function, "__name__", "")
    if isinstance(kwargs.get("out"), torch.Tensor):
        return cast("torch.Tensor", kwargs["out"])
    writes = name in _WRITING or (name.endswith("_") and not name.endswith("__")) or kwargs.get("inplace")
    if not writes or name in _RESHAPING:
        return None
    first = args[0] if args else next(iter(kwargs.values()), None)
    return first if isinstance(first, torch.Tensor) else None
