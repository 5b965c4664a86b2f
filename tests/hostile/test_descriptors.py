"""A server with few descriptors: what the door lets in fits, and the log stays short."""

import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.serving import serving
from tests.hostile.handshakes import answer, begin
from tests.hostile.visitor import Visitor, ask
from tests.machine import patience
from viz.log_form import OF_A_KIND

GRANTED = 800
PAGES = 31  # (800 less 128, 384 and a sixth) / 5: see ``viz.ui.door.descriptors``
pytestmark = pytest.mark.slow  # each needs the real server


START = ("tests/hostile/few_descriptors.py", str(GRANTED))
SEEN = "socket.accept() out of system resource"


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until the server has come so far."""
    deadline = time.monotonic() + patience(60)
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_pages_that_the_door_lets_in_leave_descriptors_for_others(tmp_path: Path) -> None:
    """Of 250, from many addresses; further ones are told to come back, the operator beforehand."""
    log = tmp_path / "log.txt"
    with serving(tmp_path, START) as server, ExitStack() as lines:
        Visitor(server, model="lenet").close()
        wait_until(lambda: b"\nlayerglass_sessions 0.0\n" in ask(server, "/metrics").data)
        assert f"grants {GRANTED} open files (ulimit -n): at most {PAGES} pages" in log.read_text("utf-8")
        pages = [begin(server, origin=server, address=f"203.0.113.{number}") for number in range(250)]
        for page in pages:
            lines.enter_context(page)
        told = Counter(answer(page).split(b" ")[1] for page in pages)
        assert told == {b"101": PAGES, b"503": 250 - PAGES}
        wait_until(lambda: ask(server, "/health").status == 200)  # a busy machine is well a little later
    assert "Too many open files" not in log.read_text("utf-8")


def test_lines_that_say_nothing_do_not_fill_the_log(tmp_path: Path) -> None:
    """More than there are descriptors; the server says so some times, and goes on once they are gone.

    What it says has tracebacks, which ``serving`` raises at the end.
    """
    log = tmp_path / "log.txt"
    with pytest.raises(RuntimeError, match="wrote a traceback"):
        _exhausted(tmp_path)
    written = log.read_text("utf-8")
    assert 0 < written.count(SEEN) <= OF_A_KIND
    assert len(written) < 200_000


def _exhausted(home: Path) -> None:
    with serving(home, START) as server:
        Visitor(server, model="lenet").close()  # so that all that a page needs has been read
        address = urlsplit(server)
        with ExitStack() as lines:
            for _ in range(GRANTED + 100):
                line = socket.create_connection((address.hostname, address.port), timeout=patience(5))
                lines.enter_context(line)
            wait_until(lambda: SEEN in (home / "log.txt").read_text("utf-8"))
            time.sleep(5)  # time to fill the log
        assert ask(server, "/health").status == 200
