"""Files of weights as visitors send them, some of them made to do harm."""

import io
import json
import os
import pickle
import zipfile
from pathlib import Path

import torch
from torch import Tensor


class Planted:
    """Its pickle creates an empty file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, ...]:
        """Return what pickle is to call."""
        return os.mkdir, (str(self._path),)


def saved(value: object, *, legacy: bool = False, protocol: int = 2) -> bytes:
    """Return what ``torch.save`` writes, as it does today or as it did before 2020."""
    file = io.BytesIO()
    torch.save(value, file, pickle_protocol=protocol, _use_new_zipfile_serialization=not legacy)
    return file.getvalue()


def safetensors_file(header: object, body: bytes = b"") -> bytes:
    """Return a safetensors file by the format's own rules, whether or not its header tells the truth."""
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def claim(shape: list[int], end: int) -> dict[str, object]:
    """Return a header of one tensor."""
    return {"conv.weight": {"dtype": "F32", "shape": shape, "data_offsets": [0, end]}}


def rewritten(archive: bytes, *, compression: int = zipfile.ZIP_STORED, **changes: bytes) -> bytes:
    """Return an archive of ``torch.save`` with other bytes in some parts; ``data`` stands for its pickle."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(file, "w", compression) as new:
        for name in old.namelist():
            key = Path(name).stem
            new.writestr(name, changes.get(key, old.read(name)))
    return file.getvalue()


def pickle_in(archive: bytes) -> bytes:
    """Return the pickle in an archive of ``torch.save``."""
    with zipfile.ZipFile(io.BytesIO(archive)) as parts:
        return parts.read("archive/data.pkl")


def ten_gigabytes() -> bytes:
    """Return a pickle of 40 bytes that asks for ten gigabytes, by a name that torch itself allows."""
    return b"\x80\x02cbuiltins\nbytearray\n" + pickle.dumps(10**10, protocol=2)[2:-1] + b"\x85R."


def state(seed: int = 0) -> dict[str, Tensor]:
    """Return weights of LeNet's shapes, written down here, different for every seed."""
    shapes = {
        "conv1": (6, 3, 5, 5),
        "conv2": (16, 6, 5, 5),
        "fc1": (120, 400),
        "fc2": (84, 120),
        "fc3": (10, 84),
    }
    generator = torch.Generator().manual_seed(seed)
    weights = {f"{name}.weight": torch.randn(shape, generator=generator) for name, shape in shapes.items()}
    biases = {f"{name}.bias": torch.randn(shape[0], generator=generator) for name, shape in shapes.items()}
    return weights | biases
