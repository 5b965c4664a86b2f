"""Weights that a stranger sent: numbers and nothing else, and no more of them than the file itself holds.

What a file claims is checked before anything is made of it. A pickle is first read as a list of instructions,
none of which is carried out; only one that does nothing but name tensors goes on to ``torch.load``, and there
``weights_only=True`` refuses code a second time.
"""

import io
import os
import pickletools
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from models.errors import OwnWeightsError
from models.weights_file import UNREADABLE

__all__ = ["read_state", "size_limit"]

_LIMIT = "LAYERGLASS_WEIGHTS_MB"
_DEFAULT_LIMIT = 512
_MEGABYTE = 1_000_000
_LONGEST_HEADER = 8 * _MEGABYTE  # bytes of names and shapes: those of a billion parameters take a tenth
_MOST_ENTRIES = 100_000
_MOST_STEPS = 4_000_000  # a state dict takes about 30 for each tensor
_ZIP, _PICKLE, _ENTRY = b"PK\x03\x04", b"\x80", b"PK\x01\x02"
_LEGACY_PICKLES = 5  # magic number, version, machine, the weights, the names of their storages
_WRAPPERS = ("state_dict", "model_state_dict", "model", "net", "weights")
_PREFIXES = ("module.", "_orig_mod.")  # left by DataParallel and by torch.compile
_HARMLESS = {
    "collections OrderedDict",
    *(f"torch._utils _rebuild_{kind}" for kind in ("tensor", "tensor_v2", "parameter")),
    *(f"torch {name}" for name in ("Size", "device", "Tensor")),
}
_NAMING = {"GLOBAL", "INST", "STACK_GLOBAL", "EXT1", "EXT2", "EXT4"}  # steps that name a thing to be used
_PYTORCH = "PyTorch file"
_SAVE = "save model.state_dict() alone, best as safetensors"


def size_limit() -> int:
    """Return how many bytes a file of weights may have: ``LAYERGLASS_WEIGHTS_MB`` megabytes, or 512."""
    asked = os.environ.get(_LIMIT, "")
    return _MEGABYTE * (int(asked) if asked.isascii() and asked.isdigit() else _DEFAULT_LIMIT)


def read_state(data: bytes, *, limit: int | None = None) -> dict[str, Tensor]:
    """Return the tensors of a safetensors file or of a PyTorch state dict, by name, on the processor.

    Weights inside a checkpoint (under ``state_dict``, ``model`` and the like) are found, and what
    DataParallel and torch.compile put before every name is taken off.

    Args:
        data: the file's bytes.
        limit: how many bytes are too many; ``size_limit()`` unless it is said.

    Raises:
        OwnWeightsError: the file is too large, damaged, or holds something else than weights.
    """
    limit = size_limit() if limit is None else limit
    if not data:
        raise OwnWeightsError("This file of weights is empty.")
    if len(data) > limit:
        raise OwnWeightsError(
            f"This file of weights has more than the {limit / _MEGABYTE:,.0f} MB that are read here."
        )
    state = _tensors(_contents(data))
    if not state:
        raise OwnWeightsError(f"This file holds no weights by name; {_SAVE}.")
    return _without_prefix(state)


def _contents(data: bytes) -> object:
    if data.startswith(_ZIP):
        _check_zip(data)
        return _loaded(data)
    if data.startswith(_PICKLE):
        _check_pickles(data, _LEGACY_PICKLES)
        return _loaded(data)
    if data[8:9] == b"{":
        return _safetensors(data)
    raise OwnWeightsError("This is neither a safetensors file nor a PyTorch state dict (.pt, .pth).")


def _safetensors(data: bytes) -> dict[str, Tensor]:
    header = int.from_bytes(data[:8], "little")
    if header > _LONGEST_HEADER:
        most = _LONGEST_HEADER // _MEGABYTE
        raise OwnWeightsError(
            f"This safetensors file claims a header of {header / _MEGABYTE:,.0f} MB; more than {most} MB of "
            f"names and shapes are not read."
        )
    with _readable("safetensors file", "what it claims to hold is not what is in it"):
        state: dict[str, Tensor] = safetensors.torch.load(data)
    return state


