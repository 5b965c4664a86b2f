"""A finished capture, read into a store without running its model."""

import os
import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...errors import RequestError, VizError
from ...exemplars.asking import strongest
from ...exemplars.finished.card import Card, card_of
from ...exemplars.finished.tables import FinishedTable, finished_table
from ...exemplars.keeping import MAXIMA_FILE, compact
from ...exemplars.looked import Channels
from ...home import CAPTURE
from ...sentences import Sentence
from ...views.folder.tasks import Box, PicturePeaks
from .sources import Source, served
from .store import RECORD_BYTES, Store, vanishing_folder
from .thumbnails import Thumbnails

_NUMBERS = ("maximum", "mean", "row", "column")
_ROWS = 1 << 20  # of the table, read at a time
_MOST_CHANNELS = 1 << 22  # of a picture, all of whose calls are in memory
_OBJECT = 300  # bytes that Python takes for a picture or a call, beside its name


@dataclass(eq=False)
class CaptureFolder:
    """A capture.

    Attributes:
        out: its folder.
        card: its description of itself.
    """

    out: Path
    card: Card
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _store: Store | None = field(default=None, repr=False)

    @property
    def model(self) -> str:
        """The model's name."""
        return self.card.model

    @property
    def weights(self) -> str:
        """The model's weights."""
        return self.card.weights

    @property
    def source(self) -> Source:
        """Its pictures: the operator's folder, else its small copies.

        The folder that its card names is never opened: a card may be anybody's, and name any folder.
        """
        named = served()
        if named is not None:
            return named
        names = [each.name for each in self.store.pictures]
        return Thumbnails(names, self.card.pictures_sha256, self.out)

    @property
    def count(self) -> int:
        """Number of pictures with numbers, without a look at its table."""
        return max(0, self.card.done - len(self.card.unreadable))

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
            with finished_table(self.out / MAXIMA_FILE) as table:
                return _read(table, home, self.card)
        except BaseException:
            shutil.rmtree(home, ignore_errors=True)  # whoever asks again makes another one
            raise

    def unlike(self, weights_sha256: str, preparation: str) -> str:
        """Return why the numbers do not fit a model; empty otherwise."""
        if self.card.weights_sha256 not in {None, weights_sha256}:
            return Sentence(
                "the capture on this server was made with other weights than {model} has now, so it is not "
                "shown: capture the folder again",
                model=self.model,
            )
        if self.card.preprocessing not in {None, preparation}:
            return Sentence(
                "the capture on this server was made with another preparation of pictures than {model} has "
                "now, so it is not shown: capture the folder again",
                model=self.model,
            )
        return ""

    @property
    def stopped(self) -> str:
        """A sentence if the capture was stopped; empty if it is whole."""
        if self.card.complete:
            return ""
        return Sentence(
            "this capture was stopped: it has {done} of {count} pictures",
            done=self.store.done,
            count=self.card.pictures,
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


def _room_for(table: FinishedTable, home: Path, card: Card) -> int:
    """Return the number of rows for which there is room.

    Raises:
        RequestError: there is none.
    """
    rows = max(sum(each.channels for each in card.channels) * card.done, table.rows)
    needed, free = RECORD_BYTES * rows, shutil.disk_usage(home).free
    if needed > free:
        raise RequestError(
            "the numbers of this capture take {needed} GB in the server's folder for temporary files, where "
            "{free} GB are free. Whoever runs the server can name another folder in TMPDIR.",
            needed=round(needed / 1e9, 1),
            free=round(free / 1e9, 1),
        )
    return rows


def _read(table: FinishedTable, home: Path, card: Card) -> Store:
    """Return a table's numbers, if they fit memory and disk."""
    store, room = Store(home), _room_for(table, home, card)
    for name, found in _by_picture(table):
        calls = () if store.calls else found.calls  # those of the first picture are kept
        table.budget.take(_OBJECT + len(name) + sum(_OBJECT + len(call.layer) for call in calls))
        store.add(name, (0, 0), found)
        if store.channels * len(store.pictures) > room:  # each takes as much as the first, whatever it has
            raise ValueError("pictures with other channels than the first")
    for each in card.unreadable:
        store.leave_out(each.picture, each.reason)
    return store


def _by_picture(table: FinishedTable) -> Iterator[tuple[str, PicturePeaks]]:
    """Yield each picture's rows of a table, which stand together."""
    waiting: pa.Table | None = None
    for batch in table.batches(["picture", "layer", "call", *_NUMBERS], rows=_ROWS):
        rows = pa.Table.from_batches([batch])
        rows = pa.concat_tables([waiting, rows]).unify_dictionaries() if waiting is not None else rows
        starts = _changes(rows["picture"])
        for begun, ended in pairwise(starts):
            yield _one(rows[begun:ended])
        waiting = compact(rows[starts[-1] :])  # a part keeps the texts of the whole
        if len(waiting) > _MOST_CHANNELS:
            raise ValueError("a picture with more channels than any model has")
    if waiting is not None and len(waiting):
        yield _one(waiting)


def _changes(column: pa.ChunkedArray) -> list[int]:
    """Return the positions at which another text begins."""
    return [0, *(np.flatnonzero(np.diff(_codes(column))) + 1).tolist()]


def _codes(column: pa.ChunkedArray) -> NDArray[np.integer]:
    """Return each text's place in the dictionary that all of them share."""
    codes: NDArray[np.integer] = np.concatenate([chunk.indices.to_numpy() for chunk in column.chunks])
    return codes


def _one(rows: pa.Table) -> tuple[str, PicturePeaks]:
    calls = rows["call"].to_numpy()
    ends = np.flatnonzero((np.diff(_codes(rows["layer"])) != 0) | (np.diff(calls) != 0)) + 1
    starts = [0, *ends.tolist(), len(rows)]
    names = rows["layer"].take(starts[:-1]).to_pylist()
    found = tuple(
        Channels(name, int(calls[begun]), ended - begun)
        for name, (begun, ended) in zip(names, pairwise(starts), strict=True)
    )
    maximum, mean, row, column = (rows[name].to_numpy() for name in _NUMBERS)
    return rows["picture"][0].as_py(), PicturePeaks(found, maximum, mean, row, column, (0, 0), 0.0)
