"""Folder of results, from which a killed run can go on.

While a run is under way, ``unfinished`` holds rows of ``maxima.parquet`` and of ``pictures.parquet`` in
numbered files of Arrow, and one file that says how many of them count, and which pictures are kept so far.
Each file appears whole or not at all. In the end the rows are joined, and the folder ``unfinished`` is gone.
"""

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..errors import RequestError
from ..system import locking
from .tables import WRITTEN

EXEMPLARS_FILE, MAXIMA_FILE, CARD_FILE = "exemplars.parquet", "maxima.parquet", "card.json"
PICTURES_FILE, MAPS_FOLDER = "pictures.parquet", "maps.zarr"
UNFINISHED = "unfinished"
_KEPT_FILE, _LOCK, _PARTIAL = "kept.parquet", "lock", ".partial"
_NAMES, _LOST = "names", "lost.json"
_TOO_OFTEN = 2  # times that a picture may end the process that looks at it
_STATE = b"layerglass"
_GROUP = 1 << 20  # rows that are written, and read, together
_PICTURES = 1 << 12  # the same of pictures, whose rows have thumbnails


@dataclass(frozen=True)
class SavedRun:
    """State that a run has left, and the pictures it keeps."""

    state: dict[str, Any]
    kept: pa.Table


class RunFolder:
    """The folder of one run's results, which nobody else writes into meanwhile."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._unfinished = out / UNFINISHED

    @contextlib.contextmanager
    def opened(self, *, resume: bool) -> Iterator[None]:
        """Make the folder, and have it alone inside the block.

        Raises:
            RequestError: it cannot be made, or somebody else has it; or it has results, and ``resume`` does
                not say to go on with them.
        """
        with writing(self.out):
            self.out.mkdir(parents=True, exist_ok=True)
            begun = any((self.out / name).exists() for name in self.names)
            if begun and not resume:
                raise RequestError(
                    "{out} has another run's files: --resume goes on with it, or choose another folder",
                    out=self.out,
                )
            self._unfinished.mkdir(exist_ok=True)
            lock = (self._unfinished / _LOCK).open("wb")
        with lock:
            try:
                # not from threads: processes that read pictures would have it, and outlive one that is killed
                locking.lock(lock, from_threads=False)
            except OSError as error:
                raise RequestError(
                    "another run is writing into {out}: wait for it, or choose another folder", out=self.out
                ) from error
            try:
                yield
            finally:
                self._leave()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the files and folders that a run's folder may have."""
        return EXEMPLARS_FILE, MAXIMA_FILE, PICTURES_FILE, MAPS_FOLDER, CARD_FILE, UNFINISHED

    def finished(self) -> dict[str, Any] | None:
        """Return the card of a complete run.

        None if there is none, or the run is to go on.

        Raises:
            RequestError: there are results without such a card.
        """
        path = self.out / CARD_FILE
        results = (self.out / EXEMPLARS_FILE, self.out / MAXIMA_FILE, path)
        if (self._unfinished / _KEPT_FILE).exists() or not any(each.exists() for each in results):
            return None
        try:
            found = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise _no_run(path) from error
        if not isinstance(found, dict):
            raise _no_run(path)
        return found

    def saved(self) -> SavedRun | None:
        """Return the state of a run that is to go on.

        None if there is none.

        Raises:
            RequestError: a file is there that no run has left.
        """
        path = self._unfinished / _KEPT_FILE
        if not path.exists():
            return None
        try:
            file = pq.ParquetFile(path)
            return SavedRun(json.loads(file.metadata.metadata[_STATE]), file.read())
        except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
            raise _no_run(path) from error

    def add_part(self, number: int, maxima: pa.Table, pictures: pa.Table) -> None:
        """Write rows of ``maxima.parquet`` and ``pictures.parquet``; they count when ``save`` says so.

        Raises:
            RequestError: they cannot be written.
        """
        for name, rows in ((MAXIMA_FILE, maxima), (PICTURES_FILE, pictures)):
            self._write(self._part(name, number), partial(_write_part, rows))

    @property
    def names_file(self) -> Path:
        """Path of the file with the pictures' names during a run."""
        return self._unfinished / _NAMES

    def lost(self) -> dict[int, int]:
        """Return the number of processes that each picture has ended.

        The keys are the pictures' numbers.
        """
        try:
            said = json.loads((self._unfinished / _LOST).read_bytes())
        except (OSError, ValueError):
            return {}
        return {int(number): int(times) for number, times in said.items()}

    def lose(self, number: int) -> bool:
        """Note a picture that ended a process; return whether it did before.

        Raises:
            RequestError: it cannot be written.
        """
        lost = self.lost()
        lost[number] = lost.get(number, 0) + 1
        self._write(self._unfinished / _LOST, lambda path: path.write_text(json.dumps(lost)))
        return lost[number] >= _TOO_OFTEN

    def fatal(self) -> set[int]:
        """Return the numbers of the pictures that are not looked at again."""
        return {number for number, times in self.lost().items() if times >= _TOO_OFTEN}

    def save(self, state: dict[str, Any], kept: pa.Table) -> None:
        """Settle that everything so far counts.

        Raises:
            RequestError: it cannot be written; then what counted before still does.
        """
        about = {_STATE: json.dumps(state).encode()}
        self._write(self._unfinished / _KEPT_FILE, lambda path: _write_table(kept, path, about))

    def finish(self, exemplars: pa.Table, parts: int, card: dict[str, Any]) -> None:
        """Write the files that people read; the card comes last.

        Raises:
            RequestError: one cannot be written; then the run can go on.
        """
        for name, group in ((MAXIMA_FILE, _GROUP), (PICTURES_FILE, _PICTURES)):
            self._write(self.out / name, partial(self._join, name, group, parts))
        self._write(self.out / EXEMPLARS_FILE, lambda path: _write_table(exemplars, path))
        text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
        self._write(self.out / CARD_FILE, lambda path: path.write_text(text, encoding="utf-8"))

    def forget(self) -> None:
        """Remove the files that only an unfinished run needs."""
        (self._unfinished / _KEPT_FILE).unlink(missing_ok=True)  # first, so that no state has lost its parts
        shutil.rmtree(self._unfinished, ignore_errors=True)

    def _leave(self) -> None:
        """Remove the folder of unfinished work if there is nothing in it."""
        with contextlib.suppress(OSError):
            if {path.name for path in self._unfinished.iterdir()} <= {_LOCK, _NAMES}:
                shutil.rmtree(self._unfinished)

    def _part(self, name: str, number: int) -> Path:
        return self._unfinished / f"{Path(name).stem}-{number:06}.arrow"

    def _write(self, path: Path, write: Callable[[Path], object]) -> None:
        with writing(path):
            written_whole(path, write, self._unfinished)

    def _join(self, name: str, group: int, parts: int, path: Path) -> None:
        """Write the rows of all parts into one file.

        Its groups of rows do not depend on where parts end.
        """
        waiting = _read_part(self._part(name, 0))
        with pq.ParquetWriter(path, waiting.schema, **WRITTEN) as writer:
            for number in range(1, parts + 1):
                while len(waiting) >= group:
                    writer.write_table(compact(waiting[:group]), group)
                    waiting = waiting[group:]
                if number < parts:
                    waiting = pa.concat_tables([waiting, _read_part(self._part(name, number))])
            if len(waiting):
                writer.write_table(compact(waiting), group)