@contextmanager
def _readable(kind: str, more: str = "it cannot be read to its end") -> Iterator[None]:
    """Say in one sentence that a file cannot be read, whichever of its readers found out."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about files of other kinds, which are then refused or read
            yield
    except OwnWeightsError:
        raise
    except (SafetensorError, zipfile.BadZipFile, *UNREADABLE) as error:
        raise OwnWeightsError(f"This {kind} is damaged or cut short: {more}.") from error


def _check_zip(data: bytes) -> None:
    """Refuse an archive that would unpack to more than it is, before anything of it is unpacked."""
    if data.count(_ENTRY) > _MOST_ENTRIES:
        raise OwnWeightsError(f"This file has more than {_MOST_ENTRIES:,} parts; {_SAVE}.")
    with _readable(_PYTORCH), zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        _check_parts(parts, len(data))
        for part in parts:
            if part.filename.endswith(".pkl"):
                _check_pickles(archive.read(part), 1)


def _check_parts(parts: list[zipfile.ZipInfo], size: int) -> None:
    packed = any(part.compress_type != zipfile.ZIP_STORED for part in parts)
    if packed or sum(part.file_size for part in parts) > size:
        raise OwnWeightsError(
            f"This archive would unpack to more than its own {size:,} bytes, unlike PyTorch's; {_SAVE}."
        )
    if any(part.file_size > _LONGEST_HEADER for part in parts if part.filename.endswith(".pkl")):
        raise OwnWeightsError(f"This file holds far more names than weights have; {_SAVE}.")


def _check_pickles(data: bytes, count: int) -> None:
    """Refuse pickles that do anything but name tensors; their instructions are read, not carried out."""
    stream, steps = io.BytesIO(data), 0
    with _readable(_PYTORCH):
        for code, argument, _ in (step for _ in range(count) for step in pickletools.genops(stream)):
            steps += 1
            if steps > _MOST_STEPS:
                raise OwnWeightsError(f"This file holds far more names than weights have; {_SAVE}.")
            if code.name in _NAMING:
                _check_named(str(argument or "objects"))


def _check_named(thing: str) -> None:
    storage = thing.startswith("torch ") and thing.endswith("Storage")
    number_kind = thing.startswith("torch ") and isinstance(getattr(torch, thing[6:], None), torch.dtype)
    if thing not in _HARMLESS and not storage and not number_kind:
        shown = "".join(filter(str.isprintable, thing.replace(" ", ".")))[:80]
        raise OwnWeightsError(
            f"This file holds more than weights ({shown}); nothing in it was run. Please {_SAVE}."
        )


def _loaded(data: bytes) -> object:
    with _readable(_PYTORCH):
        return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)


def _tensors(contents: object) -> dict[str, Tensor]:
    """Return the named tensors of a state dict, or of the first one that a checkpoint wraps."""
    if not isinstance(contents, Mapping):
        return {}
    for key in _WRAPPERS:
        inside = _plain_tensors(contents.get(key))
        if inside:
            return inside
    return _plain_tensors(contents)


def _plain_tensors(contents: Any) -> dict[str, Tensor]:
    if not isinstance(contents, Mapping):
        return {}
    return {key: value.detach() for key, value in contents.items() if isinstance(key, str) and _plain(value)}


def _plain(value: object) -> bool:
    """Return whether it is a tensor with numbers in it, here, each at its own place."""
    return (
        isinstance(value, Tensor)
        and value.layout is torch.strided
        and value.device.type == "cpu"
        and not value.is_quantized
    )


def _without_prefix(state: dict[str, Tensor]) -> dict[str, Tensor]:
    for prefix in _PREFIXES:
        if all(name.startswith(prefix) for name in state):
            return _without_prefix({name.removeprefix(prefix): value for name, value in state.items()})
    return state
