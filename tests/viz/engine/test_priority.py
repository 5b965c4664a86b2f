"""A thread that gives way, as the system sees it."""

import os
import threading

import pytest

from viz.engine.priority import lower_priority
from viz.engine.worker import Worker

pytestmark = pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="only Linux knows threads' priorities")


def policy() -> int:
    """That of the calling thread."""
    return os.sched_getscheduler(threading.get_native_id())


def test_only_the_thread_itself_and_those_that_it_starts_give_way() -> None:
    """OpenMP's threads begin in the thread that computes."""
    found = {}

    def started() -> None:
        lower_priority()
        found["thread"] = policy()
        inner = threading.Thread(target=lambda: found.update(inner=policy()))
        inner.start()
        inner.join()

    thread = threading.Thread(target=started)
    thread.start()
    thread.join()
    assert found == {"thread": os.SCHED_IDLE, "inner": os.SCHED_IDLE}
    assert policy() == os.SCHED_OTHER


def test_what_can_wait_gives_way_and_what_somebody_looks_at_does_not() -> None:
    """Unless its visitor has used much time lately."""
    worker = Worker("test", gives_way=True)
    try:
        assert worker.submit("pick", policy, visitor="ann").result(10) == os.SCHED_OTHER
        assert worker.submit("ahead", policy, visitor="ann", urgent=False).result(10) == os.SCHED_IDLE
        worker._purses.spend(["eve"], 5.0)
        assert worker.submit("heavy", policy, visitor="eve").result(10) == os.SCHED_IDLE
        assert worker.submit("again", policy, visitor="ann").result(10) == os.SCHED_OTHER
    finally:
        worker.close()


def test_an_engine_in_this_process_leaves_its_threads_as_they_are() -> None:
    """There they share an interpreter with the page, which would wait for them."""
    worker = Worker("test")
    try:
        assert worker.submit("ahead", policy, urgent=False).result(10) == os.SCHED_OTHER
    finally:
        worker.close()
