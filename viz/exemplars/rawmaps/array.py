"""One array of maps, which grows by a picture at a time.

It survives a process that is killed. The shard under way is a file in the folder of what is unfinished.
``settle`` brings it to the disk with an index beside it; then the run says how many pictures count, and after
that ``publish`` moves full shards to their place. Which shard is under way follows from the number of
pictures that count: chunk n is picture n.
"""

import contextlib
import os
import shutil
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..keeping import settle_file, written_whole
from .form import MISSING, index_bytes, packed

METADATA = "zarr.json"


class GrowingArray:
    """An array on its way.

    Args:
        unfinished: the folder of what is not at its place yet.
        finished: the array's own folder.
        shard: how many pictures a shard has.
        metadata: its ``zarr.json``.
    """

    def __init__(self, unfinished: Path, finished: Path, shard: int, metadata: bytes) -> None:
        self._unfinished, self._finished, self._shard = unfinished, finished, shard
        self._metadata = metadata
        self._number, self._length = -1, 0
        self._index = _nothing(shard)
        self._file: BinaryIO | None = None
        unfinished.mkdir(parents=True, exist_ok=True)

    def add(self, number: int, values: NDArray[Any]) -> None:
        """Append the maps of a picture; pictures come in order.

        Raises:
            OSError: there is no room.
        """
        if number // self._shard != self._number:
            self.close()
            self._begin(number // self._shard)
        if self._file is None:
            raise ValueError("an array that is closed takes no more pictures")
        chunk = packed(values)
        self._file.write(chunk)
        self._index[number % self._shard] = self._length, len(chunk)
        self._length += len(chunk)

    def settle(self, done: int) -> None:
        """Bring the maps of the first ``done`` pictures to the disk.

        They are all that were added.
        """
        if self._file is None:
            return
        if done // self._shard > self._number:
            self.close()
            return
        self._file.flush()
        os.fsync(self._file.fileno())
        index = self._index.astype("<u8").tobytes()
        written_whole(self._place("index"), lambda path: path.write_bytes(index))

    def publish(self, done: int) -> None:
        """Move shards with all of their pictures to their place.

        Call this once these pictures count.
        """
        for path in self._unfinished.glob("*.shard"):
            if int(path.stem) < done // self._shard:
                self._publish(int(path.stem), path)
                path.with_suffix(".index").unlink(missing_ok=True)

    def finish(self, done: int, *, complete: bool) -> None:
        """Put everything so far to its place.

        Of a run that is to go on, the last shard is copied.
        """
        self.publish(done)
        if self._file is None:
            return
        if complete:
            number = self._number
            self.close()
            self._publish(number, self._unfinished / f"{number:06}.shard")
            return
        self._file.flush()
        copy = self._place("copy")
        try:
            shutil.copyfile(self._place("shard"), copy)
            with copy.open("ab") as file:
                file.write(index_bytes(self._index))
            self._publish(self._number, copy)
        finally:
            copy.unlink(missing_ok=True)

    def take_up(self, done: int) -> None:
        """Go on behind the first ``done`` pictures; forget later maps."""
        current = done // self._shard
        for path in self._unfinished.glob("*.shard"):
            if int(path.stem) > current:
                path.unlink()
            elif int(path.stem) == current:
                self._reopen(current, done)

    def close(self) -> None:
        """End the shard under way with its index."""
        if self._file is not None:
            with self._file as file:
                file.write(index_bytes(self._index))
                file.flush()
                os.fsync(file.fileno())
            self._file = None

    def leave(self) -> None:
        """Let go of the file, as it is."""
        if self._file is not None:
            file, self._file = self._file, None
            with contextlib.suppress(OSError):  # a full disk has no room for what waits in its buffer
                file.close()

    def _begin(self, number: int) -> None:
        self._number, self._length, self._index = number, 0, _nothing(self._shard)
        self._file = self._place("shard").open("wb")

    def _reopen(self, number: int, done: int) -> None:
        self._number = number
        beside = self._place("index")
        self._index = _nothing(self._shard)
        if beside.exists():
            self._index = np.frombuffer(beside.read_bytes(), "<u8").reshape(-1, 2).astype(np.uint64)
        self._index[done - number * self._shard :] = MISSING
        there = self._index[self._index[:, 0] != MISSING]
        self._length = int(there.sum(1).max()) if len(there) else 0
        if not len(there):
            self._place("shard").unlink()
            self._number = -1
            return
        self._file = self._place("shard").open("r+b")
        self._file.truncate(self._length)
        self._file.seek(self._length)

    def _publish(self, number: int, path: Path) -> None:
        """Move a whole shard to its place, and write missing metadata."""
        place = self._finished / "c" / str(number) / "0" / "0" / "0"
        place.parent.mkdir(parents=True, exist_ok=True)
        settle_file(path)
        path.replace(place)
        if not (self._finished / METADATA).exists():
            written_whole(self._finished / METADATA, lambda path: path.write_bytes(self._metadata))

    def _place(self, ending: str, number: int | None = None) -> Path:
        return self._unfinished / f"{self._number if number is None else number:06}.{ending}"


def _nothing(shard: int) -> NDArray[np.uint64]:
    return np.full((shard, 2), MISSING, np.uint64)
