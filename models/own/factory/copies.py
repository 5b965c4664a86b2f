"""Copies of models that share nothing with them.

What cannot be copied, such as a lock or a computed tensor, ends a copy; and functions never are, so that one
that stands in place of ``forward`` goes on calling the layers that it was made with.
"""

import copy
import gc
import weakref
from collections.abc import Iterable
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef

__all__ = ["ModelCopy", "copied", "parts_of"]

_NOT_FOLLOWED = (type, ModuleType, CodeType, Tensor)


class ModelCopy(NamedTuple):
    """A copy of a model, or why there is none."""

    model: nn.Module | None
    why: str = ""


def parts_of(model: nn.Module) -> frozenset[object]:
    """Return weak references to a model's layers and memory, as a set."""
    dense = (each for each in _tensors(model) if each.layout == torch.strided and not each.is_quantized)
    return frozenset(
        (*map(weakref.ref, model.modules()), *(StorageWeakRef(each.untyped_storage()) for each in dense))
    )


def copied(model: nn.Module) -> ModelCopy:
    """Return a copy of a model, or the reason against one.

    The copy shares nothing with the model.
    """
    try:
        twin = copy.deepcopy(model)
    except Exception as error:  # noqa: BLE001  # whatever is raised by what cannot be copied
        return ModelCopy(None, f"{type(error).__name__}: {error}")
    original = {id(each) for each in (*model.modules(), *_tensors(model))}
    for name, layer in twin.named_modules():
        if _reaches(vars(layer), original):
            return ModelCopy(
                None, f"{name or type(layer).__name__} has a function that calls the model itself"
            )
    return ModelCopy(twin)


def _tensors(model: nn.Module) -> Iterable[Tensor]:
    return (*model.parameters(), *model.buffers())


def _reaches(start: object, sought: set[int]) -> bool:
    """Return whether references lead from an object to one of the ids."""
    seen, waiting = dict[int, object](), [start]
    while waiting:
        each = waiting.pop()
        if id(each) in sought:
            return True
        if id(each) not in seen:
            seen[id(each)] = each
            waiting.extend(_referents(each))
    return False


def _referents(each: Any) -> Iterable[object]:
    if isinstance(each, _NOT_FOLLOWED):
        return ()
    if isinstance(each, FunctionType):  # of its module's names, those that it uses
        used = (each.__globals__.get(name) for name in each.__code__.co_names)
        return (each.__closure__, each.__defaults__, each.__kwdefaults__, vars(each), *used)
    return gc.get_referents(each)
