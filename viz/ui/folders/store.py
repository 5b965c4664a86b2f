"""A pass's results on disk: a record and a line per picture.

``numbers.bin`` has a record for each picture that could be looked at: the maxima, the means, and the rows and
columns of the maxima, of all channels. ``pictures.jsonl`` has a line for each picture, readable or not, in
the order of the records, and ``about.json`` says whose numbers they are. A line counts once its record is
written, so the pass may be killed at any moment. What stands behind a damaged line does not count; what
stands before it does. A picture that has changed since, or is gone, has a record that is passed over.
"""

import contextlib
import json
import logging
import os
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError
from ...exemplars.keeping import settle_file, written_whole
from ...exemplars.looked import Channels
from ...system import locking
from ...views.folder.tasks import PicturePeaks
from .lines import Line, Size, as_line, lines_in

_ABOUT, _NUMBERS, _PICTURES, _LOCK = "about.json", "numbers.bin", "pictures.jsonl", "lock"
Number = Literal["maximum", "mean", "row", "column"]
_KINDS: Mapping[Number, tuple[str, int]] = {  # what it is, and where it stands, in bytes a channel
    "maximum": ("<f4", 0),
    "mean": ("<f4", 4),
    "row": ("<i2", 8),
    "column": ("<i2", 10),
}
RECORD_BYTES = 12  # of a channel
_SETTLE_SECONDS = 5.0  # so much of a pass is lost at most if the machine loses its power
_MOST_AT_ONCE = 64_000_000  # bytes that a summary reads at a time
log = logging.getLogger(__name__)


class Picture(NamedTuple):
    """A picture that was looked at.

    Attributes:
        name: its path below the folder.
        photo_size: (width, height) as it is.
        input_size: (height, width) of what the model was given.
    """

    name: str
    photo_size: Size
    input_size: Size


class CallPeaks(NamedTuple):
    """Numbers of one call's channels for all pictures: each (pictures, channels)."""

    maximum: NDArray[np.float32]
    mean: NDArray[np.float32]
    row: NDArray[np.int16]
    column: NDArray[np.int16]


class Summary(NamedTuple):
    """Mean and standard deviation of each channel's maxima over all pictures."""

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]


