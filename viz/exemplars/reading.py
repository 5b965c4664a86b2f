"""Files into a model's input, in processes of their own, in order."""

import mmap
import os
import re
import signal
import stat
import struct
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from torch.utils.data import DataLoader, Dataset, get_worker_info

from ..errors import ImageError
from ..pictures.images import MAX_BYTES, read_image
from ..pictures.subject import Subject
from ..sentences import Sentence
from ..system.processes import can_copy_libraries, usable_processors
from .listing import Place
from .sources.bucket import Bucket
from .sources.thumbnails import thumbnail

_MOST_READERS = 4
_PLACE = struct.Struct("qq")  # a process and the item that it is at
_PROCESSES = re.compile(r"pid(?:\(s\))? (\d+(?:, ?\d+)*)")
AHEAD = 4  # pictures that each worker prepares before they are needed

Given = TypeVar("Given")
Made = TypeVar("Made")
Item: TypeAlias = tuple[int, str] | tuple[int, str, bytes | str]
"""A picture's number and path; and its bytes, or why there are none, if somebody has fetched it already."""

_watch: "_Watch | None" = None


@dataclass(frozen=True)
class Prepared:
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


class _Watch:
    """Item at which each copy of this process is, in memory that all of them share."""

    def __init__(self, copies: int) -> None:
        self._memory = mmap.mmap(-1, max(1, copies) * _PLACE.size)

    def note(self, copy: int, number: int) -> None:
        """Note that the copy with this number, which calls it, begins with an item."""
        _PLACE.pack_into(self._memory, copy * _PLACE.size, os.getpid(), number)

    def numbers(self, processes: Container[int]) -> tuple[int, ...]:
        """Return the items at which some processes were."""
        return tuple(number for process, number in _PLACE.iter_unpack(self._memory) if process in processes)


class _Watched(Dataset[Made]):
    """Another data set, which notes the item at which each copy of this process is."""

    def __init__(self, made: Dataset[Made], watch: _Watch) -> None:
        self._made, self._watch = made, watch

    def __getitem__(self, item: Item) -> Made:
        """Make it."""
        copy = get_worker_info()
        if copy is not None:
            self._watch.note(copy.id, item[0])
        return self._made[item]


class PictureFiles(Dataset[Prepared]):
    """The pictures of a folder, by (number, path); the subject's model plays no part."""

    def __init__(self, folder: Place, subject: Subject, thumbnails: int = 0) -> None:
        self._folder = folder
        self._thumbnails = thumbnails
        self._subject = replace(subject, module=None)  # what goes to other processes

    def __getitem__(self, item: Item) -> Prepared:
        """Return the picture, ready for the model, or with a sentence about its problem."""
        number, path, *fetched = item
        data = fetched[0] if fetched else _fetched(self._folder, path)
        if isinstance(data, str):
            return Prepared(number, path, problem=data)
        try:
            image = read_image(data)
            small = thumbnail(image, self._thumbnails) if self._thumbnails else b""
            return Prepared(number, path, self._subject.arguments(image), image.size, thumbnail=small)
        except Exception as error:  # noqa: BLE001  # one bad picture must not end a pass over ten thousand
            return Prepared(number, path, problem=_problem(error))


def prepared(
    folder: Place, subject: Subject, numbered: Iterable[Item], workers: int, thumbnails: int = 0
) -> Iterator[Prepared]:
    """Yield the pictures in their order; with ``workers``, they are read and prepared ahead elsewhere.

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
        return ahead(files.__getitem__, numbered, max(1, workers))
    return elsewhere(files, numbered, workers)


def elsewhere(made: Dataset[Made], items: Iterable[Item], workers: int) -> Iterator[Made]:
    """Yield a data set's items, in their order; copies of this process make them ahead.

    Each of them computes with one thread. Without any, this process does it.
    """
    global _watch  # noqa: PLW0603  # PyTorch's error about a lost process belongs to no loader either
    _watch = _Watch(workers)
    return iter(
        DataLoader(
            _Watched(made, _watch),
            sampler=items,
            batch_size=None,
            num_workers=workers,
            collate_fn=_itself,
            worker_init_fn=_without_interrupts,
            prefetch_factor=AHEAD if workers else None,
            multiprocessing_context="fork" if workers else None,
        )
    )


def fetched(folder: Bucket, numbered: Iterable[Item], threads: int) -> Iterator[Item]:
    """Yield pictures with their bytes. Threads of this process fetch them: its copies have no connections."""

    def with_bytes(item: Item) -> Item:
        number, path, *known = item
        return number, path, known[0] if known else _fetched(folder, path)

    return ahead(with_bytes, numbered, threads)


def ahead(make: Callable[[Given], Made], items: Iterable[Given], threads: int) -> Iterator[Made]:
    """Yield the results of ``make`` in the items' order; threads of this process make them ahead."""
    left, waiting = iter(items), deque[Future[Made]]()
    with ThreadPoolExecutor(threads) as pool:
        while True:
            waiting.extend(
                pool.submit(make, item) for item in islice(left, max(0, threads * AHEAD - len(waiting)))
            )
            if not waiting:
                return
            yield waiting.popleft().result()


def is_lost_worker(error: BaseException) -> bool:
    """Return whether an error says that a process that reads pictures, or looks at them, has ended.

    PyTorch raises it wherever this process is at that moment, also inside a model.
    """
    return isinstance(error, RuntimeError) and str(error).startswith("DataLoader worker")


def lost_items(error: BaseException) -> tuple[int, ...]:
    """Return the numbers of the items that the processes were at whose end such an error says."""
    found = _PROCESSES.search(str(error))
    return _watch.numbers({int(each) for each in found[1].split(",")}) if found and _watch else ()


def usual_readers() -> int:
    """Return the usual number of reading processes: one less than there are processors, at most four."""
    return max(0, min(_MOST_READERS, usable_processors() - 1)) if can_copy_libraries() else 0


def bytes_of(folder: Place, name: str) -> bytes:
    """Return a file's bytes, at most one more than a picture may have, so that too many are noticed."""
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


def _itself(item: Made) -> Made:
    return item


def _without_interrupts(worker: int) -> None:
    """Leave signals to the process that runs the model: it ends its workers when it has saved all."""
    del worker
    for number in (signal.SIGINT, signal.SIGTERM):  # a terminal, and many others, send them to all processes
        signal.signal(number, signal.SIG_IGN)
