"""Slowness of this machine beside a quiet one; every watchdog of the tests is as patient as that."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

LEAST, MOST = 1.0, 8.0
TRIES = 5  # the quickest of them was not interrupted, so it shows the processor and not the load
REFERENCE = 0.0019  # processor seconds of one `_work`, measured on a quiet machine with two cores
RUNNING = Path("/proc/loadavg")  # its fourth field, "2/513": how many threads run or could run now


def patience(seconds: float) -> float:
    """Seconds that a watchdog waits here, now, for what may take ``seconds`` on a quiet machine."""
    return seconds * _within(SLOWNESS * max(LEAST, crowding()))


def took_less(seconds: float, most: float) -> bool:
    """Return whether work took less of the processor's ``seconds`` than ``most`` of a quiet machine's.

    The processor's time leaves out what others do; but it, too, is longer on a slow processor, and beside a
    thread that shares the core's parts. So what seems too long is compared with the reference once more.
    """
    return seconds < most or seconds < most * _within(_measured(time.process_time))


def crowding() -> float:
    """Return the number of runnable threads for each core."""
    try:
        load = os.getloadavg()[0]  # over the last minute: work that has just begun is hardly in it
    except OSError:
        load = 0.0
    return max(load, _running()) / _cores()


def _running() -> int:
    """Return the number of threads that run at this moment; 0 where the system does not say."""
    try:
        return int(RUNNING.read_text().split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return 0


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _measured(clock: Callable[[], float]) -> float:
    """Return the time of one piece of work here over the reference's, the best of several tries."""
    return min(_seconds(clock) for _ in range(TRIES)) / REFERENCE


def _seconds(clock: Callable[[], float]) -> float:
    begun = clock()
    _work()
    return clock() - begun


def _work() -> None:
    """Some milliseconds of what tests are made of: plain Python, and arrays."""
    total = 0
    for each in range(30_000):
        total += each * each % 7
    array = np.arange(40_000, dtype=np.float64)
    for _ in range(4):
        array = np.sqrt(array * array + 1.0)


def _within(factor: float) -> float:
    return min(MOST, max(LEAST, factor))


SLOWNESS = _within(_measured(time.perf_counter))
