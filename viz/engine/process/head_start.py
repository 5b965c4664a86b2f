"""A nursery that begins before anything else: PyTorch's import is the longest part of a start.

This module imports nothing that takes time, so that the start of the page can call ``begin`` first.
"""

import os
import socket
import subprocess
import sys
from typing import NamedTuple

from ..engine_protocol import chosen


class Begun(NamedTuple):
    """A nursery that has been started, and our end of its line of orders."""

    process: "subprocess.Popen[bytes]"
    orders: socket.socket


_ahead: list[Begun] = []  # at most one, of this process
_begun_once = False


def begin() -> None:
    """Start the nursery that this process's engine will need; where it will need none, or again: nothing."""
    global _begun_once  # noqa: PLW0603  # one for each process, like the engine
    if chosen() == "process" and not _begun_once:
        _begun_once = True
        _ahead.append(_started())


def begun_nursery() -> Begun:
    """The nursery that was begun and not used yet, or a new one."""
    return _ahead.pop() if _ahead else _started()


def _started() -> Begun:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", f"{__package__}.nursery", str(theirs.fileno())]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with theirs:
        process = subprocess.Popen(  # noqa: S603  this interpreter, with modules of ours
            command,
            env=os.environ | path,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    return Begun(process, ours)
