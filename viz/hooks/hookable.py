"""Checks before hooking, and the plain model inside its wrappers."""

from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from ..errors import RequestError, UnsupportedModelError
from ..sentences import Sentence
from .values.gradients import memory_of
from .values.structure import map_tensors, tensors_in

_WRAPPERS = {"DataParallel": "module", "DistributedDataParallel": "module", "OptimizedModule": "_orig_mod"}


def hookable_model(model: object) -> nn.Module:
    """Return the plain model inside its wrappers, if it can be hooked.

    The wrappers are those of DataParallel and torch.compile.

    Raises:
        UnsupportedModelError: not a module, scripted, sharded, on the meta device, or not yet initialised.
    """
    while isinstance(model, nn.Module) and type(model).__name__ in _WRAPPERS:
        model = getattr(model, _WRAPPERS[type(model).__name__])
    if not isinstance(model, nn.Module):
        raise UnsupportedModelError(_not_a_module(model))
    if isinstance(model, torch.jit.ScriptModule):
        raise UnsupportedModelError(
            "{kind} is a TorchScript module, which takes no hooks: use the Python model that it "
            "was made from.",
            kind=type(model).__name__,
        )
    _check_weights(model)
    return model


def device_for(model: nn.Module, device: str | torch.device) -> torch.device:
    """Return the requested device, or the best one for ``"auto"``.

    The best is CUDA, else MPS, else the CPU. ``"auto"`` keeps a model with quantised layers on the CPU, the
    only device with kernels for them.

    Raises:
        RequestError: this machine has no such device, or no device has that name.
    """
    if str(device) != "auto":
        return _named_device(device)
    if any(".quantized" in type(layer).__module__ for layer in model.modules()):
        return torch.device("cpu")
    if torch.cuda.is_available():
        return torch.device("cuda", torch.cuda.current_device())
    return torch.device("mps", 0) if torch.backends.mps.is_available() else torch.device("cpu")


def check_device(name: str) -> None:
    """Check that models can run there.

    Raises:
        RequestError: this machine has no such device, or no device has that name.
    """
    if name != "auto":
        _named_device(name)


def _named_device(name: str | torch.device) -> torch.device:
    try:
        return torch.empty(0, device=name).device  # "cuda" becomes "cuda:0"
    except RuntimeError as problem:
        why = str(problem).splitlines()[0][:200]
        raise RequestError(
            "the device {name} cannot be used ({why}): try auto or cpu.", name=repr(str(name)), why=why
        ) from problem


def moved(model: nn.Module, device: torch.device) -> nn.Module:
    """Return ``model`` on ``device``; it is moved in place, as ``nn.Module.to`` does."""
    weights = [*model.parameters(), *model.buffers()]
    return model if all(weight.device == device for weight in weights) else model.to(device)


def with_ordinary_weights(model: nn.Module) -> nn.Module:
    """Return ``model`` with ordinary copies of inference-mode weights and buffers.

    Autograd can neither keep such a tensor for a backward pass nor thaw it once it is frozen, and nobody may
    write into it. A weight that layers share stays shared.
    """
    copies: dict[int, torch.Tensor] = {}
    with torch.inference_mode(mode=False):
        for layer in model.modules():
            for own in (layer._parameters, layer._buffers):  # noqa: SLF001  (the named_ ones skip shared ones)
                for name, weight in own.items():
                    if weight is not None and weight.is_inference():
                        own[name] = copies.setdefault(id(weight), _ordinary(weight))  # type: ignore[assignment]
    return model


def _ordinary(weight: torch.Tensor) -> torch.Tensor:
    copy = weight.detach().clone()
    return nn.Parameter(copy, weight.requires_grad) if isinstance(weight, nn.Parameter) else copy


def placed(value: Any, device: torch.device) -> Any:
    """Return copies of model inputs on ``device``.

    So a model may write to its inputs. Inputs that share memory share it as copies too: a tensor given twice,
    a tensor and its view. The copies are part of the autograd graph: a caller's ``images.requires_grad_()``
    still gets its gradient.
    """
    copies: dict[int, torch.Tensor] = {}
    shared = _shared_memory(tensors_in(value))

    def copied(tensor: torch.Tensor) -> torch.Tensor:
        if id(tensor) not in copies:
            root = shared.get(id(tensor))
            copies[id(tensor)] = (
                tensor.to(device, copy=True) if root is None else _view(copied(root), tensor, root)
            )
        return copies[id(tensor)]

    return map_tensors(value, copied)


def _shared_memory(tensors: list[torch.Tensor]) -> dict[int, torch.Tensor]:
    """Return the root to copy for each tensor that shares its memory."""
    together: dict[int, dict[int, torch.Tensor]] = {}
    for tensor in tensors:
        for memory in memory_of(tensor):
            together.setdefault(memory, {})[id(tensor)] = tensor
    found: dict[int, torch.Tensor] = {}
    for group in together.values():
        if len(group) == 1:
            continue
        bases = [tensor if tensor._base is None else tensor._base for tensor in group.values()]  # noqa: SLF001
        one_base = all(base is bases[0] for base in bases) and _is_dense(bases[0])
        root = bases[0] if one_base else _whole(next(iter(group.values())))
        found |= {place: root for place, tensor in group.items() if tensor is not root}
    return found


def _is_dense(tensor: torch.Tensor) -> bool:
    """Return whether a copy of the tensor has the same memory layout."""
    return tensor.numel() * tensor.element_size() == tensor.untyped_storage().nbytes()


def _whole(tensor: torch.Tensor) -> torch.Tensor:
    """Return all of a tensor's memory as one row of values."""
    storage = tensor.untyped_storage()
    return torch.empty(0, dtype=tensor.dtype, device=tensor.device).set_(storage)


def _view(copy: torch.Tensor, tensor: torch.Tensor, root: torch.Tensor) -> torch.Tensor:
    """Return a tensor's view of its root, made on the root's copy."""
    if copy.dtype != tensor.dtype or (tensor.is_conj(), tensor.is_neg()) != (root.is_conj(), root.is_neg()):
        return tensor.to(copy.device, copy=True)
    return copy.as_strided(tensor.size(), tensor.stride(), tensor.storage_offset() - root.storage_offset())


def _not_a_module(model: object) -> Sentence:
    if isinstance(model, type) and issubclass(model, nn.Module):
        return Sentence("{name} is a class, not a model: call it first, {name}(...).", name=model.__name__)
    if isinstance(model, dict):
        return Sentence("a dict of weights is not a model: build the model and load the weights into it.")
    return Sentence(
        "a {kind} is not a torch.nn.Module, so it has no layers to hook.", kind=type(model).__name__
    )


def _check_weights(model: nn.Module) -> None:
    named = [*model.named_parameters(), *model.named_buffers()]
    lazy = [name for name, weight in named if is_lazy(weight)]
    if lazy:
        raise UnsupportedModelError(
            "{name} has no shape yet (a lazy layer): run the model once on an example input.",
            name=repr(lazy[0]),
        )
    meta = [name for name, weight in named if weight.is_meta]
    if meta:
        raise UnsupportedModelError(
            "{name} is on the meta device or offloaded, and has no values: load the whole model first.",
            name=repr(meta[0]),
        )
    sharded = [name for name, weight in named if type(weight).__name__ in {"DTensor", "ShardedTensor"}]
    devices = sorted({str(weight.device) for _, weight in named if weight.device.type != "cpu"})
    if sharded or len(devices) > 1:
        where = ", ".join(devices) or "several processes"
        raise UnsupportedModelError(
            "the model is spread over {places}: bring it onto one device first.", places=where
        )
