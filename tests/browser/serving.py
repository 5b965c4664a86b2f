"""The real server in a process of its own; the browser tests and the page's benchmark start it."""

import os
import random
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

import matplotlib as mpl

from tests.machine import patience

ROOT = Path(__file__).parents[2]
START = ("app.py",)  # as `make run` does
STARTING_SECONDS = 120  # on a quiet machine
LOGS: list[Path] = []  # of the servers that run now, for the evidence of a failure
_CHANCE = random.SystemRandom()  # which no seed reaches: two runs at once would choose the same ports
PORTS = 10_240, 32_768  # below those that systems give away: Linux begins at 32768, others later


@contextmanager
def serving(
    home: Path,
    start: tuple[str, ...] = START,
    *,
    base: str = "",
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """The address of a running server, below ``base``; no weights of torchvision, and no network to get them.

    ``settings`` are further environment variables.

    Raises:
        RuntimeError: it did not start, or it wrote a traceback while it ran.
    """
    port, log = free_port(), home / "log.txt"
    address = f"http://127.0.0.1:{port}{base}"
    where = ("--server.port", str(port), "--server.address", "127.0.0.1", "--server.baseUrlPath", base)
    with log.open("wb") as output:
        command = [sys.executable, *start, *where]
        server = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | alone(home) | settings,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        LOGS.append(log)
        try:
            wait_until_served(address, server, log)
            yield address
        finally:
            LOGS.remove(log)
            server.terminate()
            server.wait(timeout=patience(60))
    if "Traceback" in (written := log.read_text("utf-8", errors="replace")):
        raise RuntimeError(f"the server wrote a traceback:\n{written}")


def wait_until_served(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    """Return once the server answers; raise RuntimeError with its log if it ends or takes too long."""
    deadline = time.monotonic() + patience(STARTING_SECONDS)
    while server.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=patience(2)).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"the server did not start:\n{log.read_text('utf-8', errors='replace')}")


def alone(home: Path) -> dict[str, str]:
    """Settings with which nothing comes from the network, or from what a user has set or kept at home."""
    return {
        "HOME": str(home),  # Streamlit's own settings may lie there
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "MPLCONFIGDIR": mpl.get_cachedir(),  # or each server would look at every font again
        "TORCH_HOME": str(home / "torch"),
        "LAYERGLASS_WEIGHTS_URL": "http://127.0.0.1:9",
    }


def free_port() -> int:
    """A port that nobody listens on, and that the system gives to nobody who asks for any."""
    while True:
        with closing(socket.socket()) as probe, suppress(OSError):
            port = _CHANCE.randrange(*PORTS)
            probe.bind(("127.0.0.1", port))
            return port
