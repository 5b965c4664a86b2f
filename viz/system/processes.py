"""Copies of this process, and the processors that it may use."""

import os
import socket
import sys

COPIES = hasattr(os, "fork") and hasattr(socket, "send_fds")
"""Whether a process can copy itself, and be sent what is open in another; not on Windows."""


def can_copy_libraries() -> bool:
    """Return whether a process can be copied with PyTorch in it; macOS's own libraries do not bear it."""
    return COPIES and sys.platform == "linux"


def usable_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
