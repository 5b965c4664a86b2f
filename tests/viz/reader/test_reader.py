"""A reading process: what it answers, what it may not take, and what others notice when one misbehaves."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.machine import patience
from viz.errors import BusyError, TooLargeError
from viz.reader import Bounds, JobError, Reader
from viz.reader import reader as page_side
from viz.system import processes

NAMES = (
    "turned",
    "endless",
    "asleep",
    "greedy",
    "broken",
    "refusing",
    "lying",
    "boasting",
    "writing",
    "slow",
)
FEW = "tests.viz.engine.process.few_processes"
BOUNDS = Bounds(seconds=1, memory=300_000_000)


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    """One nursery for all of these tests, so that each one notices damage done by the one before."""
    jobs = {name: f"tests.viz.reader.jobs:{name}" for name in (*NAMES, "remembering")}
    with Reader(jobs, at_once=2) as reader:
        yield reader


def read(reader: Reader, job: str, data: bytes = b"", visitor: str = "", **options: Any) -> Any:
    """Return the job's answer, within a second of processor time and 300 MB."""
    return reader.read(job, data, options, BOUNDS, visitor=visitor)


def children_of(reader: Reader) -> list[str]:
    """The processes that the nursery has running."""
    nursery = reader._nursery
    assert nursery is not None
    task = Path(f"/proc/{nursery.pid}/task/{nursery.pid}/children")
    return task.read_text(encoding="ascii").split()


def test_a_file_is_read_in_a_process_of_its_own(reader: Reader) -> None:
    """Values and bytes come back whole, also where they are larger than the line's buffers."""
    data = os.urandom(100_000)
    facts, body = read(reader, "turned", data, times=30)
    assert body == data[::-1] * 30
    assert facts["length"] == 100_000
    assert facts["process"] not in (os.getpid(), reader._nursery.pid if reader._nursery else 0)


