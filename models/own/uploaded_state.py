"""Weights that a stranger sent: numbers and nothing else, and no more of them than the file itself holds.

First a table says which bytes of the file are which tensor (``state_reading``, without PyTorch); only what is
in it becomes a tensor, from those bytes and no others. No name in a file is looked up, and all memory that is
handed out was filled from the file.
"""

import os

import torch
from torch import Tensor

from ..errors import OwnWeightsError
from .state_reading import table_of
from .state_table import StateTable, StoredNumbers, checked

__all__ = ["check_size", "read_state", "size_limit", "tensors"]

_LIMIT = "LAYERGLASS_WEIGHTS_MB"
_DEFAULT_LIMIT = 512
_MEGABYTE = 1_000_000


def size_limit() -> int:
    """Return how many bytes a file of weights may have: ``LAYERGLASS_WEIGHTS_MB`` megabytes, or 512."""
    asked = os.environ.get(_LIMIT, "")
    return _MEGABYTE * (int(asked) if asked.isascii() and asked.isdigit() else _DEFAULT_LIMIT)


def read_state(data: bytes, *, limit: int | None = None) -> dict[str, Tensor]:
    """Return the tensors of a safetensors file or of a PyTorch state dict, by name, on the processor.

    Weights inside a checkpoint (under ``state_dict``, ``model`` and the like) are found. The prefixes that
    DataParallel and torch.compile put before every name are removed.

    Args:
        data: the file's bytes.
        limit: the most bytes that it may have; ``size_limit()`` by default.

    Raises:
        OwnWeightsError: the file is too large, damaged, or holds something other than weights.
    """
    check_size(data, limit)
    return tensors(data, table_of(data))


def check_size(data: bytes, limit: int | None = None) -> None:
    """Refuse a file of more than ``limit`` bytes, by default ``size_limit()``.

    Raises:
        OwnWeightsError: it is larger.
    """
    limit = size_limit() if limit is None else limit
    if len(data) > limit:
        raise OwnWeightsError(
            "This file of weights has more than the {most} MB that are read here.",
            most=f"{limit / _MEGABYTE:,.0f}",
        )


def tensors(data: bytes, table: StateTable) -> dict[str, Tensor]:
    """Return the tensors of a table, by name; those that share numbers in the file share them here.

    Args:
        data: the file's bytes.
        table: what ``table_of`` found in them, here or in another process.

    Raises:
        OwnWeightsError: the table does not fit these bytes.
    """
    checked(table, len(data))
    stored = [_numbers(data, each) for each in table.storages]
    return {
        each.name: torch.as_strided(stored[each.storage], each.shape, each.stride, each.offset)
        for each in table.tensors
    }


def _numbers(data: bytes, stored: StoredNumbers) -> Tensor:
    """Return stored numbers in memory of their own, which holds a copy of their bytes and nothing else."""
    dtype: torch.dtype = getattr(torch, stored.dtype)
    if stored.start == stored.stop:
        return torch.zeros(0, dtype=dtype)
    copied = bytearray(memoryview(data)[stored.start : stored.stop])
    numbers = torch.frombuffer(copied, dtype=dtype)
    if dtype is torch.bool:
        numbers.view(torch.uint8).clamp_(max=1)  # a byte of another value would be neither true nor false
    return numbers
