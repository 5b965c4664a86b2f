"""Loaded by every Python of a server under test: lists what is reached for, and drops what goes outside.

It stands for a firewall that answers nothing: whoever reaches for something outside waits a second in vain.
"""

import os
import sys
import time
from ipaddress import ip_address
from pathlib import Path
from typing import Any

LIST, STARTED = "TESTS_SOCKETS", "started"
SECONDS = 1.0
_REACHING = {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"}  # arguments: socket, address
_ASKING = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}
_HERE = {"socket.bind", STARTED}


def settings(folder: Path) -> dict[str, str]:
    """The environment of a server whose sockets are listed in ``folder``."""
    Path(folder, "sitecustomize.py").write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    return {"PYTHONPATH": str(folder), LIST: str(folder / "sockets.txt")}


def listed(folder: Path) -> list[tuple[str, str]]:
    """Return the sockets that were reached for: the call, and the host."""
    lines = Path(folder, "sockets.txt").read_text(encoding="utf-8").splitlines()
    return [(call, host) for call, _, host in (line.partition(" ") for line in lines)]


def is_outside(call: str, host: str) -> bool:
    """Return whether the call leads beyond this machine."""
    if call in _HERE or host in {"", "localhost", "None"} or host.startswith("/"):
        return False
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return True


def _watch(call: str, arguments: tuple[Any, ...]) -> None:
    if call not in _REACHING | _ASKING:
        return
    where = arguments[1] if call in _REACHING else arguments[0]
    host = where[0] if isinstance(where, tuple) else where
    if host is None and call in _REACHING:  # along a line that is connected already
        return
    name = host.decode("latin-1") if isinstance(host, bytes) else str(host)
    _note(call, name)
    if is_outside(call, name):
        time.sleep(SECONDS)
        raise TimeoutError(f"{name} does not answer")


def _note(call: str, name: str) -> None:
    line = os.open(os.environ[LIST], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(line, f"{call} {name}\n".encode())
    os.close(line)


if __name__ == "sitecustomize":
    _note(STARTED, str(os.getpid()))
    sys.addaudithook(_watch)
