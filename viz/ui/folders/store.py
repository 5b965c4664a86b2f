"""What a pass has found so far, on the disk: a record of numbers for each picture, and a line of text.

``numbers.bin`` has a record for each picture that could be looked at: the maxima, the means, and the rows and
columns of the maxima, of all channels. ``pictures.jsonl`` has a line for each picture, readable or not, and
``about.json`` says whose numbers they are. A line counts once its record is written, so the pass may be
killed at any moment.
"""

import contextlib
import fcntl
import json
import shutil
import tempfile
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError
from ...exemplars.looked import Channels
from ...views.folder.tasks import PicturePeaks

Size = tuple[int, int]
_ABOUT, _NUMBERS, _PICTURES, _LOCK = "about.json", "numbers.bin", "pictures.jsonl", "lock"
_WIDTH = 12  # bytes of a channel in a record: two float32 and two int16
_MOST_AT_ONCE = 64_000_000  # bytes that a summary reads at a time


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


class Block(NamedTuple):
    """What the pictures did to one call's channels: each (pictures, channels)."""

    maximum: NDArray[np.float32]
    mean: NDArray[np.float32]
    row: NDArray[np.int16]
    column: NDArray[np.int16]


class Summary(NamedTuple):
    """Of all channels of all calls, over all pictures: the mean and the standard deviation of the maxima."""

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]


