"""Freed memory that stays with the process, so that captures are fast.

glibc gives freed blocks of some hundred kilobytes back to the kernel at once. A pass that keeps every layer's
output then takes fresh pages for all of them each time, and the kernel fills each with zeros first. That
costs more than everything else that a capture does: see "Capturing a layer" in bench/RESULTS.md.

What is freed among blocks that are kept stays with the process, too, and becomes more and more: ``Surplus``
gives it back.
"""

import ctypes
import functools
import os
import platform
from pathlib import Path

KEPT = 1 << 30  # bytes of free memory that the process keeps
LARGEST_BLOCK = 32 << 20  # bytes; glibc takes no more: larger blocks come from the kernel, and go back to it
AHEAD = 64 << 20  # bytes that it asks for at once
SURPLUS = 128 << 20  # bytes by which a process may grow before it gives back what is free
# From glibc's malloc.h.
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
_THEIR_OWN = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")


@functools.cache
def keep_freed_pages() -> bool:
    """Let glibc keep up to ``KEPT`` freed bytes; return whether it does.

    It is left alone where its own variables are set, such as ``MALLOC_TRIM_THRESHOLD_``.
    """
    if platform.libc_ver()[0] != "glibc" or any(name in os.environ for name in _THEIR_OWN):
        return False
    wanted = ((_TRIM_THRESHOLD, KEPT), (_MMAP_THRESHOLD, LARGEST_BLOCK), (_TOP_PAD, AHEAD))
    mallopt = ctypes.CDLL(None).mallopt
    taken = [mallopt(name, value) == 1 for name, value in wanted]
    return all(taken)


class _Arenas(ctypes.Structure):
    """``struct mallinfo2`` of glibc's malloc.h; ``fordblks`` are all free bytes."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


class Surplus:
    """Freed memory beyond the next pass's needs, to be given back."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None)
        self._least = resident()  # since it was given back

    def give_back(self) -> bool:
        """Give free memory back after much growth; return whether it did.

        The growth, and what is free, must be ``SURPLUS`` bytes at least. A block that was given back still
        counts as free, so what is free does not tell alone.
        """
        now = resident()
        self._least = min(self._least, now)
        if now - self._least < SURPLUS or self._free() < SURPLUS:
            return False
        self._libc.malloc_trim(0)
        self._least = resident()
        return True

    def _free(self) -> int:
        """Return the free bytes in all arenas; 0 without glibc 2.33."""
        try:
            told = self._libc.mallinfo2
        except AttributeError:
            return 0
        told.restype = _Arenas
        return int(told().fordblks)


def resident() -> int:
    """Return this process's physical memory in bytes; 0 if it is unknown."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
