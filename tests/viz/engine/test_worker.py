"""The queue: equal requests meet, newer ones replace older ones, urgent ones go first."""

import threading
import time
from collections.abc import Generator, Iterator

import pytest

from tests.machine import patience
from viz.engine.place import WaitingVisitor
from viz.engine.purse import Purses
from viz.engine.worker import Worker
from viz.errors import EngineClosedError, SupersededError


@pytest.fixture
def worker() -> Iterator[Worker]:
    """A worker that is closed after the test."""
    worker = Worker("test")
    yield worker
    worker.close()


class Gate:
    """A job that holds the worker until it is opened, so that the queue behind it can be looked at."""

    def __init__(self, worker: Worker) -> None:
        self.running, self.opened = threading.Event(), threading.Event()
        self.future = worker.submit("gate", self.wait)
        assert self.running.wait(patience(60))

    def wait(self) -> None:
        """Say that it runs, then wait to be opened."""
        self.running.set()
        assert self.opened.wait(patience(60))


def test_equal_requests_are_computed_once(worker: Worker) -> None:
    """Twenty submissions of one key share one computation."""
    gate, calls = Gate(worker), []
    futures = [worker.submit("same", lambda: calls.append(1)) for _ in range(20)]
    gate.opened.set()
    for future in futures:
        future.result(patience(60))
    assert len(calls) == 1


def test_a_running_request_is_joined_by_an_equal_one(worker: Worker) -> None:
    """A key that runs already is not queued again."""
    gate = Gate(worker)
    joined = worker.submit("gate", lambda: "never")
    gate.opened.set()
    assert joined.result(patience(60)) is gate.future.result(patience(60)) is None


def test_visitors_take_turns(worker: Worker) -> None:
    """One with five questions, and two who come later with one or two: nobody waits for all five."""
    gate, done = Gate(worker), []
    asked = [("eve", n) for n in range(5)] + [("ann", 0), ("bob", 0), ("bob", 1)]
    futures = [
        worker.submit(each, lambda each=each: done.append(each), visitor=each[0], lane=each) for each in asked
    ]
    gate.opened.set()
    for future in futures:
        future.result(patience(60))
    first, rest = done[:3], done[3:]
    assert first == [("eve", 0), ("ann", 0), ("bob", 0)]
    assert rest == [("eve", 1), ("bob", 1), ("eve", 2), ("eve", 3), ("eve", 4)]


def test_what_several_wait_for_comes_when_the_first_of_them_is_due(worker: Worker) -> None:
    """Eve has had her turn; Ann, who waits for the same, has not."""
    gate, done = Gate(worker), []
    asked = [("one", "eve"), ("two", "eve"), ("shared", "eve"), ("shared", "ann")]
    futures = [
        worker.submit(key, lambda key=key: done.append(key), visitor=visitor, lane=(visitor, key))
        for key, visitor in asked
    ]
    gate.opened.set()
    for future in futures:
        future.result(patience(60))
    assert done == ["one", "shared", "two"]


def test_the_newest_request_of_a_lane_replaces_the_older_ones(worker: Worker) -> None:
    """Of five quick clicks only the last is answered; the others raise ``SupersededError``."""
    gate, done = Gate(worker), []
    futures = [worker.submit(n, lambda n=n: done.append(n), lane="visitor") for n in range(5)]
    gate.opened.set()
    futures[-1].result(patience(60))
    for future in futures[:-1]:
        with pytest.raises(SupersededError):
            future.result(patience(60))
    assert done == [4]


def test_a_request_that_another_visitor_also_waits_for_is_not_replaced(worker: Worker) -> None:
    """If one visitor changes to another view, the other visitor still gets the answer."""
    gate = Gate(worker)
    shared = worker.submit("shared", lambda: "kept", lane="ann")
    also = worker.submit("shared", lambda: "never", lane="bob")
    worker.submit("other", lambda: None, lane="ann")
    gate.opened.set()
    with pytest.raises(SupersededError):
        shared.result(patience(60))
    assert also.result(patience(60)) == "kept"