def test_a_nursery_that_is_stopped_is_replaced(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """It hangs and does not end, so no file would ever be read; this one is, by another nursery."""
    monkeypatch.setattr(page_side, "HEARING_SECONDS", 1.0)
    read(reader, "turned", b"a")
    stopped = reader._nursery
    assert stopped is not None
    os.kill(stopped.pid, signal.SIGSTOP)
    data = os.urandom(3_000_000)  # more than the line's buffers hold, so that sending would wait too
    begun = time.monotonic()
    _, body = read(reader, "turned", data, times=1)
    assert body == data[::-1]
    assert time.monotonic() - begun < patience(15)
    assert stopped.poll() is not None
    assert reader._nursery is not stopped


def test_a_nursery_that_is_stopped_ends_with_its_reader() -> None:
    """As one that hears that the line was closed."""
    with Reader({"turned": "tests.viz.reader.jobs:turned"}) as other:
        other.start()
        nursery = other._nursery
        assert nursery is not None
        os.kill(nursery.pid, signal.SIGSTOP)
    assert nursery.poll() is not None


def test_each_file_has_another_process(reader: Reader) -> None:
    """No process lives long enough to get the next visitor's file."""
    processes = {read(reader, "turned", b"a")[0]["process"] for _ in range(5)}
    assert len(processes) == 5


@pytest.mark.parametrize("job", ["greedy", "broken", "lying", "boasting"])
def test_a_process_that_misbehaves_is_one_sentence_at_once(reader: Reader, job: str) -> None:
    """Memory beyond the bounds, a crash in native code, and answers that are not what they claim."""
    began, ample = time.monotonic(), replace(BOUNDS, seconds=60)
    with pytest.raises(TooLargeError, match="more time or memory than is allowed"):
        reader.read(job, b"", {}, ample, visitor="")
    assert time.monotonic() - began < patience(2)  # at most 40, so the time allowed has not ended it
    assert read(reader, "turned", b"abc")[1] == b"cba"


@pytest.mark.parametrize(("job", "most"), [("endless", 3), ("asleep", 6)])
def test_a_process_that_never_comes_back_is_ended(reader: Reader, job: str, most: float) -> None:
    """Its processor time ends it, or the clock; the next file is read, and no process is left."""
    began = time.monotonic()
    with pytest.raises(TooLargeError, match="more time or memory than is allowed"):
        read(reader, job)
    assert 0.9 < time.monotonic() - began < patience(most)
    assert read(reader, "turned", b"abc")[1] == b"cba"
    deadline = time.monotonic() + patience(60)
    while children_of(reader) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert children_of(reader) == []


def test_an_error_comes_back_with_its_name_and_place(reader: Reader) -> None:
    """The page decides what the visitor reads; the operator gets the traceback."""
    with pytest.raises(JobError) as caught:
        read(reader, "refusing")
    assert caught.value.kind == "ValueError"
    assert caught.value.says == "this is not what was asked for"
    assert "jobs.py" in caught.value.told


def test_nothing_is_written_to_a_disk(reader: Reader, tmp_path: Path) -> None:
    """Not even where this user has permission to write."""
    with pytest.raises((TooLargeError, JobError)):
        read(reader, "writing", path=str(tmp_path / "kept"))
    assert not (tmp_path / "kept").exists() or (tmp_path / "kept").stat().st_size == 0


def test_memory_of_one_file_is_not_in_the_next_process(reader: Reader) -> None:
    """The data of one process is nowhere in another one's memory; the search does find its own text."""
    pattern = os.urandom(16)
    read(reader, "turned", pattern * 100_000)
    assert read(reader, "remembering", pattern, wanted=pattern.hex())[0]["seen"] >= 1
    assert read(reader, "remembering", b"", wanted=(pattern[::-1]).hex())[0]["seen"] <= 1  # its own question
    assert read(reader, "remembering", b"", wanted=os.urandom(16).hex())[0]["seen"] <= 1


def test_a_dead_nursery_is_replaced(reader: Reader) -> None:
    """The next visitor does not notice."""
    assert read(reader, "turned", b"abc")[1] == b"cba"
    assert reader._nursery is not None
    os.kill(reader._nursery.pid, signal.SIGKILL)
    assert read(reader, "turned", b"abc")[1] == b"cba"


def test_one_visitor_has_one_file_read_at_a_time(reader: Reader) -> None:
    """Three files of one visitor follow each other, and another visitor's goes beside them."""
    spans: dict[str, list[tuple[float, float]]] = {"one": [], "other": []}

    def ask(visitor: str) -> None:
        facts = read(reader, "slow", visitor=visitor)[0]
        spans[visitor].append((facts["began"], facts["ended"]))

    threads = [threading.Thread(target=ask, args=(visitor,)) for visitor in ("one", "one", "one", "other")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    mine = sorted(spans["one"])
    assert all(before[1] <= after[0] for before, after in pairwise(mine))
    assert spans["other"][0][0] < mine[-1][1]


def test_a_crowd_is_told_to_come_back(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A visitor who waits too long for a place gets a sentence, and does not free a place of anybody else."""
    monkeypatch.setattr(page_side, "WAITING_SECONDS", 0.1)
    holding = [threading.Thread(target=read, args=(reader, "slow"), kwargs={"seconds": 2.0}) for _ in "ab"]
    for thread in holding:
        thread.start()
    while len(children_of(reader)) < len(holding):
        time.sleep(0.01)
    with pytest.raises(BusyError, match="send it again in a moment"):
        read(reader, "turned", b"abc")
    for thread in holding:
        thread.join()
    assert read(reader, "turned", b"abc")[1] == b"cba"


def test_the_nursery_ends_with_the_page() -> None:
    """Closing the reader leaves no process behind."""
    reader = Reader({"turned": "tests.viz.reader.jobs:turned"})
    reader.start()
    nursery = reader._nursery
    assert nursery is not None
    reader.close()
    assert nursery.returncode == 0


def test_a_system_without_copies_of_processes_reads_in_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answers and the same errors, without the bounds: Windows has no fork."""
    monkeypatch.setattr(processes, "COPIES", False)
    with Reader({name: f"tests.viz.reader.jobs:{name}" for name in NAMES}) as reader:
        facts, body = read(reader, "turned", b"abc", times=2)
        assert (facts["process"], body) == (os.getpid(), b"cbacba")
        with pytest.raises(JobError, match="ValueError"):
            read(reader, "refusing")


def test_where_the_system_makes_no_process_a_file_may_come_again() -> None:
    """A small file and one that fills the line; once there is room for processes, both are read."""
    places = {"turned": "tests.viz.reader.jobs:turned", "few": f"{FEW}:count_processes"}
    with Reader(places) as reader:
        reader.start()
        nursery = reader._nursery
        assert nursery is not None
        for told, data in ((signal.SIGUSR1, b"small"), (signal.SIGUSR1, os.urandom(5_000_000))):
            nursery.send_signal(told)
            with pytest.raises(BusyError, match="send it again"):
                read(reader, "turned", data, times=1)
        nursery.send_signal(signal.SIGUSR2)
        assert read(reader, "turned", b"small", times=1)[1] == b"llams"
        assert reader._nursery is nursery


def test_where_the_system_makes_no_nursery_a_file_is_not_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may come again too; and it does, once there is room."""

    def refuse(*_: object) -> None:
        raise BlockingIOError

    with Reader({name: f"tests.viz.reader.jobs:{name}" for name in NAMES}) as reader:
        for scarce in ("_nursery", "socket.socketpair"):
            with monkeypatch.context() as now:
                now.setattr(f"viz.reader.reader.{scarce}", refuse)
                with pytest.raises(BusyError, match="send it again"):
                    read(reader, "turned", b"small", times=1)
        assert read(reader, "turned", b"small", times=1)[1] == b"llams"
