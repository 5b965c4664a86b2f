"""The processor time that the server and everything it started have taken, as Linux counts it."""

import os
from pathlib import Path

from tests.hostile.server_process import PROCESSES, process_of

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def server_seconds(address: str) -> float | None:
    """Seconds so far; None if the server runs on another machine, or the system does not say."""
    try:
        first = process_of(address)
    except LookupError:
        return None
    parents, seconds = {}, {}
    for process in PROCESSES.glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        parents[int(process.name)] = int(fields[1])
        seconds[int(process.name)] = (
            sum(map(int, fields[11:15])) / TICK
        )  # its own, and of children that ended
    return sum(time for process, time in seconds.items() if _is_below(process, _number(first), parents))


def _is_below(process: int, first: int, parents: dict[int, int]) -> bool:
    while process and process != first:
        process = parents.get(process, 0)
    return process == first


def _number(process: Path) -> int:
    return int(process.name)
