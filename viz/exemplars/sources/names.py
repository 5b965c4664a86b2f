"""Names of a run's pictures, as they were when it began.

Later changes move no number.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_END = b"\0"  # which no name has
_AT_ONCE = 1 << 16  # bytes


@contextmanager
def names_into(path: Path) -> Iterator[Callable[[str], object]]:
    """Yield a function that adds a name to the file."""
    with path.open("wb") as file:
        yield lambda name: file.write(os.fsencode(name) + _END)


class NumberedPictures:
    """The pictures that are left, each with its number.

    Args:
        path: the file with all names.
        done: how many of them are done.
        lost: those that are not looked at again, by number, each with the reason.
    """

    def __init__(self, path: Path, done: int = 0, lost: Mapping[int, str] | None = None) -> None:
        self._path, self._done, self._lost = path, done, lost or {}

    def __iter__(self) -> Iterator[tuple[int, str] | tuple[int, str, str]]:
        for number, name in enumerate(self._names()):
            if number >= self._done:
                yield (number, name, self._lost[number]) if number in self._lost else (number, name)

    def _names(self) -> Iterator[str]:
        rest = b""
        with self._path.open("rb") as file:
            while part := file.read(_AT_ONCE):
                *whole, rest = (rest + part).split(_END)
                yield from map(os.fsdecode, whole)
