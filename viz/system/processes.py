"""Copies of this process, and the processors that it may use."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import NoReturn

COPIES = hasattr(os, "fork") and hasattr(socket, "send_fds")
"""True where a process can copy itself, and be sent what is open in another: not on Windows."""


def can_copy_libraries() -> bool:
    """Return whether a process can be copied with PyTorch in it.

    The system's own libraries of macOS do not bear it.
    """
    return COPIES and sys.platform == "linux"


def become(command: list[str], environment: Mapping[str, str]) -> NoReturn:
    """Run another program in place of this one.

    Windows knows no such thing: it would go on beside a terminal that takes the next command already.
    """
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, env=environment, check=False).returncode)  # noqa: S603  # as below
    os.execve(command[0], command, environment)  # noqa: S606  # no shell, and our own interpreter


def usable_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
