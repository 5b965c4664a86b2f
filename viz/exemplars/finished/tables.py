"""Tables of a finished capture, a little in memory at a time.

A few kilobytes of Parquet can stand for gigabytes: packed, as a text in a dictionary that each row repeats,
or as a list in one row. What is read here is measured first, whatever the file says of itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...errors import RequestError, VizError
from ..looked import STATISTICS
from .pages import pages_of

MOST_AT_A_TIME = 600_000_000  # bytes: a run writes a million rows of numbers, or 4,096 small pictures
LONGEST_VALUE = 1 << 22  # bytes of a text or a small picture
_KEPT_OF_A_BYTE = 16  # bytes that may stay in memory for each of the file: large captures take much
_ROW = 64  # bytes that Python takes for a row, at least
_OF_A_LIST = 16  # bytes for each value of a list, with its place
_SMALL_PICTURE, _BOX = "thumbnail", "box"
_EDGES = 4
_TEXTS = {"picture", "layer", "problem", _SMALL_PICTURE}
_MAY_LACK = {"width", "height", "problem", _SMALL_PICTURE}  # of pictures that cannot be read
_REAL = {"maximum", "mean", "value", *STATISTICS}
_ROWS = 1 << 16


@dataclass(frozen=True)
class FinishedTable:
    """A table that is open, whose texts are read as dictionaries.

    Small pictures are read so where their pages have dictionaries: others are read in half the time without.

    Attributes:
        path: its file.
        source: the same, open.
        file: the same, as a table.
        packed: the same, with dictionaries of small pictures too.
        budget: of what is kept of it in memory.
    """

    path: Path
    source: pa.NativeFile
    file: pq.ParquetFile
    packed: pq.ParquetFile
    budget: "Budget"

    @property
    def columns(self) -> list[str]:
        """Names of its columns."""
        names: list[str] = self.file.schema_arrow.names
        return names

    @property
    def groups(self) -> range:
        """Numbers of its groups of rows."""
        return range(self.file.num_row_groups)

    @property
    def rows(self) -> int:
        """Number of its rows, of all groups."""
        return sum(self.file.metadata.row_group(group).num_rows for group in self.groups)

    def batches(
        self, columns: Sequence[str], groups: Iterable[int] | None = None, rows: int = _ROWS
    ) -> Iterator[pa.RecordBatch]:
        """Yield rows of all groups, or of some.

        Raises:
            RequestError: a group unpacks to too much.
            ValueError: a column is not what a run writes.
            KeyError: there is no such column.
            OSError, ArrowException: the file cannot be read.
        """
        for name in columns:
            _check_type(name, self.packed.schema_arrow.field(name).type)
        for group in self.groups if groups is None else groups:
            if not self.file.metadata.row_group(group).num_rows:
                continue  # it has no pages
            file = self.packed if self._checked(group, columns) else self.file
            for batch in file.iter_batches(rows, row_groups=[group], columns=[*columns]):
                for name, column in zip(batch.schema.names, batch.columns, strict=True):
                    _check_values(name, column)
                yield batch

    def may_have(self, group: int, column: str, text: str) -> bool:
        """Return whether a group may have a text, by its footer."""
        place = self.file.metadata.schema.names.index(column)
        about = self.file.metadata.row_group(group).column(place).statistics
        is_known = about is not None and isinstance(about.min, str) and isinstance(about.max, str)
        return not is_known or about.min <= text <= about.max

    def _checked(self, number: int, columns: Sequence[str]) -> bool:
        """Check a group's columns; return whether small pictures are packed."""
        group, size, is_packed = self.file.metadata.row_group(number), 0, False
        for place in range(group.num_columns):
            column = group.column(place)
            name = column.path_in_schema.partition(".")[0]
            if name in columns:
                each = _OF_A_LIST if self.file.schema.column(place).max_repetition_level else 0
                for page in pages_of(self.source, column):
                    size += page.size + each * page.values
                    is_packed |= name == _SMALL_PICTURE and page.is_packed
                    if size > MOST_AT_A_TIME:
                        raise RequestError(
                            "{path} unpacks to more than {most} MB at a time: it is not what a run has "
                            "written",
                            path=self.path,
                            most=MOST_AT_A_TIME // 10**6,
                        )
        return is_packed


