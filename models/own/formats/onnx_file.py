"""Weights in an ONNX file, a protobuf message with a graph.

Only what names and places the weights is read.

Source: onnx/onnx.proto, and https://protobuf.dev/programming-guides/encoding for the encoding.
"""

from collections import defaultdict
from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from ...errors import OwnWeightsError
from ..state_refusals import ADVICE, MOST_ENTRIES, ONNX, damaged, too_many_parts
from ..state_table import ITEM_BYTES, PlacedTensor, StateTable, StoredNumbers, row_by_row

__all__ = ["is_onnx", "nodes_of", "read_onnx"]

_GRAPH = 7  # a field of a model
_NODE, _INITIALIZER = 1, 5  # of its graph
_NODE_NAME, _NODE_TYPE = 3, 4
_DIMS, _TYPE, _NAME, _RAW, _LOCATION = 1, 2, 8, 9, 14  # of a tensor
_LISTED = {"float32": 4, "complex64": 4, "float64": 10, "complex128": 10}  # its numbers, instead of raw bytes
_HALVES, _LISTED_HALVES = ("float16", "bfloat16"), 5
_BESIDE = 1  # the location of numbers in another file
_VARINT, _LENGTH, _FIXED = 0, 2, {1: 8, 5: 4}
_FIRST_BYTE, _NEWEST_VERSION = 0x08, 64
_AFTER_VERSION = (0x12, 0x1A, 0x22, 0x28, 0x32, 0x3A, 0x42)  # a model's other fields, as tags
_LONGEST_VARINT = 10
_MOST_AXES = 64  # of a tensor of PyTorch
_TYPES = {
    **dict(enumerate(("float32", "uint8", "int8", "uint16", "int16", "int32", "int64"), 1)),
    **dict(enumerate(("bool", "float16", "float64", "uint32", "uint64", "complex64", "complex128"), 9)),
    16: "bfloat16",
}


class _Field(NamedTuple):
    """A field of a message: its number, value and byte range."""

    number: int
    value: int
    start: int
    stop: int


def is_onnx(data: bytes) -> bool:
    """Return whether a file begins as an ONNX model does."""
    first, version, tag = (*data[:3], 0, 0, 0)[:3]
    return first == _FIRST_BYTE and 0 < version <= _NEWEST_VERSION and tag in _AFTER_VERSION


def read_onnx(data: bytes) -> StateTable:
    """Return the weights that an ONNX model holds itself, and their places.

    Raises:
        OwnWeightsError: it holds too many, or is damaged.
        LookupError, ValueError: it is damaged.
    """
    found = [tensor for field in _in_graph(data, _INITIALIZER) if (tensor := _tensor(data, field))]
    shapes = [(name, shape) for name, shape, _ in found]
    return StateTable(
        tuple(stored for _, _, stored in found),
        tuple(PlacedTensor(name, at, 0, shape, row_by_row(shape)) for at, (name, shape) in enumerate(shapes)),
    )


def nodes_of(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the name and the type of each ONNX operation."""
    for field in _in_graph(data, _NODE):
        fields = _by_number(data, field)
        yield _text(data, fields, _NODE_NAME), _text(data, fields, _NODE_TYPE)


def _in_graph(data: bytes, number: int) -> Iterator[_Field]:
    """Yield the graph's fields of a number."""
    graphs = [field for field in _fields(data, 0, len(data)) if field.number == _GRAPH]
    if len(graphs) != 1:
        raise damaged(ONNX)
    count = 0
    for field in _fields(data, graphs[0].start, graphs[0].stop):
        if field.number == number:
            count += 1
            yield field
        if count > MOST_ENTRIES:
            raise too_many_parts()


def _tensor(data: bytes, field: _Field) -> tuple[str, tuple[int, ...], StoredNumbers] | None:
    """Return a tensor's name, shape and place.

    None if it has no numbers, or whole ones that are not side by side.

    Raises:
        OwnWeightsError: its numbers are in another file, or halves that are not side by side.
    """
    fields = _by_number(data, field)
    if any(each.value == _BESIDE for each in fields[_LOCATION]):
        raise OwnWeightsError(
            "The weights of this ONNX file are in another; export it with external_data=False, or {advice}.",
            advice=ADVICE,
        )
    dtype = next((_TYPES.get(each.value, "") for each in fields[_TYPE]), "")
    if dtype in _HALVES and fields[_LISTED_HALVES]:
        raise OwnWeightsError(
            "This ONNX file lists weights of half precision one by one, which is not read here; {advice}.",
            advice=ADVICE,
        )
    raw, listed = fields[_RAW], fields[_LISTED.get(dtype, _RAW)]
    held = raw or (listed if len(listed) == 1 else [])
    if not held or not dtype:
        return None
    shape = tuple(length for dims in fields[_DIMS] for length in _lengths(data, dims))
    if len(shape) > _MOST_AXES:
        raise damaged(ONNX, untrue=True)
    if held[0].stop - held[0].start != prod(shape) * ITEM_BYTES[dtype]:
        raise damaged(ONNX, untrue=True)
    return _text(data, fields, _NAME), shape, StoredNumbers(held[0].start, held[0].stop, dtype)


def _lengths(data: bytes, dims: _Field) -> Iterator[int]:
    """Yield a shape's lengths, whether one number or several packed ones."""
    if dims.start == dims.stop:
        yield dims.value
    at = dims.start
    while at < dims.stop:
        length, at = _varint(data, at, dims.stop)
        yield length


def _text(data: bytes, fields: dict[int, list[_Field]], number: int) -> str:
    return next((str(data[each.start : each.stop], "utf-8") for each in fields[number]), "")


def _by_number(data: bytes, message: _Field) -> dict[int, list[_Field]]:
    found: dict[int, list[_Field]] = defaultdict(list)
    for field in _fields(data, message.start, message.stop):
        found[field.number].append(field)
    return found


def _fields(data: bytes, at: int, stop: int) -> Iterator[_Field]:
    """Yield a message's fields; a field's bytes lie within its message's."""
    while at < stop:
        tag, at = _varint(data, at, stop)
        number, kind, value = tag >> 3, tag & 7, 0
        start = at
        if kind == _VARINT:
            value, at = _varint(data, at, stop)
            start = at
        elif kind == _LENGTH:
            length, start = _varint(data, at, stop)
            at = start + length
        elif kind in _FIXED:
            at += _FIXED[kind]
        else:
            raise damaged(ONNX)
        if at > stop:
            raise damaged(ONNX)
        yield _Field(number, value, start, at)


def _varint(data: bytes, at: int, stop: int) -> tuple[int, int]:
    """Return a number of up to ten bytes, and where it ends."""
    value = 0
    for shift in range(_LONGEST_VARINT):
        if at >= stop:
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:  # noqa: PLR2004  # the last byte of a number
            return value, at
    raise damaged(ONNX)
