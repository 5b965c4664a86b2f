"""Copies of models that share nothing with them.

What cannot be copied, such as a lock or a computed tensor, ends a copy; and functions and classes never are,
so that one that stands in place of ``forward`` goes on calling the layers that it was made with.
"""

import copy
import dis
import gc
import sys
import weakref
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef

__all__ = ["ModelCopy", "copied", "parts_of"]

_NOT_FOLLOWED = (ModuleType, CodeType, Tensor)
_INSTALLED = {"site-packages", "dist-packages"}  # folders of libraries, which know no model of others


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
    seen = dict[int, object]()
    for name, layer in reversed([*twin.named_modules()]):  # a layer before those that hold it
        if _reaches(layer, original, seen):
            return ModelCopy(
                None, f"{name or type(layer).__name__} has a function or class that calls the model itself"
            )
    return ModelCopy(twin)


def _tensors(model: nn.Module) -> Iterable[Tensor]:
    return (*model.parameters(), *model.buffers())


def _reaches(start: object, sought: set[int], seen: dict[int, object]) -> bool:
    """Return whether references lead from an object to one of the ids.

    What was seen leads to none. It is kept, so that no other object gets its id.
    """
    waiting = [start]
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
    if isinstance(each, type):
        return () if _of_a_library(each.__module__) else (*vars(each).values(), *each.__bases__)
    if isinstance(each, FunctionType):
        used = () if _of_a_library(each.__globals__.get("__name__")) else _used(each)
        return (each.__closure__, each.__defaults__, each.__kwdefaults__, vars(each), *used)
    return gc.get_referents(each)


def _used(function: FunctionType) -> Iterator[object]:
    """Yield what a function reads of its module, and of others what it names of them."""
    for first, *others in _names(function.__code__):
        value = function.__globals__.get(first)
        for name in others:
            known = isinstance(value, ModuleType) and not _of_a_library(value.__name__)
            value = vars(value).get(name) if known else None
        yield value


@lru_cache(maxsize=10_000)
def _names(code: CodeType) -> frozenset[tuple[str, ...]]:
    """Return the dotted names that code reads of its module, in parts.

    The code of functions and classes inside it is read too. A name of an attribute counts for nothing else:
    ``self.net`` is not the module's ``net``.
    """
    inside = (_names(each) for each in code.co_consts if isinstance(each, CodeType))
    found, dotted = set[tuple[str, ...]]().union(*inside), tuple[str, ...]()
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            dotted = (step.argval,)
        elif dotted and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            dotted = (*dotted, step.argval)
        elif step.opname != "EXTENDED_ARG":
            dotted = ()
        if dotted:
            found.add(dotted)
    return frozenset(found)


def _of_a_library(module: object) -> bool:
    """Return whether a module of that name is Python's or installed."""
    file = getattr(sys.modules.get(str(module)), "__file__", None) or ""
    return str(module).partition(".")[0] in sys.stdlib_module_names or not _INSTALLED.isdisjoint(
        Path(file).parts
    )
