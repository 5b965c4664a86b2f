"""A process that is told to end does so in time, whatever its threads do."""

import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from tests.machine import patience
from viz.ui.stopping import LAST, UNDER_WAY, ending_in_time

Ended = tuple[list[str], int, float]
PROGRAM = """
    import os, signal, threading, time
    from viz.ui.stopping import ending_in_time

    over = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: os.write(1, b"heard "))  # print may be under way already
    threading.Thread(target={work}).start()  # Python waits for it
    with ending_in_time(over.set):
        print("begun", flush=True)
        over.wait()
    print("closed", flush=True)
"""
WORKS = {
    "closed": ("over.wait", signal.SIGTERM, UNDER_WAY, 0),
    "hanging": ("lambda: time.sleep(60)", signal.SIGTERM, LAST, 128 + signal.SIGTERM),
    "hanging at Ctrl-C": ("lambda: time.sleep(60)", signal.SIGINT, LAST, 0),
}


def ended(name: str) -> Ended:
    """Words of a program that is told to end, its code, and the seconds that it took."""
    work, number, _, _ = WORKS[name]
    program = textwrap.dedent(PROGRAM).format(work=work)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        begin = time.monotonic()
        process.send_signal(number)
        return process.stdout.read().split(), process.wait(patience(60)), time.monotonic() - begin


@pytest.fixture(scope="module")
def programs() -> Iterator[dict[str, Future[Ended]]]:
    """All of them at once, as they only wait."""
    with ThreadPoolExecutor(len(WORKS)) as pool:
        yield {name: pool.submit(ended, name) for name in WORKS}


@pytest.mark.skipif(sys.platform == "win32", reason="its processes do not hear SIGTERM")
@pytest.mark.parametrize("name", WORKS)
def test_it_ends_by_itself_or_at_last(programs: dict[str, Future[Ended]], name: str) -> None:
    """The waiting work is closed first; the handler that was there before is called, too."""
    _, _, least, wanted = WORKS[name]
    said, code, seconds = programs[name].result()
    assert code == wanted
    assert said == ["heard", "closed"]
    assert least - 0.1 < seconds < patience(5)


def test_other_threads_and_later_signals_are_left_alone() -> None:
    """A test's server runs in another thread; after the block everything is as before."""
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def elsewhere() -> None:
        with ending_in_time(lambda: None):
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [before]
    with ending_in_time(lambda: None):
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before