def test_urgent_work_goes_before_prefetches(worker: Worker) -> None:
    """Work that somebody waits for comes first, in order of arrival."""
    gate, done = Gate(worker), []
    jobs = [("p1", False), ("u1", True), ("p2", False), ("u2", True)]
    futures = [worker.submit(n, lambda n=n: done.append(n), urgent=urgent) for n, urgent in jobs]
    gate.opened.set()
    for future in futures:
        future.result(patience(60))
    assert done == ["u1", "u2", "p1", "p2"]


def test_a_prefetch_that_becomes_urgent_moves_forward(worker: Worker) -> None:
    """An urgent request for a waiting prefetch computes it earlier, not twice."""
    gate, done = Gate(worker), []
    worker.submit("first", lambda: done.append("first"), urgent=False)
    worker.submit("wanted", lambda: done.append("wanted"), urgent=False)
    future = worker.submit("wanted", lambda: done.append("again"))
    gate.opened.set()
    future.result(patience(60))
    assert done[0] == "wanted"
    assert "again" not in done


def test_a_failing_job_gives_its_error_to_who_waits_and_the_next_one_runs(worker: Worker) -> None:
    """The thread outlives whatever a job raises."""
    with pytest.raises(ZeroDivisionError):
        worker.submit("bad", lambda: 1 // 0).result(patience(60))
    assert worker.submit("good", lambda: 7).result(patience(60)) == 7


def test_a_cancelled_future_does_not_end_the_worker(worker: Worker) -> None:
    """Somebody may give up while the job waits."""
    gate = Gate(worker)
    future = worker.submit("given up", lambda: 1)
    assert future.cancel()
    gate.opened.set()
    assert worker.submit("next", lambda: 2).result(patience(60)) == 2


def test_a_request_that_was_given_up_can_be_made_again(worker: Worker) -> None:
    """Later requests do not get the earlier cancellation, and cancelling does not harm the queue."""
    gate = Gate(worker)
    assert worker.submit("view", lambda: 1, lane="ann").cancel()
    again = worker.submit("view", lambda: 2, lane="bob")
    assert worker.submit("left", lambda: 3, lane="ann").cancel()
    worker.submit("newest", lambda: 4, lane="ann")
    gate.opened.set()
    assert again.result(patience(60)) == 2


def test_a_closed_worker_refuses_what_waits_and_what_comes() -> None:
    """So nobody waits for ever after the engine has closed."""
    worker = Worker("test")
    gate = Gate(worker)
    waiting = worker.submit("waiting", lambda: 1)
    closer = threading.Thread(target=worker.close)
    closer.start()
    with pytest.raises(EngineClosedError):
        waiting.result(patience(60))
    gate.opened.set()
    closer.join(patience(60))
    with pytest.raises(EngineClosedError):
        worker.submit("late", lambda: 1)


class Slices:
    """Work in slices: says when each begins, and waits for leave to end the first."""

    def __init__(self, done: list[str], count: int = 3) -> None:
        self.done, self.count, self.ended = done, count, False
        self.running, self.opened = threading.Event(), threading.Event()

    def __call__(self) -> Generator[None, None, str]:
        """Do them."""
        try:
            for number in range(self.count):
                self.done.append(f"slice {number}")
                if number == 0:
                    self.running.set()
                    assert self.opened.wait(patience(60))
                if number < self.count - 1:
                    yield
            return "whole"
        finally:
            self.ended = True


def test_what_others_ask_for_goes_between_two_slices(worker: Worker) -> None:
    """The answer is what the generator returns."""
    done: list[str] = []
    slices = Slices(done)
    whole = worker.submit("long", slices, visitor="eve")
    assert slices.running.wait(patience(60))
    picks = [worker.submit(n, lambda n=n: done.append(f"pick {n}"), visitor="ann") for n in range(2)]
    slices.opened.set()
    assert whole.result(patience(60)) == "whole"
    for pick in picks:
        pick.result(patience(60))
    assert done[:2] == ["slice 0", "pick 0"]
    assert done.index("pick 1") < done.index("slice 2")


def test_long_work_goes_on_while_nobody_else_waits(worker: Worker) -> None:
    """Slices alone cost nothing but a look at the queue."""
    slices = Slices([], 100)
    slices.opened.set()
    assert worker.submit("long", slices).result(patience(60)) == "whole"
    assert slices.done == [f"slice {n}" for n in range(100)]


def test_work_whose_visitor_has_left_stops_between_two_slices(worker: Worker) -> None:
    """The work that it had begun is undone, and the next visitor's question is answered."""
    slices = Slices([])
    left = worker.submit("long", slices)
    assert slices.running.wait(patience(60))
    assert left.cancel()
    slices.opened.set()
    assert worker.submit("next", lambda: 1).result(patience(60)) == 1
    assert (slices.done, slices.ended) == (["slice 0"], True)


def test_work_goes_on_for_who_has_stayed(worker: Worker) -> None:
    """One of two has left; the other gets the answer, and nothing is done twice."""
    slices = Slices([])
    left = worker.submit("long", slices, visitor="eve")
    assert slices.running.wait(patience(60))
    stayed = worker.submit("long", slices, visitor="ann")
    left.cancel()
    slices.opened.set()
    assert stayed.result(patience(60)) == "whole"
    assert slices.done == ["slice 0", "slice 1", "slice 2"]


def test_a_newer_question_of_the_lane_stops_long_work(worker: Worker) -> None:
    """Between two slices it waits like any other, and it has come before."""
    slices = Slices([])
    older = worker.submit("long", slices, lane="ann")
    assert slices.running.wait(patience(60))
    newer = [worker.submit(n, lambda n=n: n, lane="ann") for n in range(2)]
    slices.opened.set()
    assert newer[1].result(patience(60)) == 1
    for superseded in (older, newer[0]):
        with pytest.raises(SupersededError):
            superseded.result(patience(60))
    assert (slices.done, slices.ended) == (["slice 0"], True)


@pytest.mark.parametrize("error", [ValueError("odd"), SystemExit(1), StopIteration(2)])
def test_what_a_slice_raises_goes_to_who_waits(worker: Worker, error: BaseException) -> None:
    """Also what would end a thread, or what a future cannot hold."""

    def slices() -> Generator[None, None, None]:
        yield
        raise error

    with pytest.raises(Exception, match=r"odd|ended its run|StopIteration"):
        worker.submit("bad", slices).result(patience(60))
    assert worker.submit("good", lambda: 7).result(patience(60)) == 7


def test_a_closed_worker_refuses_what_is_between_two_slices() -> None:
    """It ends after the slice that runs."""
    worker, slices = Worker("test"), Slices([])
    waiting = worker.submit("long", slices)
    assert slices.running.wait(patience(60))
    closer = threading.Thread(target=worker.close)
    closer.start()
    while not worker._closed:
        time.sleep(0.001)
    slices.opened.set()
    with pytest.raises(EngineClosedError):
        waiting.result(patience(60))
    closer.join(patience(60))
    assert (slices.done, slices.ended) == (["slice 0"], True)


def work_for(seconds: float) -> None:
    """Keep a processor busy: waiting costs nobody anything."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_who_has_used_much_time_comes_after_who_has_not() -> None:
    """Turns alone would let Eve's question go first: Ann has been served later. Nothing is forgotten here."""
    worker = Worker("test", purses=Purses(clock=lambda: 0.0))
    worker.submit("long", lambda: work_for(0.3), visitor="eve").result(patience(60))
    worker.submit("short", lambda: None, visitor="ann").result(patience(60))
    gate, done = Gate(worker), []
    futures = [
        worker.submit(each, lambda each=each: done.append(each), visitor=each) for each in ("eve", "ann")
    ]
    gate.opened.set()
    for future in futures:
        future.result(patience(60))
    assert done == ["ann", "eve"]
    worker.close()


def test_the_queue_says_who_waits_in_the_order_of_coming(worker: Worker) -> None:
    """First those for whom something runs, and no one who has left."""
    gate = Gate(worker)
    worker.submit("one", lambda: 1, visitor="ann", urgent=False)
    left = worker.submit("two", lambda: 2, visitor="bob")
    worker.submit("one", lambda: 1, visitor="cem")
    left.cancel()
    assert worker.queue == [
        WaitingVisitor(None, True),
        WaitingVisitor("ann", False),
        WaitingVisitor("cem", True),
    ]
    gate.opened.set()