def written_whole(path: Path, write: Callable[[Path], object], beside: Path | None = None) -> None:
    """Write a file that gets its name once it is whole.

    Args:
        path: the file.
        write: writes all of it to the path that it is given.
        beside: the folder for what is not whole yet, on the same disk; by default that of the file.

    Raises:
        OSError: it cannot be written.
    """
    partial_path = (beside or path.parent) / f"{path.name}{_PARTIAL}"
    try:
        write(partial_path)
        settle_file(partial_path)
        partial_path.replace(path)
    finally:
        partial_path.unlink(missing_ok=True)


def compact(rows: pa.Table) -> pa.Table:
    """Return the rows in one piece, each text once, in order."""
    rows = rows.unify_dictionaries().combine_chunks()
    for number, name in enumerate(rows.schema.names):
        if pa.types.is_dictionary(rows.schema.field(name).type) and len(rows):
            column = rows[name].chunk(0)
            used = pc.unique(column.indices)
            indices = pc.index_in(column.indices, value_set=used)
            texts = pa.DictionaryArray.from_arrays(indices, column.dictionary.take(used))
            rows = rows.set_column(number, rows.schema.field(name), texts)
    return rows


def _write_table(rows: pa.Table, path: Path, about: dict[bytes, bytes] | None = None) -> None:
    """Write a file of rows, which may say something about itself."""
    with pq.ParquetWriter(path, rows.schema, **WRITTEN) as writer:
        writer.write_table(rows, _GROUP)
        writer.add_key_value_metadata(about or {})


def _write_part(rows: pa.Table, path: Path) -> None:
    """Write rows as Arrow has them, five times as fast as Parquet."""
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, rows.schema, options=options) as writer:
        writer.write_table(rows.unify_dictionaries().combine_chunks())


def _read_part(path: Path) -> pa.Table:
    with pa.OSFile(str(path), "rb") as file:
        return pa.ipc.open_file(file).read_all()


def settle_file(path: Path) -> None:
    """Wait until a file lies on the disk."""
    with path.open("r+b") as file:  # Windows settles no file that is open for reading alone
        os.fsync(file.fileno())


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an error of writing a file into one sentence.

    Raises:
        RequestError: it cannot.
    """
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise RequestError("cannot write {path}: {error}", path=path, error=reason.lower()) from error


def _no_run(path: Path) -> RequestError:
    return RequestError("{path} is not what a run has left: choose another folder", path=path)
