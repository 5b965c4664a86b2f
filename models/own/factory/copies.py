"""Copies of models that share nothing with them.

What cannot be copied, such as a lock or a computed tensor, ends a copy; and functions and classes never are,
so that one that stands in place of ``forward`` goes on calling the layers that it was made with. Only what a
call of the model may run is searched for such a way back to them: ``forward``, hooks, and what these name.
"""

import copy
import dis
import gc
import sys
import sysconfig
import weakref
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef
from torch.optim import Optimizer

__all__ = ["ModelCopy", "copied", "parts_of"]

# An optimizer changes weights, and computes nothing with them.
_NOT_FOLLOWED = (ModuleType, CodeType, Tensor, Optimizer)
_LIFE = ("__new__", "__init__", "__post_init__", "__del__")  # these run where an object is made
# Libraries know no model of others. What else is installed may be an operator's own.
_NAMES = (
    "IPython PIL _pytest accelerate anywidget beartype captum cv2 diffusers einops hydra ipykernel "
    "ipywidgets jaxtyping kornia lightning loguru marimo matplotlib monai numpy omegaconf open_clip "
    "pandas peft plotly pytest pytorch_lightning ray scipy segmentation_models_pytorch skimage sklearn "
    "streamlit tensorboard timm torch torch_geometric torchaudio torchvision tqdm traitlets transformers "
    "ultralytics wandb"
)
_LIBRARIES = frozenset(_NAMES.split())
_PYTHONS = Path(sysconfig.get_path("stdlib")).resolve()
_INSTALLED = {"site-packages", "dist-packages"}  # folders in that one, of what is not Python's


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
    search = _Search(original)
    for name, layer in reversed([*twin.named_modules()]):  # a layer before those that hold it
        if search.leads_from(layer):
            return ModelCopy(
                None, f"{name or type(layer).__name__} has a function or class that calls the model itself"
            )
    return ModelCopy(twin)


def _tensors(model: nn.Module) -> Iterable[Tensor]:
    return (*model.parameters(), *model.buffers())


class _Search:
    """Walk along references and what code names, to some ids.

    What was seen leads to none. It is kept, so that no other object gets its id.
    """

    def __init__(self, sought: set[int]) -> None:
        self._sought, self._seen = sought, dict[int, object]()
        # Attributes of classes wait until code that was seen names them, be it of whatever object.
        self._named, self._waiting = {"forward"}, defaultdict[str, list[object]](list)

    def leads_from(self, start: object) -> bool:
        """Return whether a way leads from an object to the ids."""
        ahead = [start]
        while ahead:
            each = ahead.pop()
            if id(each) in self._sought:
                return True
            if id(each) not in self._seen:
                self._seen[id(each)] = each
                ahead.extend(self._referents(each))
        return False

    def _referents(self, each: Any) -> Iterable[object]:
        if isinstance(each, _NOT_FOLLOWED):
            return ()
        if isinstance(each, type):
            return (*self._attributes(each), *each.__bases__)
        if isinstance(each, FunctionType):
            return (each.__closure__, each.__defaults__, each.__kwdefaults__, vars(each), *self._used(each))
        return gc.get_referents(each)

    def _attributes(self, owner: type) -> Iterator[object]:
        """Yield a class's attributes that are named, or that syntax calls."""
        library = _of_a_library(vars(sys.modules.get(owner.__module__, object)))
        if library and not issubclass(owner, nn.Module):
            return
        for name, value in vars(owner).items():
            if name in self._named or (name == "__call__" if library else _by_syntax(name)):
                yield value
            else:
                self._waiting[name].append(value)

    def _used(self, function: FunctionType) -> Iterator[object]:
        """Yield what a function names: attributes of classes, and globals.

        The globals of a library lead to no model, but its layers call methods that others put in their place.
        """
        names = _names(function.__code__)
        for name in {name for _, *attributes in names for name in attributes} - self._named:
            self._named.add(name)
            yield from self._waiting.pop(name, ())
        if not _of_a_library(function.__globals__):
            yield from _globals(function, names)


def _by_syntax(name: str) -> bool:
    return name.startswith("__") and name not in _LIFE


def _globals(function: FunctionType, names: Iterable[tuple[str, ...]]) -> Iterator[object]:
    """Yield what names mean in a function's module.

    They may go on into other modules. A class that is not only asked for an attribute may be called, which
    makes an object.
    """
    for first, *others in names:
        value = function.__globals__.get(first)
        for name in others:
            yield value
            known = isinstance(value, ModuleType) and not _of_a_library(vars(value))
            value = vars(value).get(name) if known else None
        yield value
        if isinstance(value, type):
            yield from (getattr(value, name, None) for name in _LIFE)


@lru_cache(maxsize=10_000)
def _names(code: CodeType) -> frozenset[tuple[str, ...]]:
    """Return the dotted names that code reads, in parts.

    The first part is a global, or empty before an attribute of anything else: ``self.net`` is not the
    module's ``net``. Code of functions and classes inside is read too, and words, as ``getattr`` takes them.
    """
    inside = (_names(each) for each in code.co_consts if isinstance(each, CodeType))
    found = {("", each) for each in code.co_consts if isinstance(each, str)}.union(*inside)
    dotted: tuple[str, ...] = ("",)
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_METHOD" or step.opname.endswith("_ATTR"):
            dotted = (*dotted, step.argval)
        elif step.opname != "EXTENDED_ARG":
            found.add(dotted)
            dotted = (step.argval if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") else "",)
    return frozenset(found)


def _of_a_library(module: Mapping[str, Any]) -> bool:
    """Return whether a module with these globals is Python's or a library's."""
    if str(module.get("__name__")).partition(".")[0] in _LIBRARIES:
        return True
    file = Path(module.get("__file__") or "").resolve()
    return file.is_relative_to(_PYTHONS) and _INSTALLED.isdisjoint(file.relative_to(_PYTHONS).parts)
