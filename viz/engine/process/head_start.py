"""Early start of a nursery, since PyTorch's import takes long.

This module imports nothing that takes time, so that the start of the page can call ``begin`` first.
"""

import os
import socket
import subprocess
import sys
from typing import NamedTuple

from ...errors import RequestError
from ..engine_protocol import CHOICE, chosen


class StartedNursery(NamedTuple):
    """A started nursery, and our end of its line of orders."""

    process: "subprocess.Popen[bytes]"
    orders: socket.socket


_ahead: list[StartedNursery] = []  # at most one, of this process
_begun_once = False


def begin() -> None:
    """Start the nursery of this process's engine, once and if needed.

    Raises:
        SystemExit: the operator has chosen an engine that does not exist; it has the sentence.
    """
    global _begun_once  # noqa: PLW0603  # one for each process, like the engine
    try:
        engine = chosen()
    except RequestError as error:
        raise SystemExit(f"{CHOICE}: {error}") from None
    if engine == "process" and not _begun_once:
        _begun_once = True
        _ahead.append(_started())


def begun_nursery() -> StartedNursery:
    """Return the nursery that was begun ahead, or a new one."""
    return _ahead.pop() if _ahead else _started()


def _started() -> StartedNursery:
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
    return StartedNursery(process, ours)