class Store:
    """One pass's numbers; one process writes, and any thread of it reads.

    Args:
        folder: where the files are.
        stamps: returns each picture's stamp by its name: others do not count. Without it all of them do.

    Raises:
        RequestError: the folder cannot be made.
    """

    def __init__(self, folder: Path, stamps: Callable[[], Mapping[str, str]] | None = None) -> None:
        self.folder = folder
        self.calls: tuple[Channels, ...] = ()
        self.pictures: list[Picture] = []
        self.unreadable: dict[str, str] = {}
        self._stamps = stamps
        self._records: list[int] = []  # of each picture, which one is its
        self._written, self._said = 0, 0  # records, and bytes of lines, that are on the disk and count
        self._lock = threading.Lock()
        self._summary: tuple[int, Summary] | None = None
        self._settled = time.monotonic()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _no_room(error) from error
        self._read()

    @property
    def channels(self) -> int:
        """Number of channels, of all calls."""
        return sum(call.channels for call in self.calls)

    @property
    def record_bytes(self) -> int:
        """Size of a picture's record on disk, in bytes."""
        return RECORD_BYTES * self.channels

    @property
    def done(self) -> int:
        """Number of pictures that are done, readable or not."""
        return len(self.pictures) + len(self.unreadable)

    @property
    def seen(self) -> set[str]:
        """The names of all pictures that are done."""
        return {each.name for each in self.pictures} | self.unreadable.keys()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Have the files alone, for writing, inside the block.

        Raises:
            RequestError: another process writes into them.
        """
        with _disk(self.folder), (self.folder / _LOCK).open("wb") as lock:
            try:
                locking.lock(lock, from_threads=True)
            except OSError as error:
                raise RequestError("another server is looking through these pictures: wait for it") from error
            self._read()
            self._cut()
            try:
                yield
            finally:
                self._settle()

    def add(self, name: str, photo_size: Size, found: PicturePeaks, stamp: str = "") -> None:
        """Add a picture's numbers for all channels, with its file's stamp.

        Raises:
            RequestError: it cannot be written.
        """
        with _disk(self.folder):
            if not self.calls:
                self._begin(found.calls)
            record = self._record(found)
            with (self.folder / _NUMBERS).open("ab") as file:
                file.write(record)
            self._line(Line(name, photo_size, found.size, stamp=stamp))
        with self._lock:
            self.pictures.append(Picture(name, photo_size, found.size))
            self._records.append(self._written)
            self._written += 1

    def leave_out(self, name: str, reason: str, stamp: str = "") -> None:
        """Note that a picture cannot be looked at, and why.

        Raises:
            RequestError: it cannot be written.
        """
        with _disk(self.folder):
            self._line(Line(name, problem=reason, stamp=stamp))
        with self._lock:
            self.unreadable[name] = reason

    def block(self, layer: str, call: int, channel: int | None = None) -> CallPeaks | None:
        """Return a call's numbers, or one channel's; None if there are none."""
        where = self._where(layer, call, channel)
        return None if where is None else CallPeaks(*self._columns(where, tuple(_KINDS)))

    def numbers(
        self, number: Number, layer: str, call: int, channel: int | None = None
    ) -> NDArray[Any] | None:
        """Return one array of such a block; None if there are none."""
        where = self._where(layer, call, channel)
        return None if where is None else self._columns(where, (number,))[0]

    def _where(self, layer: str, call: int, channel: int | None) -> slice | None:
        where = self.place(layer, call)
        if where is None or channel is None:
            return where
        return slice(where.start + channel, where.start + channel + 1) if channel < _long(where) else None

    def place(self, layer: str, call: int) -> slice | None:
        """Return the slice of a call's channels among all; None without any."""
        begun = 0
        for each in self.calls:
            if (each.layer, each.call) == (layer, call):
                return slice(begun, begun + each.channels)
            begun += each.channels
        return None

    def summary(self) -> Summary:
        """Return each channel's mean and deviation of maxima, without NaN."""
        count = len(self.pictures)
        if self._summary is None or self._summary[0] != count:
            self._summary = count, self._summed()
        return self._summary[1]

    def _summed(self) -> Summary:
        step = max(1, _MOST_AT_ONCE // max(1, 8 * len(self.pictures)))
        parts = [
            _moments(self._columns(slice(first, min(first + step, self.channels)), ("maximum",))[0])
            for first in range(0, self.channels, step)
        ]
        mean, deviation = (np.concatenate(found) for found in zip(*parts, strict=True))
        return Summary(mean, deviation)

    def _columns(self, channels: slice, wanted: tuple[Number, ...]) -> list[NDArray[Any]]:
        """Return some numbers of some channels, each (pictures, channels)."""
        with self._lock:
            records = np.array(self._records, np.int64)
        count, total = len(records), self.channels
        if not count:
            return [np.empty((0, _long(channels)), _KINDS[each][0]) for each in wanted]
        there = int(records[-1]) + 1
        raw = np.memmap(self.folder / _NUMBERS, np.uint8, "r", shape=(there, RECORD_BYTES * total))
        rows = slice(None) if there == count else records
        found = []
        for each in wanted:
            kind, before = _KINDS[each]
            width, begun = np.dtype(kind).itemsize, before * total
            mine = raw[:, begun + width * channels.start : begun + width * channels.stop]
            found.append(np.ascontiguousarray(mine[rows]).view(kind))
        return found

    def in_order(self, found: PicturePeaks) -> tuple[NDArray[Any], ...]:
        """Return a picture's maxima, means, rows and columns, ordered by our calls.

        Of a call that it has not, maxima and means are NaN; a call that we have not is left out.
        """
        if found.calls == self.calls:
            return found.maximum, found.mean, found.row, found.column
        return self._placed(found)

    def _record(self, found: PicturePeaks) -> bytes:
        return b"".join(
            np.asarray(part).astype(kind).tobytes()
            for part, (kind, _) in zip(self.in_order(found), _KINDS.values(), strict=True)
        )

    def _placed(self, found: PicturePeaks) -> tuple[NDArray[Any], ...]:
        numbers = [np.full(self.channels, np.nan, np.float32) for _ in range(2)]
        places = [np.zeros(self.channels, np.int32) for _ in range(2)]
        there = {(each.layer, each.call): each.channels for each in found.calls}
        starts, begun = {}, 0
        for each in found.calls:
            starts[each.layer, each.call], begun = begun, begun + each.channels
        at = 0
        for ours in self.calls:
            key = ours.layer, ours.call
            count = min(ours.channels, there.get(key, 0))
            mine = slice(at, at + count)
            given = slice(starts.get(key, 0), starts.get(key, 0) + count)
            for whole, part in zip((*numbers, *places), found[1:5], strict=True):
                whole[mine] = part[given]
            at += ours.channels
        return (*numbers, *places)

    def _begin(self, calls: tuple[Channels, ...]) -> None:
        text = json.dumps({"calls": [list(call) for call in calls]})
        written_whole(self.folder / _ABOUT, lambda path: path.write_text(text, encoding="utf-8"))
        self.calls = tuple(Channels(*call) for call in calls)

    def _line(self, said: Line) -> None:
        with (self.folder / _PICTURES).open("ab") as file:
            file.write(as_line(said))
        if time.monotonic() - self._settled > _SETTLE_SECONDS:
            self._settle()

    def _settle(self) -> None:
        """Wait until all is on disk, the numbers before the lines."""
        for name in (_NUMBERS, _PICTURES):
            if (self.folder / name).exists():
                settle_file(self.folder / name)
        self._settled = time.monotonic()

    def _read(self) -> None:
        """Read the whole lines with their records; a picture's last counts."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            self.calls = tuple(
                Channels(*call) for call in json.loads((self.folder / _ABOUT).read_bytes())["calls"]
            )
        pictures: dict[str, tuple[int, Picture]] = {}
        unreadable: dict[str, str] = {}
        there, stamps = self._whole_records(), None if self._stamps is None else self._stamps()
        written, end = 0, 0
        for line, behind in lines_in(self.folder / _PICTURES):
            if line.problem is None and written == there:
                break
            pictures.pop(line.picture, None)
            unreadable.pop(line.picture, None)
            if stamps is None or stamps.get(line.picture) == line.stamp:
                if line.problem is not None:
                    unreadable[line.picture] = str(line.problem)
                elif line.photo is not None:
                    pictures[line.picture] = written, Picture(line.picture, line.photo, line.input)
            written, end = written + (line.problem is None), behind
        with self._lock:
            self.pictures = [picture for _, picture in pictures.values()]
            self._records = [record for record, _ in pictures.values()]
            self.unreadable, self._written, self._said = unreadable, written, end
            self._summary = None

    def _whole_records(self) -> int:
        try:
            size = (self.folder / _NUMBERS).stat().st_size
        except OSError:
            return 0
        return size // (RECORD_BYTES * self.channels) if self.channels else 0

    def _cut(self) -> None:
        """Cut off records and lines that do not count, before others follow."""
        for name, size in ((_NUMBERS, self._written * self.record_bytes), (_PICTURES, self._said)):
            if (self.folder / name).exists():
                os.truncate(self.folder / name, size)


def vanishing_folder(owner: object) -> Path:
    """Make a folder that vanishes with its owner or this process.

    Raises:
        RequestError: there is no room for one.
    """
    try:
        folder = tempfile.mkdtemp(prefix="layerglass-")
    except OSError as error:
        raise _no_room(error) from error
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _moments(values: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each column's mean and population standard deviation, without NaN."""
    sound = ~np.isnan(values)
    count = np.maximum(1, sound.sum(0))
    numbers = np.where(sound, values, 0).astype(np.float64)
    mean = numbers.sum(0) / count
    apart = np.where(sound, numbers - mean, 0)
    return mean, np.sqrt((apart**2).sum(0) / count)


def _long(where: slice) -> int:
    count: int = where.stop - where.start
    return count


def _no_room(error: OSError) -> RequestError:
    log.warning(
        "what a pass finds cannot be kept: %s", error
    )  # with its path, which is no visitor's business
    return RequestError(
        "the server cannot keep what it finds in pictures: {error}. Whoever runs it can name another folder "
        "in LAYERGLASS_FOLDERS, or in TMPDIR.",
        error=(error.strerror or str(error)).lower(),
    )


@contextlib.contextmanager
def _disk(folder: Path) -> Any:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RequestError("cannot write into {folder}: {error}", folder=folder.name, error=reason) from error
