"""A run's capture of a folder, as arrays.

They hold each channel's maximum and mean on each picture.
"""

import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..errors import RequestError
from ..exemplars.finished.card import Call, card_of
from ..exemplars.finished.tables import finished_table
from ..exemplars.keeping import CARD_FILE, MAXIMA_FILE

Numbers = NDArray[np.float32]
_READ_AT_ONCE = 1 << 18  # rows
_AT_ONCE = 1 << 24  # bytes
_MOST_IN_MEMORY = 1 << 30  # bytes of one array; larger ones lie in a file that has no name
_OF_SIGNATURE = 256  # channels: enough to tell pictures apart
_NUMBERS = ("maximum", "mean")


@dataclass(frozen=True)
class Capture:
    """A run's numbers, of all its calls or of some.

    Attributes:
        title: what messages call it, such as the path of its folder.
        pictures: their paths below the run's folder, in the run's order.
        calls: in the model's order.
        maximum: (pictures, all channels), the strongest cell of each; NaN where a picture lacks a call.
        mean: likewise, the mean of all cells.
    """

    title: str
    pictures: tuple[str, ...]
    calls: tuple[Call, ...]
    maximum: Numbers
    mean: Numbers

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """First channel of each call, then the number of all channels."""
        return starts_of(self.calls)

    def columns(self, number: int) -> slice:
        """Return a call's columns in ``maximum`` and ``mean``.

        The call is given by its number in ``calls``.
        """
        return slice(self.starts[number], self.starts[number + 1])

    def signature(self) -> Numbers:
        """Return the means of some channels, to tell pictures apart.

        They are (pictures, channels).
        """
        return self.mean[:, of_signature(self.starts[-1])]

    def only(self, number: int) -> "Capture":
        """Return the capture of one call, by its number in ``calls``."""
        columns = self.columns(number)
        mine = self.maximum[:, columns], self.mean[:, columns]
        return Capture(self.title, self.pictures, self.calls[number : number + 1], *mine)


def of_signature(channels: int) -> NDArray[np.int64]:
    """Return some of so many channels, evenly taken."""
    return np.linspace(0, channels - 1, min(channels, _OF_SIGNATURE)).astype(np.int64)


def starts_of(calls: Sequence[Call]) -> tuple[int, ...]:
    """Return the first channel of each call, then their number.

    The channels of all calls stand side by side.
    """
    return (0, *accumulate(each.channels for each in calls))


def innermost(calls: Sequence[Call]) -> list[int]:
    """Return the numbers of calls whose layers contain no other, in order.

    Those around them return what their last one returned, and stand in the list before it.
    """
    around = {each.layer[:end] for each in calls for end, letter in enumerate(each.layer) if letter == "."}
    return [number for number, each in enumerate(calls) if each.layer not in around]


def read_capture(folder: Path, layers: Iterable[str] | None = None) -> Capture:
    """Return a run's capture, of all its layers or of some.

    Raises:
        RequestError: the folder is none that a run has written, has nothing about these layers, or has more
            than there is room for.
    """
    card = card_of(folder)
    wanted = None if layers is None else set(layers)
    calls = tuple(each for each in card.channels if wanted is None or each.layer in wanted)
    if not calls:
        raise RequestError("{path} has nothing about these layers", path=folder / MAXIMA_FILE)
    filling = _FilledArrays(calls, max(0, card.done - len(card.unreadable)))
    path = folder / MAXIMA_FILE
    try:
        with finished_table(path) as table:
            names = ["picture", "layer", "call", "channel", *_NUMBERS]
            for batch in table.batches(names, rows=_READ_AT_ONCE):
                filling.add(batch)
    except IndexError as error:
        raise RequestError(
            "{path} has rows of which {card} knows nothing", path=path, card=CARD_FILE
        ) from error
    return Capture(str(folder), tuple(filling.numbers), calls, *filling.found())


class _FilledArrays:
    """Arrays that are filled with a file's rows, part by part."""

    def __init__(self, calls: Sequence[Call], pictures: int) -> None:
        starts = starts_of(calls)
        self.numbers: dict[str, int] = {}
        self._starts = {
            (each.layer, each.call): (start, each.channels)
            for each, start in zip(calls, starts[:-1], strict=True)
        }
        self._arrays = [_filled(pictures, starts[-1]) for _ in _NUMBERS]

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the numbers of a part of the file.

        Raises:
            IndexError: it has more pictures or channels than there is room for.
        """
        start, count = self._places(batch)
        channel = batch["channel"].to_numpy()
        rows = np.flatnonzero(start >= 0)
        if (channel[rows] >= count[rows]).any() or (channel[rows] < 0).any():
            raise IndexError
        picture = self._pictures(batch["picture"])[rows]
        for array, name in zip(self._arrays, _NUMBERS, strict=True):
            array[picture, start[rows] + channel[rows]] = batch[name].to_numpy()[rows]

    def found(self) -> tuple[Numbers, Numbers]:
        """Return the arrays, of the pictures that were met."""
        maximum, mean = (array[: len(self.numbers)] for array in self._arrays)
        return maximum, mean

    def _places(self, batch: pa.RecordBatch) -> NDArray[np.int64]:
        """Return each row's place and the number of its call's channels.

        Its place is where its call begins, and -1 if that is not wanted. The rows of a call stand together,
        so each call is looked up once.
        """
        codes, call = batch["layer"].indices.to_numpy(), batch["call"].to_numpy()
        begun = np.flatnonzero((np.diff(codes, prepend=-1) != 0) | (np.diff(call, prepend=-1) != 0))
        names = batch["layer"].dictionary.to_pylist()
        keys = zip(codes[begun].tolist(), call[begun].tolist(), strict=True)
        places = np.array(
            [self._starts.get((names[code], number), (-1, 0)) for code, number in keys], np.int64
        )
        return np.repeat(places.reshape(-1, 2), np.diff(begun, append=len(codes)), axis=0).T

    def _pictures(self, column: pa.DictionaryArray) -> NDArray[np.int64]:
        codes, names = _codes(column)
        mine = np.array([self.numbers.setdefault(name, len(self.numbers)) for name in names], np.int64)
        return mine[codes]


def _codes(column: pa.DictionaryArray) -> tuple[NDArray[np.int64], list[str]]:
    """Return each row's place among the names in use, and these names."""
    names = column.dictionary.to_pylist()
    used, first, codes = np.unique(column.indices.to_numpy(), return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[codes], [names[used[each]] for each in order]


def _reserve(file: int, size: int) -> None:
    """Take the room on the disk before it is written.

    In a map, a full disk would end this process.

    Raises:
        RequestError: there is not so much.
    """
    left = size
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file, 0, size)
            return
        while left:  # on macOS and Windows; a nearly full disk takes a part
            left -= os.write(file, bytes(min(left, _AT_ONCE)))
    except OSError as error:
        raise RequestError(
            "the numbers of this capture take {needed} GB twice in the folder for temporary files: {error}. "
            "TMPDIR names another folder.",
            needed=round(size / 1e9, 1),
            error=(error.strerror or str(error)).lower(),
        ) from error


def _filled(pictures: int, channels: int) -> Numbers:
    """Return an array of NaN, in memory or in a file."""
    shape = (pictures, channels)
    if pictures * channels * 4 <= _MOST_IN_MEMORY:
        return np.full(shape, np.nan, np.float32)
    with tempfile.TemporaryFile() as file:
        _reserve(file.fileno(), pictures * channels * 4)
        array = np.memmap(file, np.float32, "w+", shape=shape)  # the map keeps the file
    array[:] = np.nan
    return array
