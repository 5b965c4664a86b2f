"""Pictures below a folder, in the order of their paths."""

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ..errors import RequestError
from ..pictures.headers.formats import MAGIC, begins_like_a_picture
from ..pictures.images import EXTENSIONS
from .sources.bucket import MARK, Bucket

_ENDINGS = tuple(f".{ending}" for ending in EXTENSIONS)


Place: TypeAlias = Path | Bucket
"""Where pictures are: a folder on disk, or a place with an address."""


class Entry(NamedTuple):
    """A file below the folder.

    Attributes:
        path: from the folder on, with ``/``; as the system gives it, also where that is no valid text.
        size: in bytes; -1 where it cannot be told, as of a link that leads nowhere or a folder that cannot be
            listed.
        picture: whether its name ends like a picture's, or, where it has no ending, whether the file begins
            like one; what is behind an address is told by its name alone. A folder that cannot be listed
            counts as one: there may be pictures in it, and who reads it is told why not.
        modified: when it was written, in nanoseconds; 0 where that cannot be told, as with an address.
    """

    path: str
    size: int
    picture: bool
    modified: int = 0


@dataclass(frozen=True)
class Listing:
    """Contents of a folder, in numbers.

    Attributes:
        count: the number of pictures.
        others: the number of files with other endings.
        digest: SHA-256 of all pictures' paths and sizes, in order: folders with the same one have the same
            pictures, as far as can be told without reading them.
    """

    count: int
    others: int
    digest: str


def place_of(text: str) -> Place:
    """Return the place of pictures that somebody names: an address has ``://``."""
    return Bucket(text) if MARK in text else Path(text)


def entries(folder: Place, without: Path | None = None) -> Iterator[Entry]:
    """Yield the files below a folder, by name, folder by folder.

    Files and folders whose names begin with a dot are left out. A link to a folder is followed once, and only
    if it leads out of this folder: what lies inside comes anyway, and what lies around it would have no end.

    Args:
        folder: where to begin.
        without: a folder that is not entered, such as that of the results.

    Raises:
        RequestError: there is no such folder, or it cannot be listed.
    """
    if isinstance(folder, Bucket):
        return (Entry(path, size, _is_picture(path)) for path, size in folder.files())
    return _entries(folder, without)


def pictures(folder: Place, without: Path | None = None) -> Iterator[str]:
    """Yield the paths of the pictures alone: see ``entries``."""
    return (entry.path for entry in entries(folder, without) if entry.picture)


def listed(
    folder: Place, without: Path | None = None, each: Callable[[str], object] = lambda _: None
) -> Listing:
    """Count the files below a folder: see ``entries``.

    ``each`` is called with each picture's path.

    Raises:
        RequestError: the folder cannot be read, or there is no picture in it.
    """
    count, others, digest = 0, 0, hashlib.sha256()
    for entry in entries(folder, without):
        if entry.picture:
            count += 1
            each(entry.path)
            digest.update(f"{entry.path}\0{entry.size}\0".encode(errors="surrogateescape"))
        else:
            others += 1
    if not count:
        raise RequestError(
            "there is no picture in {folder}: names of pictures end in {endings}",
            folder=folder,
            endings=", ".join(_ENDINGS),
        )
    return Listing(count, others, digest.hexdigest())


def text_of(path: str) -> str:
    """Return a path as valid text, with escapes for other bytes."""
    return path.encode(errors="surrogateescape").decode(errors="backslashreplace")


def _entries(folder: Path, without: Path | None) -> Iterator[Entry]:
    root = Path(os.path.realpath(folder))
    met = {os.path.realpath(without)} if without is not None else set()
    try:
        waiting = [("", iter(_sorted(root)))]
    except OSError as error:
        raise RequestError(
            "cannot read the folder {folder}: {error}", folder=folder, error=_reason(error)
        ) from error
    while waiting:
        above, rest = waiting[-1]
        found = next(rest, None)
        if found is None:
            waiting.pop()
            continue
        path = f"{above}{found.name}"
        if not _is_folder(found):
            size, modified = _told(found)
            yield Entry(path, size, _is_picture(path) or _begins_like_one(found), modified)
        elif _is_new(found, root, met):
            try:
                waiting.append((f"{path}/", iter(_sorted(found.path))))
            except OSError:
                yield Entry(path, -1, picture=True)


def _is_picture(path: str) -> bool:
    return path.lower().endswith(_ENDINGS)


def _begins_like_one(entry: os.DirEntry[str]) -> bool:
    """Return whether a file without an ending begins like a picture."""
    if "." in entry.name:
        return False
    try:
        if not entry.is_file():  # reading from a pipe would wait
            return False
        with Path(entry.path).open("rb") as file:
            return begins_like_a_picture(file.read(MAGIC))
    except OSError:
        return False


def _sorted(folder: str | Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return sorted((each for each in found if not each.name.startswith(".")), key=lambda each: each.name)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _is_new(entry: os.DirEntry[str], root: Path, met: set[str]) -> bool:
    """Return whether a folder is to be entered, and note it.

    Links into or around the root, and folders met before, are not entered.
    """
    real = os.path.realpath(entry.path)
    if real in met:
        return False
    if entry.is_symlink():
        target = Path(real)
        if target.is_relative_to(root) or root.is_relative_to(target):
            return False
    met.add(real)
    return True


def _told(entry: os.DirEntry[str]) -> tuple[int, int]:
    """Return a file's size, and when it was written."""
    try:
        found = entry.stat()
    except OSError:
        return -1, 0
    return found.st_size, found.st_mtime_ns


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
