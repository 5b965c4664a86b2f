"""Files of captured outputs: one array for each layer's name."""

import io
import zipfile
import zlib
from pathlib import PurePath

import numpy as np
import safetensors.torch
import torch
from safetensors import SafetensorError

from ..errors import RequestError
from ..profile.cost import free_memory

_UNREADABLE = (
    *(ValueError, TypeError, OSError, EOFError, RuntimeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, SafetensorError),
)


def read_values(name: str, data: bytes) -> dict[str, torch.Tensor]:
    """Return the arrays of an NPZ or a safetensors file.

    Its name has the format's ending, and no code in it is run.

    Raises:
        RequestError: the file is damaged, or holds something other than numbers.
    """
    try:
        found = safetensors.torch.load(data) if PurePath(name).suffix == ".safetensors" else _of_npz(data)
    except _UNREADABLE as error:
        raise RequestError(
            "{source} holds no captured values: {error}", source=name, error=str(error)
        ) from error
    if not found:
        raise RequestError("{source} holds no captured values: it is empty.", source=name)
    return found


def _of_npz(data: bytes) -> dict[str, torch.Tensor]:
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        size = sum(part.file_size for part in parts.infolist())
    if size > free_memory():
        raise ValueError(f"its arrays take {size / 1e9:,.1f} GB, and {free_memory() / 1e9:,.1f} GB are free")
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return {name: torch.from_numpy(np.ascontiguousarray(archive[name])) for name in archive.files}
