"""Sizes of a Parquet file's pages, by the header before each.

A footer may claim any size, and nobody compares it: a page is unpacked to as much as its own header says.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

Fields: TypeAlias = dict[tuple[int, int], Any]
"""The fields of a struct, by their numbers and kinds in compact Thrift."""

_LONGEST_HEADER = 1 << 16  # bytes: the least and the largest value stand in it, which writers cut
_TRUE, _FALSE, _I16, _I32, _I64, _BINARY, _STRUCT = 1, 2, 4, 5, 6, 8, 12
_NUMBERS = {_I16, _I32, _I64, _BINARY}  # a binary field begins with the number of its bytes
_KINDS = {_TRUE, _FALSE, _STRUCT} | _NUMBERS
_LONGEST_NUMBER = 63  # bits before its last byte
_GOES_ON = 128  # in a byte of a number, if another follows
_SIZE, _STORED = (2, _I32), (3, _I32)  # bytes of a page, unpacked and as they stand
_ENCODINGS = {(5, _STRUCT): (2, _I32), (8, _STRUCT): (4, _I32)}  # of pages of rows, in both of their forms
_VALUES = (1, _I32)
_PLAIN = 0
_WRITTEN = {_PLAIN, 2, 8}  # the others are places in a dictionary; in any more, few bytes can stand for many


class Page(NamedTuple):
    """A page of a column.

    Attributes:
        size: the bytes that it takes while it is read.
        values: how many values of rows it has.
        is_packed: whether these are places in a dictionary.
    """

    size: int
    values: int
    is_packed: bool


def pages_of(source: pa.NativeFile, column: pq.ColumnChunkMetaData) -> Iterator[Page]:
    """Yield the pages of a column of a group of rows.

    Raises:
        ValueError: a header is none, or a page has an encoding that no run writes.
        OSError: the file cannot be read.
    """
    at: int = column.data_page_offset
    if column.dictionary_page_offset:
        at = min(at, column.dictionary_page_offset)
    end = at + column.total_compressed_size
    while at < end:
        try:
            header, length = _fields(source.read_at(_LONGEST_HEADER, at))
            page, stored = _page(header), header[_STORED]
        except (IndexError, KeyError, RecursionError) as error:
            raise ValueError("no header of a page") from error
        yield page
        at += length + stored


def _page(header: Fields) -> Page:
    values = encoding = 0
    for kind, place in _ENCODINGS.items():
        if kind in header:
            values, encoding = max(values, header[kind][_VALUES]), max(encoding, header[kind][place])
            if header[kind][place] not in _WRITTEN:
                raise ValueError("an encoding that no run writes")
    if min(header[_SIZE], header[_STORED], values) < 0:
        raise ValueError("a size below zero")
    return Page(max(header[_SIZE], header[_STORED]), values, encoding != _PLAIN)


def _fields(data: bytes, at: int = 0) -> tuple[Fields, int]:
    """Return a struct's fields, and where it ends.

    What no writer of pages does is refused, so that Arrow does not understand it otherwise.
    """
    found: Fields = {}
    number = 0
    while data[at]:
        step, kind = divmod(data[at], 16)
        value: Any = None
        number, at = number + step, at + 1
        if kind == _STRUCT:
            value, at = _fields(data, at)
        elif kind in _NUMBERS:
            value, at = _number(data, at)
            if kind == _BINARY:
                at += value
            else:
                value = value >> 1 ^ -(value & 1)
        if not step or kind not in _KINDS or (kind == _I32 and not -(1 << 31) <= value < 1 << 31):
            raise ValueError("a field that no header has")
        found[number, kind] = value
    return found, at + 1


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] & _GOES_ON:
        value |= (data[at] ^ _GOES_ON) << shift
        at, shift = at + 1, shift + 7
        if shift > _LONGEST_NUMBER:
            raise ValueError("a number that no header has")
    return value | data[at] << shift, at + 1
