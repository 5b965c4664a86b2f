"""Processor time of the server and its processes, from Linux."""

import os

from tests.hostile.server_process import PROCESSES, process_of

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def server_seconds(address: str) -> float | None:
    """Return the server's processor seconds so far.

    None if the server runs on another machine, or the system does not count them.
    """
    processes = processes_of(address)
    return sum(map(_seconds, processes)) if processes else None


def processes_of(address: str) -> list[int]:
    """Return the process numbers of the server and its descendants.

    There are none if the server runs elsewhere.
    """
    try:
        first = int(process_of(address).name)
    except LookupError:
        return []
    parents = {}
    for process in PROCESSES.glob("[0-9]*"):
        if fields := _fields(int(process.name)):
            parents[int(process.name)] = int(fields[1])
    return [process for process in parents if _is_below(process, first, parents)]


def _seconds(process: int) -> float:
    """Its own, and of children that ended."""
    return sum(map(int, _fields(process)[11:15])) / TICK


def _fields(process: int) -> list[str]:
    """Return a process's statistics; none if it has ended."""
    try:
        return (PROCESSES / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _is_below(process: int, first: int, parents: dict[int, int]) -> bool:
    while process and process != first:
        process = parents.get(process, 0)
    return process == first
