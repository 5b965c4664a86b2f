"""A finished capture, read into a store without running its model."""

import os
import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import RequestError, VizError
from ...exemplars.asking import card_of, check_groups, strongest
from ...exemplars.keeping import MAXIMA_FILE
from ...exemplars.looked import Channels
from ...home import CAPTURE
from ...sentences import Sentence
from ...views.folder.tasks import Box, PicturePeaks
from .sources import Source, served
from .store import RECORD_BYTES, Store, vanishing_folder
from .thumbnails import Thumbnails

_NUMBERS = ("maximum", "mean", "row", "column")
_ROWS = 1 << 20  # of the table, read at a time


@dataclass(eq=False)
class CaptureFolder:
    """A capture.

    Attributes:
        out: its folder.
        card: its description of itself.
    """

    out: Path
    card: Mapping[str, Any]
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _store: Store | None = field(default=None, repr=False)

    @property
    def model(self) -> str:
        """The model's name."""
        return str(self.card.get("model", ""))

    @property
    def weights(self) -> str:
        """The model's weights."""
        return str(self.card.get("weights", ""))

    @property
    def source(self) -> Source:
        """Its pictures: the operator's folder, else its small copies.

        The folder that its card names is never opened: a card may be anybody's, and name any folder.
        """
        named = served()
        if named is not None:
            return named
        names = [each.name for each in self.store.pictures]
        return Thumbnails(names, str(self.card.get("pictures_sha256", "")), self.out)

    @property
    def count(self) -> int:
        """Number of pictures with numbers, without a look at its table."""
        return int(self.card.get("done", 0)) - len(self.card.get("unreadable", ()))

    @property
    def store(self) -> Store:
        """Its numbers, read once.

        Raises:
            RequestError: the table cannot be read.
        """
        with self._lock:
            if self._store is None:
                self._store = self._fetched()
            return self._store

    def _fetched(self) -> Store:
        home = vanishing_folder(self)
        try:
            _check_room(home, self.card, self.out / MAXIMA_FILE)
            return _read(self.out, home, self.card)
        except BaseException:
            shutil.rmtree(home, ignore_errors=True)  # whoever asks again makes another one
            raise

    def unlike(self, weights_sha256: str, preparation: str) -> str:
        """Return why the numbers do not fit a model; empty otherwise."""
        if self.card.get("weights_sha256", weights_sha256) != weights_sha256:
            return Sentence(
                "the capture on this server was made with other weights than {model} has now, so it is not "
                "shown: capture the folder again",
                model=self.model,
            )
        if self.card.get("preprocessing", preparation) != preparation:
            return Sentence(
                "the capture on this server was made with another preparation of pictures than {model} has "
                "now, so it is not shown: capture the folder again",
                model=self.model,
            )
        return ""

    @property
    def stopped(self) -> str:
        """A sentence if the capture was stopped; empty if it is whole."""
        if self.card.get("complete", True):
            return ""
        return Sentence(
            "this capture was stopped: it has {done} of {count} pictures",
            done=self.store.done,
            count=int(self.card.get("pictures", 0)),
        )

    def boxes(self, layer: str, call: int, channel: int) -> Mapping[str, Box]:
        """Return the part of each picture that the channel's strongest cell sees.

        The pictures are those that were kept, by their names.
        """
        try:
            rows = strongest(self.out, layer, channel, call)
        except VizError:
            return {}
        return {row["picture"]: tuple(row["box"]) for row in rows}


@cache
def captured() -> CaptureFolder | None:
    """The capture that the server was given; None without one."""
    named = os.environ.get(CAPTURE, "")
    return opened(Path(named)) if named else None


def opened(out: Path) -> CaptureFolder:
    """Open a capture's folder, by its card.

    Raises:
        RequestError: it has no card, or no table.
    """
    return CaptureFolder(out, card_of(out))


def _check_room(home: Path, card: Mapping[str, Any], table: Path) -> None:
    """Refuse a capture without room for its numbers.

    Raises:
        RequestError: there is not, or the table cannot be read.
    """
    channels = sum(int(each["channels"]) for each in card.get("channels", ()))
    try:
        rows = max(channels * int(card.get("done", 0)), check_groups(table))
    except (OSError, pa.ArrowException) as error:
        raise _no_table(table) from error
    needed, free = RECORD_BYTES * rows, shutil.disk_usage(home).free
    if needed > free:
        raise RequestError(
            "the numbers of this capture take {needed} GB in the server's folder for temporary files, where "
            "{free} GB are free. Whoever runs the server can name another folder in TMPDIR.",
            needed=round(needed / 1e9, 1),
            free=round(free / 1e9, 1),
        )


def _read(out: Path, home: Path, card: Mapping[str, Any]) -> Store:
    store = Store(home)
    try:
        for name, found in _by_picture(out / MAXIMA_FILE):
            store.add(name, (0, 0), found)
    except (OSError, pa.ArrowException, KeyError, ValueError) as error:
        raise _no_table(out / MAXIMA_FILE) from error
    for each in card.get("unreadable", ()):
        store.leave_out(str(each["picture"]), str(each["reason"]))
    return store


def _no_table(path: Path) -> RequestError:
    return RequestError("cannot read {path}: is it what a run has written?", path=path)


def _by_picture(path: Path) -> Iterator[tuple[str, PicturePeaks]]:
    """Yield each picture's rows of a table, which stand together."""
    waiting: pa.Table | None = None
    with pq.ParquetFile(path) as file:
        columns = ["picture", "layer", "call", *_NUMBERS]
        for batch in file.iter_batches(_ROWS, columns=columns):
            rows = pa.Table.from_batches([batch])
            rows = pa.concat_tables([waiting, rows]) if waiting is not None else rows
            starts = _changes(rows["picture"])
            for begun, ended in pairwise(starts):
                yield _one(rows[begun:ended])
            waiting = rows[starts[-1] :]
    if waiting is not None and len(waiting):
        yield _one(waiting)


def _changes(column: pa.ChunkedArray) -> list[int]:
    """Return the positions at which another text begins."""
    codes = column.combine_chunks().dictionary_encode()
    codes = codes.combine_chunks() if isinstance(codes, pa.ChunkedArray) else codes
    numbers = codes.indices.to_numpy()
    return [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist()]


def _one(rows: pa.Table) -> tuple[str, PicturePeaks]:
    layers, calls = rows["layer"], rows["call"].to_numpy()
    codes = layers.combine_chunks().dictionary_encode()
    codes = codes.combine_chunks() if isinstance(codes, pa.ChunkedArray) else codes
    numbers = codes.indices.to_numpy()
    ends = np.flatnonzero((np.diff(numbers) != 0) | (np.diff(calls) != 0)) + 1
    starts = [0, *ends.tolist(), len(rows)]
    names = codes.dictionary.to_pylist()
    found = tuple(
        Channels(names[numbers[begun]], int(calls[begun]), ended - begun) for begun, ended in pairwise(starts)
    )
    maximum, mean, row, column = (rows[name].to_numpy() for name in _NUMBERS)
    return rows["picture"][0].as_py(), PicturePeaks(found, maximum, mean, row, column, (0, 0), 0.0)
