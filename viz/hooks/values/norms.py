"""Right gradients of batch norms on a CPU.

PyTorch may read memory in the wrong order there. Maps (N, C, H, W) may lie in memory with their channels
last. PyTorch 2.15 decides that in two ways, which differ if an axis of size 1 has an unusual stride, as in
tokens that become the maps of one picture. If the gradient of a batch norm lies so, or its input, the
backward pass may mix up channels and places. It never does with a gradient whose strides leave no doubt.
InstanceNorm is a batch norm inside. Other norms, convolutions, poolings and interpolations were tried, and
are right.
"""

import contextlib
import functools
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, TypeAlias

import torch

from .gradients import has_memory

Gradients: TypeAlias = tuple[torch.Tensor | None, ...]

_FORMATS = {4: torch.channels_last, 5: torch.channels_last_3d}
_FUNCTIONS = ("batch_norm", "instance_norm", "native_batch_norm")  # layers call them too
_LOCK = threading.Lock()
_REPLACED: dict[str, Callable[..., Any]] = {}
_OPEN: Counter[str] = Counter()  # how many blocks need them replaced
_NOTICED: ContextVar[list[torch.Size] | None] = ContextVar("noticed", default=None)


@contextlib.contextmanager
def right_norms() -> Iterator[None]:
    """Let batch norms that run in this block compute right gradients.

    They do so in later backward passes, too. Nothing is done where PyTorch is right. Many threads may open
    blocks.
    """
    if _is_right():
        yield
        return
    _hold()
    try:
        yield
    finally:
        _let_go()


def _hold() -> None:
    with _LOCK:
        _OPEN["blocks"] += 1
        if not _REPLACED:
            _REPLACED.update({name: getattr(torch, name) for name in _FUNCTIONS})
            for name, function in _REPLACED.items():
                setattr(torch, name, _with_right_gradients(function))


def _let_go() -> None:
    with _LOCK:
        _OPEN["blocks"] -= 1
        if not _OPEN["blocks"]:
            for name, function in _REPLACED.items():
                setattr(torch, name, function)
            _REPLACED.clear()


@contextlib.contextmanager
def misread_gradients() -> Iterator[list[torch.Size]]:
    """Collect the shapes of gradients that PyTorch may misread in this block."""
    found: list[torch.Size] = []
    token = _NOTICED.set(found)
    try:
        yield found
    finally:
        _NOTICED.reset(token)


@functools.cache  # the same function each time, so that a compiled model need not be compiled again
def _with_right_gradients(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a norm whose backward pass gets gradients that it cannot misread."""

    @functools.wraps(function)
    def norm(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if torch.compiler.is_compiling() or not isinstance(result, torch.Tensor | tuple):
            return result
        with torch._C.DisableTorchFunction():  # noqa: SLF001  (what follows is no operation of the model)
            output = result if isinstance(result, torch.Tensor) else result[0]
            node = _norm_node(output.grad_fn) if output.device.type == "cpu" else None
            if node is not None:
                given = args[0] if args else kwargs["input"]
                node.register_prehook(_unmistakable if _is_mistakable(given) else _if_mistakable)
        return result

    return norm


def _norm_node(node: Any) -> Any:
    """Return the batch norm's node: in InstanceNorm, it lies behind a view."""
    while node is not None and "BatchNorm" not in node.name():
        node = node.next_functions[0][0] if node.next_functions else None
    return node


def _if_mistakable(gradients: Gradients) -> Gradients | None:
    return _unmistakable(gradients) if gradients[0] is not None and _is_mistakable(gradients[0]) else None


def _unmistakable(gradients: Gradients) -> Gradients:
    """Return the gradients, the first with channels last by all its strides."""
    first, *others = gradients
    if first is None or first.ndim not in _FORMATS:
        return gradients
    if (noticed := _NOTICED.get()) is not None:
        noticed.append(first.shape)
    return (first.clone(memory_format=_FORMATS[first.ndim]), *others)


def _is_mistakable(tensor: torch.Tensor) -> bool:
    """Check whether the channels lie last, but not by all strides."""
    last = _FORMATS.get(tensor.ndim)
    if last is None or not has_memory(tensor) or tensor.is_contiguous():
        return False
    if not tensor.is_contiguous(memory_format=last):
        return False
    return tensor.stride() != torch.empty(tensor.shape, device="meta", memory_format=last).stride()


@functools.cache
def _is_right() -> bool:
    """Try whether this PyTorch reads a gradient and an input right."""
    folded = torch.tensor([1.0, 2.0], device="cpu").repeat(4, 1).as_strided((1, 2, 2, 2), (2, 1, 4, 2))
    plain, ones = folded.contiguous(), torch.ones(2, device="cpu")
    return all(
        torch.equal(_norm_gradient(gradient, given, ones), _norm_gradient(plain, plain, ones))
        for gradient in (plain, folded)
        for given in (plain, folded)
    )


def _norm_gradient(gradient: torch.Tensor, given: torch.Tensor, ones: torch.Tensor) -> torch.Tensor:
    """Return the gradient through a batch norm, by autograd's own function."""
    asked = (ones, 0 * ones, ones, None, None, False, 0.0, [True, False, False])
    found: torch.Tensor = torch.ops.aten.native_batch_norm_backward(gradient, given, *asked)[0]
    return found
