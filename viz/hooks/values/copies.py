"""Copies of tensors and of their containers that nothing can overwrite."""

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from types import CellType, FunctionType
from typing import Any, TypeAlias

import numpy as np
import torch

from ...sentences import Sentence
from .containers import SETS, opened

_lazy_clone = getattr(torch, "_lazy_clone", None)
_uses = getattr(torch._C, "_storage_Use_Count", None)  # noqa: SLF001  (nothing else tells of a NumPy view)
_address = getattr(torch._C, "_data_address", None)  # noqa: SLF001  (PyTorch's own tests of lazy copies ask it)


class UnkeptPart:
    """Stand-in for a part that cannot be kept, with the reason."""

    def __init__(self, why: Sentence) -> None:
        self.why = why

    def __repr__(self) -> str:
        return f"<not kept: {self.why}>"


Reducer: TypeAlias = Callable[[torch.Tensor], Any]
Array: TypeAlias = np.ndarray[Any, Any]


def kept(
    value: Any, of_tensor: Reducer | None = None, of_array: Callable[[Array], Array] = np.ndarray.copy
) -> Any:
    """Return a copy of ``value`` that no later write reaches.

    Tensors are detached. Containers keep their types, but a set becomes a tuple, for it would not keep the
    order that names its tensors, and a dict's view as well. What would be used up or changed by looking into
    it, such as a generator, becomes a ``UnkeptPart``.

    Args:
        value: what a layer took or returned.
        of_tensor: what to keep of each tensor instead of a copy.
        of_array: likewise of each NumPy array.
    """
    copied = of_tensor or safe_copy
    return copied(value) if isinstance(value, torch.Tensor) else _StructureCopy(copied, of_array).of(value)


def copy_of(tensor: torch.Tensor, *, safe: bool = False) -> torch.Tensor:
    """Return a detached copy of a tensor.

    The memory is shared until somebody writes to one of the two; only then it is copied (copy-on-write). So
    keeping what is never overwritten, as most of a model is, costs next to nothing. A write through a NumPy
    array on the same memory does not make them part: a ``safe`` copy, of what is in no graph yet, is made at
    once if there may be one.
    """
    plain = tensor.detach() if tensor.requires_grad else tensor
    if _lazy_clone is None or not _shares_lazily(plain) or (safe and plain is tensor and _has_others(tensor)):
        return plain.clone()
    try:
        lazy: torch.Tensor = _lazy_clone(plain)
    except RuntimeError:  # memory that is not PyTorch's own: a NumPy array's, a mapped file's
        return plain.clone()
    return lazy


def safe_copy(tensor: torch.Tensor) -> torch.Tensor:
    """Return a ``safe`` copy of a tensor: see ``copy_of``."""
    return copy_of(tensor, safe=True)


def _has_others(tensor: torch.Tensor) -> bool:
    """Return whether others than a tensor and its base have its memory."""
    known = 2 if tensor._base is None else 3  # noqa: SLF001  (one of them is this look at the memory)
    return _uses is not None and _uses(tensor.untyped_storage()._cdata) > known  # noqa: SLF001


class TensorState:
    """A tensor's memory, and the values in it, at one moment.

    Attributes:
        alias: another tensor with that memory.
    """

    def __init__(self, tensor: torch.Tensor) -> None:
        self._tensor, self._place, self._before = tensor, _place(tensor), safe_copy(once(tensor))
        self.alias = tensor.detach()

    @property
    def is_changed(self) -> bool:
        """True if either is another one now, or nobody can tell."""
        if _place(self._tensor) != self._place:
            return True
        try:
            return not torch.equal(once(self._tensor), self._before)
        except RuntimeError:  # not every kind of tensor can be compared
            return True

    def put_back(self) -> None:
        """Restore both."""
        with torch.inference_mode(mode=self._tensor.is_inference()):
            once(self.alias.data).copy_(self._before)
            self._tensor.data = self.alias.data  # it may lie in another tensor's memory by now


def _place(tensor: torch.Tensor) -> tuple[Any, ...]:
    """Return the part of the memory that a tensor's values lie in.

    Asking for an address would make copies of lazy ones.
    """
    if tensor.layout is not torch.strided or tensor.is_nested:
        return ()
    memory = tensor.untyped_storage()._cdata  # noqa: SLF001
    return memory, tensor.storage_offset(), tensor.dtype, tensor.shape, tensor.stride()


def once(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor's part that has each of its numbers once.

    An expanded one repeats them, and cannot be written into.
    """
    if tensor.layout is torch.strided and not tensor.is_nested:
        for axis, step in enumerate(tensor.stride()):
            tensor = tensor.narrow(axis, 0, 1) if step == 0 and tensor.shape[axis] else tensor
    return tensor


def memory_place(tensor: torch.Tensor) -> Hashable | None:
    """Return the place of a tensor's values, or None if unknown.

    It is equal for copies that share memory. Asking does not make the copies part, as ``data_ptr`` would.
    """
    if _address is None or not _shares_lazily(tensor) or tensor.is_neg() or tensor.is_conj():
        return None
    how = tensor.numel() if tensor.is_contiguous() else (tensor.shape, tensor.stride())
    return _address(tensor), tensor.dtype, how


def _shares_lazily(tensor: torch.Tensor) -> bool:
    return (
        type(tensor) is torch.Tensor
        and tensor.layout is torch.strided
        and tensor.is_cpu  # elsewhere a clone costs little, and is known to be right
        and not tensor.is_quantized
        and not tensor.is_nested
    )


class _StructureCopy:
    """One copy of a structure, in which shared parts stay shared."""

    def __init__(self, of_tensor: Reducer, of_array: Callable[[Array], Array]) -> None:
        self._of_tensor, self._of_array = of_tensor, of_array
        self._copies: dict[int, Any] = {}
        self._alive: list[Any] = []  # an id means nothing once its value is gone

    def of(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return self._of_tensor(value)
        if isinstance(value, np.ndarray):
            return self._of_array(value)
        if id(value) in self._copies:
            return self._copies[id(value)]
        container = opened(value)
        if container is None:
            return _plain(value)
        self._alive.append(value)
        self._copies[id(value)] = value  # a ring closes on the original: its copy does not exist yet
        parts = [self.of(part) for part in container.parts]
        if isinstance(value, tuple | frozenset) and all(
            a is b for a, b in zip(parts, container.parts, strict=True)
        ):
            return value
        self._copies[id(value)] = tuple(parts) if isinstance(value, SETS) else container.around(parts)
        return self._copies[id(value)]


def _plain(value: Any) -> Any:
    """Return a value without tensors, or a stand-in for any other."""
    if isinstance(value, Iterator):
        return UnkeptPart(
            Sentence(
                "a {kind} cannot be kept: looking into it would use it up. Let the layer return a list.",
                kind=type(value).__name__,
            )
        )
    if isinstance(value, FunctionType) and any(_holds_tensors(cell) for cell in value.__closure__ or ()):
        return UnkeptPart(
            Sentence(
                "the function {name} holds tensors that cannot be kept: let the layer return them.",
                name=value.__name__,
            )
        )
    return value


def _holds_tensors(cell: CellType) -> bool:
    waiting, seen = deque([cell.cell_contents] if _filled(cell) else []), set()
    while waiting:
        value = waiting.popleft()
        if isinstance(value, torch.Tensor):
            return True
        container = None if id(value) in seen else opened(value)
        seen.add(id(value))
        waiting.extend(container.parts if container else ())
    return False


def _filled(cell: CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True
