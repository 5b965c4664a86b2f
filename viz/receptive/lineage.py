"""Boxes of tensors while a model runs, through views and in-place writes.

Tensors are identified by the memory that they look at, not by their Python objects: a view of a tensor is
another object, and what is written through one of them is seen through all.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef

from .boxes import Boxes, no_boxes, spread, union

_SWEEP_EVERY = 256  # new memories between two searches for those that were freed


class _Look(NamedTuple):
    """A tensor's view of its memory."""

    itemsize: int
    offset: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]


class _Memory(NamedTuple):
    """Boxes of all tensors that look at one memory, the newest last.

    While it is held, the weak reference keeps the memory's address from being reused.
    """

    alive: StorageWeakRef
    boxes: dict[_Look, Boxes]


class Lineage:
    """The boxes of every tensor that depends on the picture.

    Args:
        planes: how many planes a box has.
        most: how large a memory may be whose parts are told apart when they are written one by one; beyond
            that, all of them get the union of their boxes.
    """

    def __init__(self, planes: int = 4, most: int | None = None) -> None:
        self._planes, self._most = planes, most
        self._memories: dict[int, _Memory] = {}
        self._until_sweep = _SWEEP_EVERY

    def __len__(self) -> int:
        return len(self._memories)

    def get(self, tensor: Tensor) -> Boxes | None:
        """Return a tensor's boxes.

        None if it does not depend on the picture.
        """
        memory = self._memory(tensor)
        if memory is None:
            return None
        found = memory.boxes.get(_look(tensor))
        if found is None:
            found = self._seen_by(tensor, memory.boxes)
            memory.boxes[_look(tensor)] = found
        return found

    def put(self, tensor: Tensor, boxes: Boxes) -> None:
        """Keep the boxes of a new tensor, or of a new view."""
        memory = self._memory(tensor)
        if memory is None:
            memory = _Memory(StorageWeakRef(tensor.untyped_storage()), {})
            self._memories[_address(tensor)] = memory
            self._sweep()
        memory.boxes[_look(tensor)] = boxes

    def write(self, tensor: Tensor, boxes: Boxes) -> None:
        """Keep the boxes of a tensor that was written in place.

        They hold for every tensor that shares its memory.
        """
        memory = self._memory(tensor)
        if memory is not None and _same(memory.boxes.get(_look(tensor)), boxes):
            return  # whatever else looks at this memory has kept its boxes too
        if memory is not None:
            length = tensor.untyped_storage().nbytes() // tensor.element_size()
            part = tensor.numel() < length
            before = {_all_of(tensor): self._flat(tensor, memory.boxes)} if part else {}
            memory.boxes.clear()
            memory.boxes.update(before)
        self.put(tensor, boxes)

    def _memory(self, tensor: Tensor) -> _Memory | None:
        return self._memories.get(_address(tensor))

    def _flat(self, tensor: Tensor, known: Mapping[_Look, Boxes]) -> Boxes:
        """Return the boxes of a tensor's whole memory as one row."""
        whole = _all_of(tensor)
        mixed = any(look.itemsize != whole.itemsize for look in known)  # read as numbers of another size
        if mixed or (self._most is not None and whole.shape[0] > self._most):
            ends = (boxes.each(lambda plane: spread(plane, ()).flatten()[:1]) for boxes in known.values())
            return union(ends, whole.shape, self._planes)
        row = no_boxes(whole.shape, self._planes).each(Tensor.clone)
        for look, boxes in known.items():
            index = torch.arange(whole.shape[0]).as_strided(look.shape, look.stride, look.offset).flatten()
            for target, plane in zip(row.planes, boxes.planes, strict=True):
                target[index] = plane.flatten()
        return replace(row, cause=next((boxes.cause for boxes in known.values() if boxes.cause), ""))

    def _seen_by(self, tensor: Tensor, known: Mapping[_Look, Boxes]) -> Boxes:
        """Return the boxes of a new view of a known memory."""
        look, row = _look(tensor), self._flat(tensor, known).each(Tensor.contiguous)
        return row.each(lambda plane: plane.as_strided(look.shape, look.stride, look.offset))

    def _sweep(self) -> None:
        self._until_sweep -= 1
        if not self._until_sweep:
            gone = [address for address, memory in self._memories.items() if memory.alive.expired()]
            for address in gone:
                del self._memories[address]
            self._until_sweep = _SWEEP_EVERY


def _same(old: Boxes | None, new: Boxes) -> bool:
    """Return whether boxes are the same planes as before."""
    return old is not None and all(
        (one.data_ptr(), one.stride()) == (other.data_ptr(), other.stride())
        for one, other in zip(old.planes, new.planes, strict=True)
    )


def _address(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)  # noqa: SLF001  (the address of the memory's record, as StorageWeakRef uses it)


def _look(tensor: Tensor) -> _Look:
    return _Look(
        tensor.element_size(), int(tensor.storage_offset()), tuple(tensor.shape), tuple(tensor.stride())
    )


def _all_of(tensor: Tensor) -> _Look:
    """Return a tensor's look at all of its memory as one row."""
    size = tensor.element_size()
    return _Look(size, 0, (tensor.untyped_storage().nbytes() // size,), (1,))
