"""Reading of a file of weights without running a pickle's code."""

import pickle
import struct
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from .errors import WeightsDamagedError
from .refused_memory import is_refused_memory, is_whole

__all__ = ["UNREADABLE", "read_state_dict"]

# Errors that torch.load was seen to raise for files that are cut short, of another kind, or malicious.
UNREADABLE = (
    pickle.UnpicklingError,
    struct.error,
    RuntimeError,
    OSError,
    EOFError,
    ValueError,
    LookupError,
    AttributeError,
    TypeError,
    AssertionError,
    OverflowError,
    MemoryError,
)


def read_state_dict(path: Path) -> dict[str, Any]:
    """Return a ``torch.save`` file's weights by name, on the processor.

    They are tensors; quantised layers also keep a data type, and a pair of weight and bias.

    Raises:
        WeightsDamagedError: the file is cut short, or holds anything other than named tensors.
        MemoryError: the file is whole, and there is not enough memory for it.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about pickles of other kinds, which are then refused or read
            state = torch.load(path, map_location="cpu", weights_only=True)
    except UNREADABLE as error:
        if is_refused_memory(error) and is_whole(path):
            raise MemoryError(f"no memory for {path.name}") from error
        raise WeightsDamagedError(
            "{file} is damaged; delete it, and it will be fetched again", file=path
        ) from error
    if not isinstance(state, Mapping) or not all(map(_is_weight, state.values())):
        raise WeightsDamagedError("{file} holds something else than named weights; delete it", file=path)
    return dict(state)


def _is_weight(value: object) -> bool:
    parts = value if isinstance(value, tuple) else (value,)
    return all(isinstance(part, Tensor | torch.dtype) or part is None for part in parts)
