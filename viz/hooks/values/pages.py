"""Memory that stays with the process: without it, every capture pays the kernel for the same pages again.

glibc gives freed blocks of some hundred kilobytes back to the kernel at once. A pass that keeps every layer's
output then takes fresh pages for all of them each time, and the kernel fills each with zeros first. That
costs more than everything else that a capture does: see "Capturing a layer" in bench/RESULTS.md.
"""

import ctypes
import functools
import os
import platform

KEPT = 1 << 30  # bytes of free memory that the process keeps
LARGEST_BLOCK = 32 << 20  # bytes; glibc takes no more: larger blocks come from the kernel, and go back to it
AHEAD = 64 << 20  # bytes that it asks for at once
# From glibc's malloc.h.
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
_THEIR_OWN = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")


@functools.cache
def keep_freed_pages() -> bool:
    """Tell glibc, once in a process, to keep up to ``KEPT`` freed bytes; return whether it does.

    It is left alone where its own variables are set, such as ``MALLOC_TRIM_THRESHOLD_``.
    """
    if platform.libc_ver()[0] != "glibc" or any(name in os.environ for name in _THEIR_OWN):
        return False
    wanted = ((_TRIM_THRESHOLD, KEPT), (_MMAP_THRESHOLD, LARGEST_BLOCK), (_TOP_PAD, AHEAD))
    mallopt = ctypes.CDLL(None).mallopt
    taken = [mallopt(name, value) == 1 for name, value in wanted]
    return all(taken)
