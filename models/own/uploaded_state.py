"""Tensors from a stranger's file of weights, and nothing else.

There are no more numbers than the file itself holds; those that it repeats are written out, into at most as
many bytes as it has. First a table says which bytes of the file are which tensor (``state_reading``, without
PyTorch); only what is in it becomes a tensor, from those bytes and no others. No name in a file is looked up,
and all memory that is handed out was filled from the file.
"""

import torch
from torch import Tensor

from .state_finding import likely_place
from .state_reading import table_of
from .state_size import check_size
from .state_table import PlacedTensor, StateTable, StoredNumbers, checked

__all__ = ["outlines", "read_state", "tensors"]


def read_state(data: bytes, *, limit: int | None = None) -> dict[str, Tensor]:
    """Return the largest state dict of a safetensors or PyTorch file.

    Its tensors are on the processor, by name. What DataParallel, torch.compile and their like put before
    every name is removed. A file may hold several models, or one inside another: ``load_with`` finds the
    weights of a model in what this returns.

    Args:
        data: the file's bytes.
        limit: the most bytes that it may have; ``size_limit()`` by default.

    Raises:
        OwnWeightsError: the file is too large, damaged, or holds something other than weights.
    """
    check_size(data, limit)
    table = table_of(data)
    names = {each.name: None for each in table.tensors}
    place = likely_place(names)
    inside = table.only({name for name in names if name.startswith(place)})
    return {name.removeprefix(place): value for name, value in tensors(data, inside).items()}


def outlines(table: StateTable) -> dict[str, Tensor]:
    """Return a table's tensors without numbers, as ``compare`` takes them.

    They have names, shapes and types.
    """
    return {
        each.name: torch.empty(
            each.shape, dtype=getattr(torch, table.storages[each.storage].dtype), device="meta"
        )
        for each in table.tensors
    }


def tensors(data: bytes | memoryview, table: StateTable) -> dict[str, Tensor]:
    """Return the tensors of a table, by name.

    Those that share numbers in the file share them here, unless one repeats some of its own.

    Args:
        data: the file's bytes.
        table: what ``table_of`` found in them, here or in another process.

    Raises:
        OwnWeightsError: the table does not fit these bytes.
    """
    checked(table, len(data))
    stored = [_numbers(data, each) for each in table.storages]

    def view(each: PlacedTensor) -> Tensor:
        found = torch.as_strided(stored[each.storage], each.shape, each.stride, each.offset)
        return found.contiguous() if each.repeats else found

    return {each.name: view(each) for each in table.tensors}


def _numbers(data: bytes | memoryview, stored: StoredNumbers) -> Tensor:
    """Return stored numbers as a tensor, copied into memory of their own."""
    dtype: torch.dtype = getattr(torch, stored.dtype)
    if stored.start == stored.stop:
        return torch.zeros(0, dtype=dtype)
    copied = bytearray(memoryview(data)[stored.start : stored.stop])
    numbers = torch.frombuffer(copied, dtype=dtype)
    if dtype is torch.bool:
        numbers.view(torch.uint8).clamp_(max=1)  # a byte of another value would be neither true nor false
    return numbers
