"""The queue while things change under the threads that choose from it: no request waits for ever."""

import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import pytest

from tests.machine import patience
from viz.engine.purse import Purses, Rates
from viz.engine.worker import Worker


@contextmanager
def worker_with(purses: Purses) -> Iterator[Worker]:
    """A worker that is closed afterwards."""
    worker = Worker("test", purses=purses)
    yield worker
    worker.close()


@contextmanager
def running(worker: Worker) -> Iterator[None]:
    """Something else runs meanwhile, so that what is submitted waits."""
    begun, ended = threading.Event(), threading.Event()
    worker.submit("other", lambda: (begun.set(), ended.wait(patience(60))), visitor="other")
    assert begun.wait(patience(60))
    yield
    ended.set()


class Slow:
    """A clock that goes on whenever somebody looks at it, as if the threads were slow."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class Watched(Purses):
    """Tells when somebody is about to learn what a visitor has used."""

    told: Callable[[Hashable], object] = staticmethod(lambda _: None)

    def owed(self, visitor: Hashable) -> float:
        """See ``Purses``."""
        self.told(visitor)
        return super().owed(visitor)


@pytest.mark.parametrize("over", [0.02 * step for step in range(1, 21)])
def test_a_job_is_done_whose_visitor_becomes_light_while_the_threads_look(over: float) -> None:
    """One thread finds it too heavy, the other too light: one of them must look again."""
    purses = Purses(Rates(regained=1.0, light=1.0), Slow(0.05))
    with worker_with(purses) as worker:
        with running(worker):
            asked = worker.submit("view", lambda: "seen", visitor="ann")
            purses.spend(["ann"], 1.0 + over)
        assert asked.result(patience(60)) == "seen"


def test_a_job_given_up_while_a_thread_chooses_does_not_end_the_thread() -> None:
    """The one chosen runs, and so does what comes later."""
    purses = Watched()
    with worker_with(purses) as worker:
        with running(worker):
            chosen = worker.submit("first", lambda: 1, visitor="ann")
            left: Future[Any] = worker.submit("second", lambda: 2, visitor="bob")
            purses.told = lambda visitor: visitor == "ann" and left.cancel()
        assert chosen.result(patience(60)) == 1
        assert worker.submit("third", lambda: 3, visitor="cem").result(patience(60)) == 3
        assert left.cancelled()
