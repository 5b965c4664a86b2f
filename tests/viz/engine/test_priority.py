"""A thread that gives way, as the system sees it."""

import os
import sys
import threading

import pytest

from tests.machine import patience
from viz.engine.priority import NICE, lower_priority
from viz.engine.worker import Worker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows threads' priorities")
HERE = os.getpriority(os.PRIO_PROCESS, 0) if sys.platform == "linux" else 0


def niceness() -> int:
    """That of the calling thread."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_only_the_thread_itself_and_those_that_it_starts_give_way() -> None:
    """OpenMP's threads begin in the thread that computes."""
    found = {}

    def started() -> None:
        lower_priority()
        found["thread"] = niceness()
        inner = threading.Thread(target=lambda: found.update(inner=niceness()))
        inner.start()
        inner.join()

    thread = threading.Thread(target=started)
    thread.start()
    thread.join()
    assert found == {"thread": NICE, "inner": NICE}
    assert niceness() == HERE


def test_what_can_wait_gives_way_and_what_somebody_looks_at_does_not() -> None:
    """Unless its visitor has used much time lately."""
    worker = Worker("test", gives_way=True)
    try:
        assert worker.submit("pick", niceness, visitor="ann").result(patience(60)) == HERE
        assert worker.submit("ahead", niceness, visitor="ann", urgent=False).result(patience(60)) == NICE
        worker._purses.spend(["eve"], 5.0)
        assert worker.submit("heavy", niceness, visitor="eve").result(patience(60)) == NICE
        assert worker.submit("again", niceness, visitor="ann").result(patience(60)) == HERE
    finally:
        worker.close()


def test_an_engine_in_this_process_leaves_its_threads_as_they_are() -> None:
    """There they share an interpreter with the page, which would wait for them."""
    worker = Worker("test")
    try:
        assert worker.submit("ahead", niceness, urgent=False).result(patience(60)) == HERE
    finally:
        worker.close()
