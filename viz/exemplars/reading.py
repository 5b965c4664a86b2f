"""Files into a model's input, in processes of their own, in order."""

import os
import signal
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from torch.utils.data import DataLoader, Dataset

from ..errors import ImageError
from ..pictures.images import MAX_BYTES, read_image
from ..pictures.subject import Subject
from ..sentences import Sentence

_MOST_WORKERS = 4
_AHEAD = 4  # pictures that each worker prepares before they are needed


@dataclass(frozen=True)
class Prepared:
    """A picture as the model takes it, or why there is none.

    Attributes:
        number: its place in the listing, from 0.
        path: from the folder on, as the system gives it.
        arguments: what the model is called with; empty if it cannot be read.
        size: (width, height) of the picture before it was prepared.
        problem: why it cannot be read; empty if it can.
    """

    number: int
    path: str
    arguments: tuple[Any, ...] = ()
    size: tuple[int, int] = (0, 0)
    problem: str = ""


class PictureFiles(Dataset[Prepared]):
    """The pictures of a folder, by (number, path); the subject's model plays no part."""

    def __init__(self, folder: Path, subject: Subject) -> None:
        self._folder = folder
        self._subject = replace(subject, module=None)  # what goes to other processes

    def __getitem__(self, item: tuple[int, str]) -> Prepared:
        """Return the picture, ready for the model; what is wrong with one is a sentence."""
        number, path = item
        try:
            image = read_image(_bytes(self._folder / path))
            return Prepared(number, path, self._subject.arguments(image), image.size)
        except OSError as error:
            return Prepared(number, path, problem=(error.strerror or str(error)).lower())
        except Exception as error:  # noqa: BLE001  # one bad picture must not end a pass over ten thousand
            return Prepared(number, path, problem=" ".join(f"{error}".split()) or type(error).__name__)


def prepared(
    folder: Path, subject: Subject, numbered: Iterable[tuple[int, str]], workers: int
) -> Iterator[Prepared]:
    """Yield the pictures in their order; with ``workers``, they are read and prepared ahead elsewhere."""
    return iter(
        DataLoader(
            PictureFiles(folder, subject),
            sampler=numbered,
            batch_size=None,
            num_workers=workers,
            collate_fn=_itself,  # type: ignore[arg-type]  # without batches it is given one picture
            worker_init_fn=_without_interrupts,
            prefetch_factor=_AHEAD if workers else None,
            multiprocessing_context="fork" if workers else None,
        )
    )


def is_lost_worker(error: BaseException) -> bool:
    """Whether an error says that a process that reads pictures has ended.

    PyTorch raises it wherever this process is at that moment, also inside a model.
    """
    return isinstance(error, RuntimeError) and str(error).startswith("DataLoader worker")


def usual_workers() -> int:
    """How many processes read pictures if nobody says: one less than there are processors, at most four.

    There are none where processes cannot be copied: what prepares a picture may be anything, also what cannot
    be sent to another process.
    """
    if sys.platform != "linux":
        return 0
    return max(0, min(_MOST_WORKERS, len(os.sched_getaffinity(0)) - 1))


def _bytes(path: Path) -> bytes:
    """Return a file's bytes, at most one more than a picture may have, so that too many are noticed."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        next(os.scandir(path), None)  # says why this folder could not be listed
    if not stat.S_ISREG(mode):  # reading a pipe would wait for ever
        raise ImageError(Sentence("this is no file"))
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _itself(item: Prepared) -> Prepared:
    return item


def _without_interrupts(worker: int) -> None:
    """Leave signals to the process that runs the model: it ends its workers when it has saved all."""
    del worker
    for number in (signal.SIGINT, signal.SIGTERM):  # a terminal, and many others, send them to all processes
        signal.signal(number, signal.SIG_IGN)
