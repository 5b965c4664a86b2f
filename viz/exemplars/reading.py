"""Files into a model's input, in processes of their own, in order."""

import os
import stat
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ..errors import ImageError
from ..pictures.images import MAX_BYTES, read_image
from ..pictures.subject import Subject
from ..sentences import Sentence
from ..system.processes import can_copy_libraries, usable_processors
from .ahead import by_copies, by_threads
from .listing import Place
from .sources.bucket import Bucket
from .sources.thumbnails import thumbnail

_MOST_READERS = 4

Item: TypeAlias = tuple[int, str] | tuple[int, str, bytes | str]
"""A picture's number and path; and its bytes, or why there are none, if somebody has fetched it already."""


@dataclass(frozen=True)
class PreparedPicture:
    """A picture as the model takes it, or why there is none.

    Attributes:
        number: its place in the listing, from 0.
        path: from the folder on, as the system gives it.
        arguments: what the model is called with; empty if it cannot be read.
        size: (width, height) of the picture before it was prepared.
        problem: why it cannot be read; empty if it can.
        thumbnail: a small JPEG of the picture; empty if there is none.
    """

    number: int
    path: str
    arguments: tuple[Any, ...] = ()
    size: tuple[int, int] = (0, 0)
    problem: str = ""
    thumbnail: bytes = b""


class PictureFiles:
    """Reader of a folder's pictures; the subject's model plays no part."""

    def __init__(self, folder: Place, subject: Subject, thumbnails: int = 0) -> None:
        self._folder = folder
        self._thumbnails = thumbnails
        self._subject = replace(subject, module=None)  # what goes to other processes

    def __call__(self, item: Item) -> PreparedPicture:
        """Return the picture, ready for the model, or with its problem."""
        number, path, *fetched = item
        data = fetched[0] if fetched else _fetched(self._folder, path)
        if isinstance(data, str):
            return PreparedPicture(number, path, problem=data)
        try:
            image = read_image(data)
            small = thumbnail(image, self._thumbnails) if self._thumbnails else b""
            return PreparedPicture(number, path, self._subject.arguments(image), image.size, thumbnail=small)
        except Exception as error:  # noqa: BLE001  # one bad picture must not end a pass over ten thousand
            return PreparedPicture(number, path, problem=_problem(error))


def prepared(
    folder: Place, subject: Subject, numbered: Iterable[Item], workers: int, thumbnails: int = 0
) -> Generator[PreparedPicture, None, None]:
    """Yield the prepared pictures in order; ``workers`` prepare them ahead.

    Args:
        folder: where they are.
        subject: how they are prepared.
        numbered: each with its number.
        workers: processes that read; for a place with an address threads, because a copy of a process
            cannot go on with its connections.
        thumbnails: the most pixels on a side of the small pictures; 0 for none.
    """
    files = PictureFiles(folder, subject, thumbnails)
    if isinstance(folder, Bucket):
        return by_threads(files, numbered, max(1, workers))
    return by_copies(files, numbered, workers)


def fetched(folder: Bucket, numbered: Iterable[Item], threads: int) -> Generator[Item, None, None]:
    """Yield pictures with their bytes, fetched by threads.

    Copies of this process would have no connections.
    """

    def with_bytes(item: Item) -> Item:
        number, path, *known = item
        return number, path, known[0] if known else _fetched(folder, path)

    return by_threads(with_bytes, numbered, threads)


def usual_readers() -> int:
    """Return the usual number of reading processes, at most four.

    It is one less than there are processors, and 0 where libraries cannot be copied into a process.
    """
    return max(0, min(_MOST_READERS, usable_processors() - 1)) if can_copy_libraries() else 0


def bytes_of(folder: Place, name: str) -> bytes:
    """Return a file's bytes, at most one beyond a picture's limit.

    So a file with too many bytes is noticed.
    """
    if isinstance(folder, Bucket):
        return folder.read(name, MAX_BYTES + 1)
    path = folder / name
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        next(os.scandir(path), None)  # says why this folder could not be listed
    if not stat.S_ISREG(mode):  # reading a pipe would wait for ever
        raise ImageError(Sentence("this is no file"))
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _fetched(folder: Place, path: str) -> bytes | str:
    """Return a file's bytes, or why there are none."""
    try:
        return bytes_of(folder, path)
    except Exception as error:  # noqa: BLE001  # one bad file must not end a pass over ten thousand
        return _problem(error)


def _problem(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return " ".join(f"{error}".split()) or type(error).__name__
