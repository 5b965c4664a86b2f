"""Tables as a stranger may write them, and the memory that Arrow takes to read one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from viz.exemplars.tables import EXEMPLARS, MAXIMA, PICTURES

_pools: list[pa.MemoryPool] = []  # what a pool has given outlives its test, and needs it


def most_taken(act: Callable[[], object]) -> int:
    """The most bytes that Arrow has at once while something is done."""
    before = pa.default_memory_pool()
    _pools.append(pa.proxy_memory_pool(before))
    pa.set_memory_pool(_pools[-1])
    try:
        act()
    finally:
        pa.set_memory_pool(before)
    return int(_pools[-1].max_memory())


def write_pictures(out: Path, rows: int, **more: Any) -> Path:
    """A table of pictures with a megabyte of a small picture, which each row repeats."""
    columns = {
        "number": range(rows),
        "picture": [f"{number:04}.png" for number in range(rows)],
        "width": [8] * rows,
        "height": [8] * rows,
        "problem": [None] * rows,
        "thumbnail": [bytes(range(250)) * 4_000] * rows,
    }
    return write(out / "pictures.parquet", pa.table(columns | more, PICTURES))


def write_maxima(out: Path, rows: int, **more: Any) -> Path:
    """A table of one channel's numbers, a row for each picture."""
    columns: dict[str, Any] = {
        "picture": [f"{number:04}.png" for number in range(rows)],
        "layer": ["first"] * rows,
        **{name: [0] * rows for name in ("call", "channel", "maximum", "mean", "row", "column")},
    }
    schema = pa.schema([(each.name, each.type) for each in MAXIMA if each.name not in more])
    fixed = pa.table({name: columns[name] for name in schema.names}, schema)
    for name, values in more.items():
        fixed = fixed.append_column(name, values)
    return write(out / "maxima.parquet", fixed)


def write_exemplars(out: Path, rows: int, **more: Any) -> Path:
    """A table of the pictures that one channel keeps."""
    columns: dict[str, Any] = {
        name: [0] * rows for name in ("call", "channel", "rank", "value", "row", "column")
    }
    texts = {"layer": ["first"] * rows, "picture": ["a.png"] * rows}
    table = pa.table({**columns, **texts, "box": [[0, 0, 1, 1]] * rows}, EXEMPLARS)
    for name, values in more.items():
        table = table.set_column(table.schema.names.index(name), name, values)
    return write(out / "exemplars.parquet", table)


def write(path: Path, table: pa.Table, **more: Any) -> Path:
    """Write a table with dictionaries, as small as it gets."""
    options = {"compression": "zstd", "dictionary_pagesize_limit": 1 << 30, "store_schema": False}
    pq.write_table(table, path, **options | more)
    return path


def let_lie(path: Path) -> int:
    """Let a footer claim that each group and column unpacks to a few bytes; return how many claims it made.

    Each claim is a number of compact Thrift, seven bits a byte; the new one has as many bytes, with zeros
    in front, as readers allow.
    """
    about, whole = pq.read_metadata(path), path.read_bytes()
    length = int.from_bytes(whole[-8:-4], "little") + 8
    pages, footer = whole[:-length], whole[-length:]
    changed = 0
    for number in range(about.num_row_groups):
        group = about.row_group(number)
        columns = [group.column(place) for place in range(group.num_columns)]
        for size in (group.total_byte_size, *(each.total_uncompressed_size for each in columns)):
            true = _number(size)
            if len(true) > 2 and footer.count(true):
                footer = footer.replace(true, b"\x82" + b"\x80" * (len(true) - 2) + b"\x00")
                changed += 1
    path.write_bytes(pages + footer)
    return changed


def _number(value: int) -> bytes:
    """A number as compact Thrift has it: twice as much, in groups of seven bits, the least first."""
    left, found = 2 * value, b""
    while left > 127:
        found, left = found + bytes([left & 127 | 128]), left >> 7
    return found + bytes([left])
