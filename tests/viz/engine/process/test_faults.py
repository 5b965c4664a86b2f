"""Faults of a machine that runs processes for models: memory refused, processes killed, forks that fail."""

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.hostile.left_behind import nothing_left_behind
from tests.machine import patience
from tests.viz.engine.process.test_process_engine import LOADER, MODULES, SOON, WAIT, begun
from tests.viz.subjects import by_hand, photo, wanted
from viz.engine.process import Patience, ProcessEngine
from viz.engine.process.hosts import Host
from viz.engine.task import Bench, Question, Shelf
from viz.errors import BusyError, CaptureError, EngineClosedError, TooLargeError, VizError
from viz.views.one_layer import Values, View
from viz.views.whole_model import Survey

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery"),
    pytest.mark.slow,  # each engine imports PyTorch once more
]


SEEDED = threading.Lock()  # the net by hand is made after ``torch.manual_seed``, which is everybody's


@pytest.fixture
def engine(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ProcessEngine]:
    """An engine that has answered once; after the test nothing of it is left."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with nothing_left_behind(tmp_path):
        engine = begun(getattr(request, "param", Patience()), hosts=2)
        yield engine
        engine.close()


def expect_right(engine: ProcessEngine, seed: int, model: str = "counting") -> None:
    """Fail unless a visitor gets the numbers that PyTorch's own functions make of a picture."""
    picture = photo(seed)
    found = engine.do(Values(wanted(picture, "second", model), picture), visitor=f"ann {seed}").result(WAIT)
    with SEEDED:
        expected = by_hand(picture)["second"][0]
    np.testing.assert_allclose(found.call(0)["output"].array, expected, rtol=1e-4, atol=1e-6)


def expect_right_until(engine: ProcessEngine, happened: Callable[[], bool]) -> None:
    """Expect it until something has happened that a process may outlive for a moment, and once more."""
    until = time.monotonic() + WAIT
    while not happened() and time.monotonic() < until:
        expect_right(engine, 1)
    expect_right(engine, 2)
    assert happened()


def expect_no_longer_than_a_new_nursery(went_on: float) -> None:
    """Expect seconds near those of a nursery that imports PyTorch, as this machine is now."""
    started = time.monotonic()
    begun(Patience()).close()
    assert went_on < 3 * (time.monotonic() - started) + patience(SOON)


def test_refused_memory_is_one_sentence_and_the_process_lives(engine: ProcessEngine) -> None:
    """In a pass and in a load, by PyTorch and by Python; the next request has the right numbers."""
    picture, before = photo(1), engine.processes()
    for model in ("refused_in_python", "too_large", "refused"):
        for seed in range(3):
            with pytest.raises(TooLargeError, match="not enough memory"):
                engine.do(View(wanted(picture, "layer", model), picture), visitor="eve").result(WAIT)
            expect_right(engine, seed)
    assert set(before) <= set(engine.processes())


class Crowd:
    """Visitors who ask one after the other, in threads, and what came of it."""

    def __init__(self, engine: ProcessEngine, count: int) -> None:
        self.engine, self.over = engine, threading.Event()
        self.right, self.said, self.wrong = 0, list[str](), list[str]()
        self.threads = [threading.Thread(target=self.visit, args=(each,)) for each in range(count)]

    def visit(self, number: int) -> None:
        """Ask for pictures of one's own, of three models, until it is over."""
        chance = random.Random(number)
        while not self.over.is_set():
            try:
                expect_right(self.engine, chance.randrange(1 << 30), chance.choice(["counting", "a", "b"]))
                self.right += 1
            except VizError as error:
                self.said.append(str(error))
            except BaseException as error:  # noqa: BLE001  a wrong number, or no sentence
                self.wrong.append(repr(error)[:300])

    def gets(self, count: int, seconds: float) -> bool:
        """Return whether so many more right answers come within seconds of a quiet machine."""
        before, until = self.right, time.monotonic() + patience(seconds)
        while self.right < before + count and time.monotonic() < until:
            time.sleep(0.02)
        return self.right >= before + count


def test_processes_killed_under_load_cost_no_picture(engine: ProcessEngine) -> None:
    """Twenty visitors, and all hosts killed four times: right numbers or a sentence, and all go on soon."""
    crowd = Crowd(engine, 20)
    for thread in crowd.threads:
        thread.start()
    for _ in range(4):
        assert crowd.gets(20, 60)
        for host in engine.processes():
            os.kill(host, signal.SIGKILL)
    went_on = crowd.gets(40, SOON)
    crowd.over.set()
    for thread in crowd.threads:
        thread.join(WAIT)
    assert crowd.wrong == []
    assert went_on
    assert crowd.right > 40
    assert all("ended from outside" in each or "put aside" in each for each in crowd.said)
    assert len(crowd.said) < 20


