"""The jobs of the reading processes in tests: one honest job, and one for each way to misbehave."""

import ctypes
import os
import signal
import time
from collections.abc import Iterable
from typing import Any

Answer = tuple[dict[str, Any], int, Iterable[bytes]]


def turned(data: bytearray, times: int = 1) -> Answer:
    """The bytes in reverse order, some times over."""
    back = bytes(data[::-1])
    return {"length": len(data), "process": os.getpid()}, times * len(back), [back] * times


def endless(_: bytearray) -> Answer:
    """Never returns, and keeps the processor busy."""
    while True:
        pass


def asleep(_: bytearray) -> Answer:
    """Never comes back, and does nothing; Python's own signal handlers would not wake it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    time.sleep(1000)
    return {}, 0, ()


def greedy(_: bytearray, size: int = 2_000_000_000) -> Answer:
    """Wants this many bytes of memory."""
    return {"got": len(bytearray(size))}, 0, ()


def broken(_: bytearray) -> Answer:
    """Reads an invalid address: the system kills the process."""
    ctypes.string_at(0)
    return {}, 0, ()


def refusing(_: bytearray) -> Answer:
    """Raises an error."""
    raise ValueError("this is not what was asked for")


def lying(_: bytearray) -> Answer:
    """Promises more bytes than come."""
    return {}, 1000, [b"few"]


def boasting(_: bytearray) -> Answer:
    """Promises more bytes than any job may send."""
    return {}, 1 << 50, ()


def writing(_: bytearray, path: str = "") -> Answer:
    """Writes to a file."""
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(b"0123456789")
    return {}, 0, ()


def slow(_: bytearray, seconds: float = 0.5) -> Answer:
    """Takes its time, and says when it began and ended."""
    began = time.time()
    time.sleep(seconds)
    return {"began": began, "ended": time.time()}, 0, ()


def remembering(_: bytearray, wanted: str = "") -> Answer:
    """Says whether this process's memory holds a text anywhere."""
    seen = 0
    with open("/proc/self/maps", encoding="ascii") as maps, open("/proc/self/mem", "rb", 0) as memory:  # noqa: PTH123
        for line in maps:
            span, rights, *_ = line.split()
            if rights.startswith("rw"):
                start, end = (int(edge, 16) for edge in span.split("-"))
                memory.seek(start)
                seen += memory.read(end - start).count(bytes.fromhex(wanted))
    return {"seen": seen}, 0, ()
