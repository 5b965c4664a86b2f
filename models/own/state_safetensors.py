"""The safetensors format: a JSON list, and the numbers behind it.

The list has names, types and shapes; the numbers follow without a gap.

Source: the format's description at https://huggingface.co/docs/safetensors.
"""

import json
from math import prod
from typing import Any

from ..errors import OwnWeightsError
from .state_refusals import (
    LONGEST_LIST,
    MOST_ENTRIES,
    SAFETENSORS,
    damaged,
    more_than_weights,
    too_many_parts,
)
from .state_table import ITEM_BYTES, PlacedTensor, StateTable, StoredNumbers, row_by_row

__all__ = ["read_safetensors"]

_LENGTH = 8  # bytes that say how long the list is
_MOST_AXES = 64
_LARGEST = 2**40
_TYPES = {
    "BOOL": "bool",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "C64": "complex64",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E8M0": "float8_e8m0fnu",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
    **{f"I{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"U{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}


def read_safetensors(data: bytes) -> StateTable:
    """Return the tensors of a safetensors file, and their places.

    Raises:
        OwnWeightsError: its list is too long, or does not match the bytes after it.
        LookupError, RecursionError, TypeError, ValueError: it is damaged.
    """
    length = int.from_bytes(data[:_LENGTH], "little")
    if length > LONGEST_LIST:
        raise OwnWeightsError(
            "This safetensors file claims a header of {size} MB; more than {most} MB of names "
            "and shapes are not read.",
            size=f"{length / 1e6:,.0f}",
            most=LONGEST_LIST // 10**6,
        )
    header = data[_LENGTH : _LENGTH + length]
    if len(header) < length:
        raise damaged(SAFETENSORS, untrue=True)
    if max(header.count(b"{"), header.count(b"[") // 2, header.count(b'"') // 10) > MOST_ENTRIES:
        raise too_many_parts()
    listed = json.loads(str(header, "utf-8"))
    listed.pop("__metadata__", None)
    return _table(listed, _LENGTH + length, len(data))


def _table(listed: dict[str, Any], first: int, size: int) -> StateTable:
    """Return the table of a list whose ranges fill the file.

    Numbers of a type that PyTorch has not, such as F6_E2M3, are left out.
    """
    ranges = {name: _range(entry) for name, entry in listed.items()}
    position = 0
    for start, stop in sorted(ranges.values()):
        if start != position:
            raise damaged(SAFETENSORS, untrue=True)
        position = stop
    if first + position != size:
        raise damaged(SAFETENSORS, untrue=True)
    known = {name: entry for name, entry in listed.items() if entry["dtype"] in _TYPES}
    if listed and not known:
        raise more_than_weights(next(iter(listed.values()))["dtype"])
    storages = tuple(
        StoredNumbers(first + ranges[name][0], first + ranges[name][1], _TYPES[entry["dtype"]])
        for name, entry in known.items()
    )
    tensors = (
        PlacedTensor(name, place, 0, tuple(entry["shape"]), row_by_row(entry["shape"]))
        for place, (name, entry) in enumerate(known.items())
    )
    return StateTable(storages, tuple(tensors))


def _range(entry: dict[str, Any]) -> tuple[int, int]:
    """Return a tensor's range of bytes, checked against its shape."""
    start, stop = entry["data_offsets"]
    shape, dtype = entry["shape"], _TYPES.get(entry["dtype"])
    if not isinstance(shape, list) or len(shape) > _MOST_AXES:
        raise damaged(SAFETENSORS, untrue=True)
    if not all(type(each) is int and 0 <= each <= _LARGEST for each in (start, stop, *shape)):
        raise damaged(SAFETENSORS, untrue=True)
    if stop < start or (dtype and stop - start != prod(shape) * ITEM_BYTES[dtype]):
        raise damaged(SAFETENSORS, untrue=True)
    return start, stop