def test_a_request_whose_process_is_killed_is_asked_again_once(
    engine: ProcessEngine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The first time nobody notices; the second time whoever asked reads what may be the reason."""
    picture = photo(1)
    for times in (1, 2):
        begins = tmp_path_factory.mktemp("begins") / str(times)
        begins.mkdir()
        future = engine.do(View(wanted(picture, "layer", f"waits {begins}"), picture), visitor="eve")
        for killed in range(times):
            until = time.monotonic() + WAIT
            while len(list(begins.iterdir())) == killed and time.monotonic() < until:
                time.sleep(0.02)
            for host in engine.processes():
                os.kill(host, signal.SIGKILL)
        if times == 1:
            assert future.result(WAIT).png
        else:
            with pytest.raises(CaptureError, match="ended from outside, perhaps because memory ran out"):
                future.result(WAIT)
    expect_right(engine, 5)


def test_a_nursery_that_is_killed_is_replaced_and_its_hosts_with_it(engine: ProcessEngine) -> None:
    """None of them lives on without anybody who could end it."""
    expect_right(engine, 1)
    before, nursery = engine.processes(), engine._hosts._nursery
    assert nursery is not None
    os.kill(nursery.pid, signal.SIGKILL)
    killed = time.monotonic()
    for seed in range(10):
        expect_right(engine, seed)
    expect_no_longer_than_a_new_nursery(time.monotonic() - killed)
    assert not set(before) & set(engine.processes())


@pytest.mark.parametrize("needed", [False, True])
def test_a_nursery_that_is_stopped_is_replaced(
    engine: ProcessEngine, monkeypatch: pytest.MonkeyPatch, *, needed: bool
) -> None:
    """It hangs and does not end; whether or not a process is to be made of it, another takes its place."""
    monkeypatch.setattr("viz.engine.process.hosts.HEARING", patience(1.0))
    monkeypatch.setattr("viz.engine.process.hosts.ASKING", 0.1)
    expect_right(engine, 1)
    stopped, before = engine._hosts._nursery, engine.processes()
    assert stopped is not None
    os.kill(stopped.pid, signal.SIGSTOP)
    stopped_at = time.monotonic()
    if needed:
        for host in before:
            os.kill(host, signal.SIGKILL)
    expect_right_until(engine, lambda: stopped.poll() is not None)
    expect_right(engine, 2)
    expect_no_longer_than_a_new_nursery(time.monotonic() - stopped_at)
    assert not set(before) & set(engine.processes())


def test_a_process_that_ends_by_a_signal_without_a_name_is_replaced(engine: ProcessEngine) -> None:
    """Most of those for any use have none; whoever watches over the processes must not end of that."""
    before = set(engine.processes())
    for host in before:
        os.kill(host, signal.SIGRTMIN + 1)
    expect_right_until(engine, lambda: not before & set(engine.processes()))


@pytest.mark.parametrize("engine", [Patience(silent=10 * WAIT)], indirect=True)
def test_a_process_that_ends_before_it_is_asked_anything_is_replaced(
    engine: ProcessEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, though whoever watches over it has not noted yet that it is there."""
    made, make, hosts = list[int](), engine._hosts.make, engine._hosts

    def make_and_lose(within: float) -> Host:
        host = make(within)
        made.append(host.number)
        if len(made) == 1:
            os.kill(host.number, signal.SIGKILL)
            with hosts._exited:
                assert hosts._exited.wait_for(lambda: host.number in hosts._exits, WAIT)
        return host

    monkeypatch.setattr(hosts, "make", make_and_lose)
    for host in engine.processes():
        os.kill(host, signal.SIGKILL)
    expect_right_until(engine, lambda: len(made) == 2)


@pytest.mark.parametrize("which", ["nursery", "host"])
@pytest.mark.parametrize("engine", [Patience(silent=10 * WAIT)], indirect=True)
def test_a_system_that_makes_no_thread_for_a_while_ends_nothing(
    engine: ProcessEngine, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread that watches over the processes tries again, and all are answered."""
    refused, start, nursery = list[str](), threading.Thread.start, engine._hosts._nursery

    def start_but_once(thread: threading.Thread) -> None:
        if thread.name.startswith(f"layerglass-{which}") and not refused:
            refused.append(thread.name)
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_but_once)
    assert nursery is not None
    os.kill(nursery.pid, signal.SIGKILL)
    expect_right_until(engine, lambda: bool(refused))


@pytest.mark.parametrize("engine", [Patience(silent=patience(1.0))], indirect=True)
def test_a_host_that_the_system_stopped_is_replaced(engine: ProcessEngine) -> None:
    """It neither works nor ends; it does not read what it is sent, either."""
    expect_right(engine, 1)
    for host in engine.processes():
        os.kill(host, signal.SIGSTOP)
    stopped = time.monotonic()
    for seed in range(5):
        expect_right(engine, seed)
    assert time.monotonic() - stopped < patience(SOON)


def test_a_host_that_hangs_up_and_lives_is_ended(engine: ProcessEngine) -> None:
    """The first time its request may be asked again, as nobody knows why; then it is said."""
    picture, before = photo(1), engine.processes()
    engine.do(Survey("hangs_up", "random"), visitor="eve").result(WAIT)
    with pytest.raises(CaptureError, match=r"ended (from outside|by itself)"):
        engine.do(View(wanted(picture, "layer", "hangs_up"), picture), visitor="eve").result(WAIT)
    expect_right(engine, 2)
    assert set(before) - set(engine.processes()) or len(before) < 2


def test_a_system_that_makes_no_process_is_said_and_tried_again() -> None:
    """Visitors who wait read it within seconds; once there is room for processes, all go on."""
    engine = begun_with("tests.viz.engine.process.few_processes")
    expect_right(engine, 1)
    nursery = engine._hosts._nursery
    assert nursery is not None
    os.kill(nursery.pid, signal.SIGUSR1)
    for host in engine.processes():
        os.kill(host, signal.SIGKILL)
    refused = time.monotonic()
    with pytest.raises(BusyError, match="try again in a while"):
        engine.do(Survey("counting", "random"), visitor="ann").result(WAIT)
    assert time.monotonic() - refused < patience(SOON)
    assert nursery.poll() is None
    os.kill(nursery.pid, signal.SIGUSR2)
    expect_right_again(engine)
    engine.close()


def expect_right_again(engine: ProcessEngine) -> None:
    """Expect it once a system that made no process may have made one."""
    until = time.monotonic() + WAIT
    while True:
        try:
            return expect_right(engine, 2)
        except BusyError:
            assert time.monotonic() < until
            time.sleep(0.1)


def begun_with(module: str) -> ProcessEngine:
    """An engine whose nursery has imported a module."""
    return ProcessEngine(LOADER, device="cpu", modules=[*MODULES, module])


def test_what_the_page_no_longer_holds_is_an_error_and_nobody_waits() -> None:
    """The visitor reads any error that is raised while a host asks for it; the host goes on."""
    errors = {"key": KeyError("own weights"), "memory": MemoryError(), "file": OSError("no such file")}

    def vanished(name: str) -> Any:
        raise errors[name]

    engine = ProcessEngine(LOADER, device="cpu", modules=MODULES, holds={"weights": vanished})
    picture = photo(1)
    for seed, (name, error) in enumerate(errors.items(), 2):
        task = Values(replace(wanted(picture, "first", "asked"), weights=name), picture)
        with pytest.raises((type(error), TooLargeError)):
            engine.do(task, visitor="ann").result(WAIT)
        before = engine.processes()
        expect_right(engine, seed)
        assert engine.processes() == before
    engine.close()


@dataclass(frozen=True)
class Answering(Question):
    """A task that answers with what it was made with, and a model's name."""

    make: Callable[..., Any]
    with_what: tuple[Any, ...] = ()
    model: str = ""
    weights: str = ""
    shelf: Shelf = ""

    @property
    def key(self) -> object:
        """Each one's own."""
        return id(self)

    def work(self, _: Bench) -> Any:
        """Make the answer."""
        return self.make(*self.with_what)


def lock() -> Any:
    """Return an object that cannot be sent."""
    return threading.Lock()


class Ends:
    """A value that ends the process that reads it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (7,)


def test_an_answer_that_cannot_be_sent_fails_in_words(engine: ProcessEngine) -> None:
    """Always, and whoever asks next is answered."""
    for _ in range(3):
        with pytest.raises(TypeError, match="pickle"):
            engine.do(Answering(lock), visitor="eve").result(WAIT)
    expect_right(engine, 1)


def test_a_task_that_ends_its_process_on_arrival_is_given_up(engine: ProcessEngine) -> None:
    """No host lives long enough to say that it has begun; the task is not sent for ever, and others go on."""
    deadly = engine.do(Answering(print, (Ends(),)), visitor="eve")
    with pytest.raises(CaptureError, match="ended by itself"):
        deadly.result(WAIT)
    failed = time.monotonic()
    for seed in range(3):
        expect_right(engine, seed)
    assert time.monotonic() - failed < patience(SOON)


def test_a_very_large_answer_arrives_whole_while_others_are_answered(engine: ProcessEngine) -> None:
    """Four hundred megabytes; another model's visitors wait for none of it."""
    expect_right(engine, 1, "other")
    large = engine.do(Answering(np.arange, (50_000_000,)), visitor="eve")
    waits = []
    while not large.done():
        begin = time.monotonic()
        expect_right(engine, len(waits), "other")
        waits.append(time.monotonic() - begin)
    found = large.result()
    assert found.nbytes == 400_000_000
    assert int(found[-1]) == 49_999_999
    assert int(found.sum()) == 49_999_999 * 25_000_000
    assert max(waits) < patience(SOON)
    expect_right(engine, 2)


def test_an_engine_that_is_closed_while_it_starts_ends_at_once(tmp_path: Path) -> None:
    """Its nursery is still importing PyTorch; whoever waits is told."""
    with nothing_left_behind(tmp_path):
        engine = ProcessEngine(LOADER, device="cpu", modules=MODULES)
        waits = engine.do(Survey("counting", "random"), visitor="ann")
        time.sleep(0.5)
        begin = time.monotonic()
        engine.close()
        assert time.monotonic() - begin < patience(SOON)
        with pytest.raises(EngineClosedError):
            waits.result(WAIT)
