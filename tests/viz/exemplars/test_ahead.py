"""Work ahead of the one who wants it: in order, and at an end soon, whatever happens to a copy."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from tests.hostile.left_behind import alive
from tests.machine import patience
from viz.exemplars.ahead import AHEAD, LostCopyError, by_copies, by_threads

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="copies are forks")


def slow_at_first(item: int) -> tuple[int, int]:
    """Its double; the first ones take longest."""
    time.sleep(0.02 * max(0, 5 - item))
    return 2 * item, os.getpid()


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    """Though later ones are made sooner; in so many processes, which are gone afterwards."""
    found = list(by_copies(slow_at_first, iter(range(20)), workers))
    assert [double for double, _ in found] == [2 * item for item in range(20)]
    processes = {process for _, process in found}
    assert (processes == {os.getpid()}) if not workers else (os.getpid() not in processes)
    assert len(processes) == max(1, workers)
    assert multiprocessing.active_children() == []


def test_no_more_is_taken_than_is_made_ahead() -> None:
    """A folder of a million pictures is not listed in memory."""
    taken: list[int] = []
    items = (taken.append(number) or number for number in range(1000))
    found = by_threads(str, items, 2)
    assert next(found) == "0"
    assert len(taken) == 2 * AHEAD
    found.close()


def test_every_copy_computes_with_one_thread() -> None:
    """However many this process has."""
    assert set(by_copies(lambda _: torch.get_num_threads(), range(4), 2)) == {1}


@pytest.mark.parametrize("size", [10, 8_000_000])
@pytest.mark.parametrize("moment", [0, 0.001, 0.02])
def test_a_killed_copy_keeps_nobody_waiting(size: int, moment: float) -> None:
    """Also one that is killed in the midst of a large answer; the first item without a result is named."""
    found = by_copies(lambda item: bytes(size + item), range(30), 1)
    assert len(next(found)) == size
    time.sleep(moment)
    (copy,) = multiprocessing.active_children()
    copy.kill()
    came: list[int] = []
    with pytest.raises(LostCopyError) as lost:
        came.extend(map(len, found))
    assert came == [size + item for item in range(1, lost.value.item)]


def test_an_item_that_ends_its_copy_is_named() -> None:
    """Not one that another copy makes at that moment, and not one that the dead copy would be asked for."""

    def make(item: int) -> int:
        if item == 7:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    found = by_copies(make, range(30), 3)
    assert [next(found) for _ in range(7)] == [*range(7)]
    with pytest.raises(LostCopyError) as lost:
        next(found)
    assert lost.value.item == 7
    assert multiprocessing.active_children() == []


def test_an_error_is_raised_where_its_result_is_wanted() -> None:
    """With its name and words, though it may be one that cannot be sent; the results before it come."""

    class LocalError(Exception):
        pass

    def make(item: int) -> int:
        if item == 3:
            raise LocalError("no three")
        return item

    found = by_copies(make, range(9), 2)
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(RuntimeError, match="LocalError: no three"):
        next(found)


def test_who_wants_no_more_waits_for_nobody() -> None:
    """A copy that would never come to an end is ended, and nothing is left."""
    found = by_copies(lambda item: time.sleep(10_000 * item), range(30), 2)
    assert next(found) is None
    found.close()
    assert multiprocessing.active_children() == []


BEGUN = """
import time
from viz.exemplars.ahead import by_copies
import os
found = by_copies(lambda item: os.getpid(), range(30), 2)
print(*{next(found) for _ in range(8)}, flush=True)
time.sleep(1000)
"""


@pytest.mark.slow
def test_copies_end_with_the_process_that_asks() -> None:
    """Killed, so that it can tell them nothing."""
    with subprocess.Popen([sys.executable, "-c", BEGUN], cwd=ROOT, stdout=subprocess.PIPE, text=True) as asks:
        assert asks.stdout is not None
        copies = [int(each) for each in asks.stdout.readline().split()]
        asks.kill()
    until = time.monotonic() + patience(10)
    while any(alive(each) for each in copies) and time.monotonic() < until:
        time.sleep(0.02)
    assert [each for each in copies if alive(each)] == []
