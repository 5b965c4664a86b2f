"""Limits that a process sets on itself, on systems that have them."""

import contextlib
import os
import signal
from pathlib import Path

from ..system.optional import optional
from .bounds import Bounds

_resource = optional("resource")  # a system without it has no copies of processes, and calls nothing here
NICENESS = 5  # the page itself goes first if both want the processor


def keep_within(bounds: Bounds) -> None:
    """Hold this process to the bounds for good.

    Memory beyond the bound raises a ``MemoryError``. Processor time and the clock end the process, even in a
    decoder that never returns to Python. Nothing is written to disk, not even after a crash.
    """
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, bounds.patience)
    os.nice(NICENESS)
    used = _resource.getrusage(_resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + bounds.seconds
    memory = _address_space() + bounds.memory
    for what, limit in (
        (_resource.RLIMIT_CPU, seconds),
        (_resource.RLIMIT_AS, memory),
        (_resource.RLIMIT_FSIZE, 0),
        (_resource.RLIMIT_CORE, 0),
    ):
        _lower(what, limit)


def _lower(what: int, limit: int) -> None:
    hard = _resource.getrlimit(what)[1]
    least = limit if hard == _resource.RLIM_INFINITY else min(limit, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS has this limit and refuses to set it
        _resource.setrlimit(what, (least, least))


def _address_space() -> int:
    """Return this process's address space in bytes; 0 if unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
