"""Locks of files that the system takes back when a process ends."""

import logging
from functools import cache
from typing import IO

from .optional import optional

_posix, _windows = optional("fcntl"), optional("msvcrt")
log = logging.getLogger(__name__)


def lock(file: IO[bytes], *, from_threads: bool) -> None:
    """Lock an open file until it is closed.

    Args:
        file: open for writing.
        from_threads: whether other threads of this process are kept out, too. Then a copy of this process has
            the lock as well, and keeps it if this one is killed.

    Raises:
        OSError: somebody else has it.
    """
    if _posix is not None:
        (_posix.flock if from_threads else _posix.lockf)(file, _posix.LOCK_EX | _posix.LOCK_NB)
    elif _windows is not None:  # a byte that is locked in one handle is locked for all others
        _windows.locking(file.fileno(), _windows.LK_NBLCK, 1)
    else:
        _warn()


@cache
def _warn() -> None:
    log.warning("this system locks no files: let one process at a time write into a folder of results")