class Store:
    """One pass's numbers; one process writes, and any thread of it reads.

    Args:
        folder: where the files are.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls: tuple[Channels, ...] = ()
        self.pictures: list[Picture] = []
        self.unreadable: dict[str, str] = {}
        self._lock = threading.Lock()
        self._summary: tuple[int, Summary] | None = None
        self._held: Any = None
        folder.mkdir(parents=True, exist_ok=True)
        self._read()

    @property
    def channels(self) -> int:
        """How many channels there are, of all calls."""
        return sum(call.channels for call in self.calls)

    @property
    def record_bytes(self) -> int:
        """What a picture takes on the disk."""
        return _WIDTH * self.channels

    @property
    def done(self) -> int:
        """How many pictures are done, readable or not."""
        return len(self.pictures) + len(self.unreadable)

    @property
    def seen(self) -> set[str]:
        """The names of all pictures that are done."""
        return {each.name for each in self.pictures} | self.unreadable.keys()

    @contextlib.contextmanager
    def writing(self) -> Any:
        """Have the files alone, for writing, inside the block.

        Raises:
            RequestError: another process writes into them.
        """
        with _disk(self.folder), (self.folder / _LOCK).open("wb") as lock:
            try:
                fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RequestError("another server is looking through these pictures: wait for it") from error
            self._read()
            self._cut()
            yield

    def add(self, name: str, photo_size: Size, found: PicturePeaks) -> None:
        """Take in what a picture did to all channels.

        Raises:
            RequestError: it cannot be written.
        """
        with _disk(self.folder):
            if not self.calls:
                self._begin(found.calls)
            record = self._record(found)
            with (self.folder / _NUMBERS).open("ab") as file:
                file.write(record)
            self._line({"picture": name, "photo": photo_size, "input": found.size})
        with self._lock:
            self.pictures.append(Picture(name, photo_size, found.size))

    def leave_out(self, name: str, reason: str) -> None:
        """Note that a picture cannot be looked at, and why.

        Raises:
            RequestError: it cannot be written.
        """
        with _disk(self.folder):
            self._line({"picture": name, "problem": reason})
        with self._lock:
            self.unreadable[name] = reason

    def block(self, layer: str, call: int, channel: int | None = None) -> Block | None:
        """Return what the pictures did to a call's channels, or to one of them; None if there are none."""
        where = self.place(layer, call)
        if where is None or (channel is not None and channel >= where.stop - where.start):
            return None
        if channel is not None:
            where = slice(where.start + channel, where.start + channel + 1)
        return Block(*self._columns(where))

    def place(self, layer: str, call: int) -> slice | None:
        """Return where a call's channels stand among all; None if there are none."""
        begun = 0
        for each in self.calls:
            if (each.layer, each.call) == (layer, call):
                return slice(begun, begun + each.channels)
            begun += each.channels
        return None

    def summary(self) -> Summary:
        """Return mean and deviation of all channels' maxima; NaN of a picture is left out."""
        count = len(self.pictures)
        if self._summary is None or self._summary[0] != count:
            self._summary = count, self._summed()
        return self._summary[1]

    def _summed(self) -> Summary:
        step = max(1, _MOST_AT_ONCE // max(1, 8 * len(self.pictures)))
        parts = [
            _moments(self._columns(slice(first, first + step))[0]) for first in range(0, self.channels, step)
        ]
        mean, deviation = (np.concatenate(found) for found in zip(*parts, strict=True))
        return Summary(mean, deviation)

    def _columns(self, channels: slice) -> tuple[NDArray[Any], ...]:
        """Return maxima, means, rows and columns of some channels, each (pictures, channels)."""
        count, total = len(self.pictures), self.channels
        kinds: Sequence[tuple[str, int, int]] = (("<f4", 0, 4), ("<f4", 4, 4), ("<i2", 8, 2), ("<i2", 10, 2))
        if not count:
            return tuple(np.empty((0, channels.stop - channels.start), kind) for kind, _, _ in kinds)
        raw = np.memmap(self.folder / _NUMBERS, np.uint8, "r", shape=(count, _WIDTH * total))
        stop = min(channels.stop, total)
        return tuple(
            np.ascontiguousarray(
                raw[:, before * total + width * channels.start : before * total + width * stop]
            ).view(kind)
            for kind, before, width in kinds
        )

    def _record(self, found: PicturePeaks) -> bytes:
        """Return a picture's numbers in the order of our calls; NaN for a call that it has not."""
        parts: tuple[NDArray[Any], ...]
        if found.calls == self.calls:
            parts = found.maximum, found.mean, found.row, found.column
        else:
            parts = self._placed(found)
        return b"".join(
            np.asarray(part).astype(kind).tobytes()
            for part, kind in zip(parts, ("<f4", "<f4", "<i2", "<i2"), strict=True)
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
        partial = self.folder / f"{_ABOUT}.partial"
        partial.write_text(text, encoding="utf-8")
        partial.replace(self.folder / _ABOUT)
        self.calls = tuple(Channels(*call) for call in calls)

    def _line(self, said: dict[str, Any]) -> None:
        with (self.folder / _PICTURES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(said) + "\n")

    def _read(self) -> None:
        """Read what counts: whole lines, each with its record."""
        pictures: list[Picture] = []
        unreadable: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            self.calls = tuple(
                Channels(*call) for call in json.loads((self.folder / _ABOUT).read_bytes())["calls"]
            )
        records = self._records()
        for line in self._lines():
            if "problem" in line:
                unreadable[line["picture"]] = line["problem"]
            elif len(pictures) < records:
                pictures.append(Picture(line["picture"], tuple(line["photo"]), tuple(line["input"])))
            else:
                break
        with self._lock:
            self.pictures, self.unreadable = pictures, unreadable

    def _lines(self) -> list[dict[str, Any]]:
        try:
            text = (self.folder / _PICTURES).read_text(encoding="utf-8")
        except OSError:
            return []
        whole = text[: text.rfind("\n") + 1]
        with contextlib.suppress(ValueError):
            return [json.loads(line) for line in whole.splitlines()]
        return []

    def _records(self) -> int:
        try:
            size = (self.folder / _NUMBERS).stat().st_size
        except OSError:
            return 0
        return size // (_WIDTH * self.channels) if self.channels else 0

    def _cut(self) -> None:
        """Remove what does not count, so that the next record and line begin where they should."""
        numbers = self.folder / _NUMBERS
        if numbers.exists():
            with numbers.open("r+b") as file:
                file.truncate(len(self.pictures) * _WIDTH * self.channels)
        lines = [
            {"picture": each.name, "photo": each.photo_size, "input": each.input_size}
            for each in self.pictures
        ]
        lines += [{"picture": name, "problem": reason} for name, reason in self.unreadable.items()]
        partial = self.folder / f"{_PICTURES}.partial"
        partial.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        partial.replace(self.folder / _PICTURES)


def vanishing_folder(owner: object) -> Path:
    """Make a folder that is removed when its owner is gone, or this process ends."""
    folder = tempfile.mkdtemp(prefix="layerglass-")
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _moments(values: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean and the standard deviation (of all, not of a sample) of each column, without NaN."""
    sound = ~np.isnan(values)
    count = np.maximum(1, sound.sum(0))
    numbers = np.where(sound, values, 0).astype(np.float64)
    mean = numbers.sum(0) / count
    apart = np.where(sound, numbers - mean, 0)
    return mean, np.sqrt((apart**2).sum(0) / count)


@contextlib.contextmanager
def _disk(folder: Path) -> Any:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RequestError("cannot write into {folder}: {error}", folder=folder.name, error=reason) from error
