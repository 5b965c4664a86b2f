"""A file that arrives in pieces, and a tag to continue it."""

import errno
import hashlib
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from .errors import WeightsUnavailableError
from .refused_memory import CHECKSUM
from .sentences import Sentence

try:
    _fcntl: Any = import_module("fcntl")
except ImportError:
    _fcntl = None

__all__ = ["INSTEAD", "PartialFile", "check_room", "written"]

INSTEAD = Sentence("untrained weights can be shown meanwhile")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORGOTTEN = 86_400.0  # seconds after which nobody will ask for the rest of a file
_PIECE = 1 << 20  # bytes


class PartialFile:
    """The downloaded part of a file, ``NAME.part`` until it is whole.

    One process at a time goes on with ``NAME.part``. If another one fetches the same file, that one writes a
    part of its own, which it deletes in the end.

    Attributes:
        size: the bytes that have come.
        version: the server's name for this version of the file (an entity tag or a date); "" if it gave none.
        resumed: whether some of it came from an earlier connection.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with written(path.name):
            path.parent.mkdir(parents=True, exist_ok=True)
            _sweep(path.parent)
            self._file, self._part, self._shared = _claimed(path)
            self._tag = self._part.with_name(f"{self._part.name}.tag")
            self.version = self._tag.read_text("utf-8") if self._shared and self._tag.exists() else ""
            self._digest, self.size, self.resumed = hashlib.sha256(), 0, False
            if not self.version:
                self._file.truncate(0)
            self._read_back()

    @property
    def digest(self) -> str:
        """The SHA-256 of the part so far."""
        return self._digest.hexdigest()

    @property
    def is_kept(self) -> bool:
        """True if the next download can go on from this part.

        A mix of two files would be detected.
        """
        return self.size > 0 and self._shared and self._tag.exists()

    def begin(self, version: str) -> None:
        """Drop the part so far, for another version or a new start."""
        with written(self._path.name):
            self._file.truncate(0)
            self._digest, self.size, self.resumed, self.version = hashlib.sha256(), 0, False, version
            if self._shared and version and CHECKSUM.search(self._path.name):
                self._tag.write_text(version, "utf-8")
            else:  # nothing would tell a mix of two files
                self._tag.unlink(missing_ok=True)

    def go_on(self) -> None:
        """Note that the rest comes now."""
        self.resumed = self.size > 0

    def expect(self, total: int) -> None:
        """Refuse a file that the disk has no room for."""
        if shutil.disk_usage(self._path.parent).free < total - self.size:
            raise _no_room(self._path.name)

    def add(self, piece: bytes) -> None:
        """Write the next bytes."""
        with written(self._path.name):
            self._file.write(piece)
            self._file.flush()
        self._digest.update(piece)
        self.size += len(piece)

    def finish(self) -> None:
        """Let the whole file appear under its name."""
        with written(self._path.name):
            if not self._shared:
                self._file.close()  # or some systems would not rename it
            self._part.replace(self._path)
        self._tag.unlink(missing_ok=True)
        self._file.close()

    def close(self, *, keep: bool) -> None:
        """Close the part, and ``keep`` it if it can be continued."""
        if self._file.closed:
            return
        if not (keep and self.is_kept):
            self._tag.unlink(missing_ok=True)
            if self._shared:  # while it is locked: nobody else may begin with it
                self._part.unlink(missing_ok=True)
        self._file.close()
        if not self._shared:
            self._part.unlink(missing_ok=True)

    def _read_back(self) -> None:
        self._file.seek(0)
        while piece := self._file.read(_PIECE):
            self._digest.update(piece)
            self.size += len(piece)


def check_room(error: OSError, name: str) -> None:
    """Raise our own error for an error of a full disk.

    Raises:
        WeightsUnavailableError: the disk is full.
    """
    if error.errno in _FULL:
        raise _no_room(name) from error


@contextmanager
def written(name: str) -> Iterator[None]:
    """Turn a failure to write a file into a sentence.

    Raises:
        WeightsUnavailableError: it cannot be written.
    """
    try:
        yield
    except OSError as error:
        check_room(error, name)
        raise WeightsUnavailableError(
            "this server cannot keep {name} on its disk ({reason}): whoever runs it can set TORCH_HOME to "
            "another folder; {instead}",
            name=name,
            reason=error.strerror or str(error),
            instead=INSTEAD,
        ) from error


def _no_room(name: str) -> WeightsUnavailableError:
    return WeightsUnavailableError(
        "there is no room for {name} on this server's disk: whoever runs it can make room, or set TORCH_HOME "
        "to a folder on another disk; {instead}",
        name=name,
        instead=INSTEAD,
    )


def _claimed(path: Path) -> tuple[IO[bytes], Path, bool]:
    """Return an open part, its path, and True if it is shared."""
    shared = path.with_name(f"{path.name}.part")
    if _fcntl is not None:  # Windows has none, and renames nothing that is open
        file = shared.open("a+b")
        if _locked(file, shared):
            return file, shared, True
        file.close()
    own = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    return own.open("x+b"), own, False


def _locked(file: IO[bytes], place: Path) -> bool:
    """Lock a part; return whether that worked and it still stands there."""
    try:
        _fcntl.flock(file, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
        return os.path.samestat(place.stat(), os.fstat(file.fileno()))
    except OSError:
        return False


def _sweep(folder: Path) -> None:
    """Delete parts that were left long ago."""
    for left in [*folder.glob("*.part"), *folder.glob("*.part.tag")]:
        try:
            if time.time() - left.stat().st_mtime > _FORGOTTEN:
                left.unlink()
        except OSError:  # another process was first
            continue
