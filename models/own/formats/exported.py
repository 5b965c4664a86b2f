"""Weights in a file of ``torch.export.save`` (.pt2).

The file is an archive with a JSON list of which part is which tensor.

Source: torch/export/pt2_archive and torch/_export/serde/schema.py.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from ...errors import OwnWeightsError
from ..state_archive import Range, archive_parts
from ..state_refusals import LONGEST_LIST, PYTORCH, damaged, too_many_names
from ..state_table import PlacedTensor, StateTable, StoredNumbers

__all__ = ["is_exported", "read_exported"]

_FORMAT, _LIST = "/archive_format", "/data/weights/model_weights_config.json"
_FIRST_RELEASES = "serialized_exported_program.json"  # of PyTorch 2.1 to 2.7
_TYPES = {
    **dict(enumerate(("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"), 1)),
    **dict(enumerate(("complex32", "complex64", "complex128", "bool", "bfloat16"), 9)),
    **dict(enumerate(("uint16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz"), 28)),
    **dict(enumerate(("float8_e5m2fnuz", "float8_e8m0fnu", "uint32", "uint64"), 32)),
}


def is_exported(names: Collection[str]) -> bool:
    """Return whether an archive with these parts is an exported program."""
    return any(name.endswith(_FORMAT) or name == _FIRST_RELEASES for name in names)


def read_exported(data: bytes) -> StateTable:
    """Return the tensors of an exported program, and their places.

    Raises:
        OwnWeightsError: it holds none in a form that is read here.
        LookupError, RecursionError, TypeError, ValueError: it is damaged.
    """
    parts = archive_parts(data)
    listed = next((name for name in parts if name.endswith(_LIST)), "")
    if not listed:
        raise OwnWeightsError("This .pt2 file has no list of weights; export it again with a newer PyTorch.")
    start, stop = parts[listed]
    if stop - start > LONGEST_LIST:
        raise too_many_names()
    config = json.loads(str(data[start:stop], "utf-8"))["config"]
    if not isinstance(config, dict):
        raise damaged(PYTORCH)
    return _table(config, listed.rpartition("/")[0], parts)


def _table(listed: Mapping[str, Any], folder: str, parts: Mapping[str, Range]) -> StateTable:
    """Return the table of a list; several names may share one part."""
    storages: dict[str, StoredNumbers] = {}
    places: dict[str, int] = {}
    tensors = []
    for name, entry in listed.items():
        if entry["use_pickle"]:  # a tensor of a class of its own
            continue
        meta, path = entry["tensor_meta"], f"{folder}/{entry['path_name']}"
        stored = StoredNumbers(*parts[path], _TYPES[meta["dtype"]])
        if storages.setdefault(path, stored) != stored:
            raise damaged(PYTORCH, untrue=True)
        place = places.setdefault(path, len(places))
        offset = meta["storage_offset"]["as_int"]
        tensors.append(PlacedTensor(name, place, offset, _numbers(meta["sizes"]), _numbers(meta["strides"])))
    return StateTable(tuple(storages.values()), tuple(tensors))


def _numbers(values: list[Mapping[str, int]]) -> tuple[int, ...]:
    return tuple(value["as_int"] for value in values)