class Budget:
    """Memory that what is kept of a table may take."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left = self._most = MOST_AT_A_TIME + _KEPT_OF_A_BYTE * path.stat().st_size

    def take(self, size: int) -> None:
        """Note that so many bytes more are kept.

        Raises:
            RequestError: that is too much.
        """
        self._left -= size
        if self._left < 0:
            raise RequestError(
                "what is read of {path} takes more than {most} MB of memory: it is not what a run has "
                "written",
                path=self._path,
                most=self._most // 10**6,
            )

    def unpacked(self, rows: pa.RecordBatch) -> pa.Table:
        """Return rows with each text in full, which are kept.

        Raises:
            RequestError: that is too much.
        """
        self.take(rows.num_rows * _ROW)
        columns = []
        for each in rows.columns:
            is_text = pa.types.is_dictionary(each.type)
            self.take(_length(each) if is_text else each.nbytes)
            columns.append(each.dictionary_decode() if is_text else each)
        return pa.table(columns, names=rows.schema.names)


@contextmanager
def finished_table(path: Path) -> Iterator[FinishedTable]:
    """Open a table of a finished capture, in a block.

    Raises:
        RequestError: it cannot be read, in the block too, or unpacks to too much.
    """
    try:
        with pa.OSFile(str(path)) as source:
            about = pq.read_metadata(source)
            texts = [name for name in about.schema.names if name in _TEXTS]
            names = [name for name in texts if name != _SMALL_PICTURE]
            file = pq.ParquetFile(source, metadata=about, read_dictionary=names)
            packed = pq.ParquetFile(source, metadata=about, read_dictionary=texts)
            yield FinishedTable(path, source, file, packed, Budget(path))
    except VizError:
        raise
    except (OSError, pa.ArrowException, KeyError, ValueError) as error:
        raise unreadable(path) from error


def unreadable(path: Path) -> RequestError:
    """The refusal of a table that is not what a run writes."""
    return RequestError("cannot read {path}: is it what a run has written?", path=path)


def _length(texts: pa.DictionaryArray) -> int:
    """Return the bytes of all texts, each in full."""
    return pc.sum(pc.take(pc.binary_length(texts.dictionary), texts.indices)).as_py() or 0


def _check_type(name: str, kind: pa.DataType) -> None:
    types = pa.types
    if name == _SMALL_PICTURE:
        sound = types.is_dictionary(kind)
    elif name in _TEXTS:
        sound = types.is_dictionary(kind) and (
            types.is_string(kind.value_type) or types.is_large_string(kind.value_type)
        )
    elif name == _BOX:
        a_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
        sound = a_list and types.is_integer(kind.value_type)
    elif name in _REAL:
        sound = types.is_floating(kind)
    else:
        sound = types.is_integer(kind)
    if not sound:
        raise ValueError(f"{name} is {kind}")


def _check_values(name: str, column: pa.Array) -> None:
    if column.null_count and name not in _MAY_LACK:
        raise ValueError(f"{name} lacks values")
    if name == _BOX and (
        column.flatten().null_count or pc.any(pc.not_equal(pc.list_value_length(column), _EDGES)).as_py()
    ):
        raise ValueError("a box without four edges")
    if name in _TEXTS:
        texts = column.dictionary if pa.types.is_dictionary(column.type) else column
        texts.validate(full=True)  # Arrow reads what is no UTF-8
        if (pc.max(pc.binary_length(texts)).as_py() or 0) > LONGEST_VALUE:
            raise ValueError(f"{name} has values that are too long")
