"""The page's half of reading: processes for files, and their results."""

import contextlib
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any, Self
from weakref import WeakValueDictionary

from ..errors import BusyError, TooLargeError
from ..sentences import Sentence
from ..system import processes
from .bounds import Bounds
from .jobs import answer, found
from .messages import HEARD, receive, send

LINE_BYTES = 1 << 20  # with the system's default of 200 kB, every part would wake both sides
STARTING_SECONDS = 60.0
HEARING_SECONDS = 10.0  # in which the nursery, which does nothing but copy itself, hears of a file
WAITING_SECONDS = 30.0  # to wait for a place before the server reports that it is busy
GRACE = 5.0  # seconds after which the system must have ended a process that takes too long
MOST_AT_ONCE = max(2, processes.usable_processors())
TOO_MUCH = Sentence(
    "Reading this file takes more time or memory than is allowed; save it again, plain or smaller."
)
BUSY = Sentence("Too many files are being read here just now; send it again in a moment.")
log = logging.getLogger(__name__)


def _sentence(says: str | dict[str, Any]) -> str:
    return says if isinstance(says, str) else Sentence.from_plain(says)


class JobError(Exception):
    """An error that a job raised in its process.

    Attributes:
        kind: the name of the error's class.
        says: its message.
        told: its traceback, for the operator's log.
    """

    def __init__(self, kind: str, says: str, told: str) -> None:
        super().__init__(f"{kind}: {says}\n{told}")
        self.kind, self.says, self.told = kind, says, told


class _Turn:
    """One visitor's place: one file at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


class Reader:
    """Reader of strangers' files, each in a process of its own.

    Many threads may use it at once. At most ``at_once`` files are read at a time, one of each visitor; the
    others wait their turn.

    Args:
        jobs: name → ``"module:function"``. The function is called with the file's bytes and the options, and
            returns plain values that pass through JSON, the length of a body, and the body in parts.
        at_once: how many files are read at a time.
        ahead: the ``"module:function"`` of what the nursery does once, before the first file; empty for
            nothing.
    """

    def __init__(self, jobs: Mapping[str, str], at_once: int = MOST_AT_ONCE, ahead: str = "") -> None:
        self._jobs, self._ahead = dict(jobs), ahead
        self._places = threading.BoundedSemaphore(at_once)
        self._turns: WeakValueDictionary[str, _Turn] = WeakValueDictionary()
        self._lock = threading.Lock()
        self._nursery: subprocess.Popen[bytes] | None = None
        self._orders: socket.socket | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the nursery early; otherwise the first file waits for it."""
        with self._lock:
            if processes.COPIES:
                self._started()
            else:
                _warn()

    def close(self) -> None:
        """End the nursery; files that are being read are finished."""
        with self._lock:
            if self._orders is not None:
                self._orders.close()
            if self._nursery is not None:
                _end(self._nursery)
            self._orders = self._nursery = None

    def read(
        self, job: str, data: bytes, options: Mapping[str, Any], bounds: Bounds, *, visitor: str = ""
    ) -> tuple[dict[str, Any], bytearray]:
        """Return the job's result for the file: plain values and bytes.

        Raises:
            TooLargeError: reading it takes more time or memory than it may.
            BusyError: too many others' files are being read, or the system makes no process for it now.
            JobError: the job raised an error.
        """
        asked = {"job": job, "options": dict(options), "bounds": asdict(bounds)}
        with self._turn(visitor):
            try:
                said, body = self._answer(asked, data, bounds)
                says = _sentence(said.get("says", ""))
            except BusyError:  # an OSError too, as every TimeoutError is
                raise
            except (OSError, EOFError, ValueError) as error:  # it was ended, broke off, or answered wrongly
                raise TooLargeError(TOO_MUCH) from error
        if said["outcome"] == "busy":
            raise BusyError(BUSY)
        if said["outcome"] == "over":
            raise TooLargeError(TOO_MUCH)
        if said["outcome"] == "error":
            raise JobError(said["kind"], says, said["told"])
        return said["facts"], body

    @contextlib.contextmanager
    def _turn(self, visitor: str) -> Iterator[None]:
        with self._lock:
            turn = self._turns.setdefault(visitor, _Turn()) if visitor else _Turn()
        if not turn.lock.acquire(timeout=WAITING_SECONDS):
            raise BusyError(BUSY)
        try:
            if not self._places.acquire(timeout=WAITING_SECONDS):
                raise BusyError(BUSY)
            try:
                yield
            finally:
                self._places.release()
        finally:
            turn.lock.release()

    def _answer(self, asked: dict[str, Any], data: bytes, bounds: Bounds) -> tuple[dict[str, Any], bytearray]:
        """Return a fresh process's answer; try again if the nursery ended."""
        if not processes.COPIES:
            return _read_here(self._jobs, asked, data)
        for _ in range(2):
            try:
                line, nursery = self._line()
            except OSError as error:  # the system makes no process now, or no line to it
                raise BusyError(BUSY) from error
            with line:
                try:
                    self._wait_for(line, nursery)
                    line.settimeout(bounds.patience + GRACE)
                    with contextlib.suppress(
                        BrokenPipeError
                    ):  # it answers why it does not listen, or has ended
                        send(line, asked, len(data), [data])
                    return receive(line, bounds.answer)
                except (OSError, EOFError):
                    if not _has_ended(nursery):
                        raise
        raise EOFError

    def _wait_for(self, line: socket.socket, nursery: "subprocess.Popen[bytes]") -> None:
        """Wait until the nursery has heard of a file, or end it.

        Raises:
            OSError, EOFError: it has ended.
        """
        line.settimeout(HEARING_SECONDS)
        try:
            if line.recv(len(HEARD)) != HEARD:
                raise EOFError
        except TimeoutError:
            nursery.kill()  # it was stopped, or hangs; files that its copies read are read to their end
            raise

    def _line(self) -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
        """A line to a fresh copy of the nursery, and the nursery."""
        with self._lock:
            orders, nursery = self._started()
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LINE_BYTES)
        with self._lock, theirs, contextlib.suppress(OSError):  # it may have ended: the caller notices
            socket.send_fds(orders, [b"+"], [theirs.fileno()])
        return ours, nursery

    def _started(self) -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
        """Return the line to a running nursery, and the nursery itself.

        Callers hold the lock.
        """
        if self._orders is None or self._nursery is None or self._nursery.poll() is not None:
            if self._orders is not None:
                self._orders.close()
            self._orders, theirs = socket.socketpair()
            with theirs:
                self._nursery = _nursery(theirs, self._jobs, self._ahead)
            self._orders.settimeout(STARTING_SECONDS)
            self._orders.recv(1)
        return self._orders, self._nursery


@cache
def _warn() -> None:
    log.warning(
        "this system cannot copy a process: the page itself reads files, with no limit on time and memory"
    )


def _read_here(
    jobs: Mapping[str, str], asked: dict[str, Any], data: bytes
) -> tuple[dict[str, Any], bytearray]:
    """Run a job in this very process, for systems that cannot fork."""
    facts, _, body = answer(found(jobs[asked["job"]]), bytearray(data), asked["options"])
    return facts, bytearray().join(body)


def _nursery(line: socket.socket, jobs: Mapping[str, str], ahead: str) -> "subprocess.Popen[bytes]":
    places = [f"{name}={place}" for name, place in jobs.items()]
    if ahead:
        places.append(f"={ahead}")
    command = [sys.executable, "-m", f"{__package__}.nursery", str(line.fileno()), *places]
    alone = {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(  # noqa: S603 - this interpreter, with modules of ours
        command,
        env=os.environ | alone,
        pass_fds=[line.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


def _end(nursery: "subprocess.Popen[bytes]") -> None:
    """Wait until the nursery has ended, and kill one that hangs."""
    try:
        nursery.wait(timeout=GRACE)
    except subprocess.TimeoutExpired:
        nursery.kill()
        nursery.wait()


def _has_ended(nursery: "subprocess.Popen[bytes]") -> bool:
    """Wait shortly, and check whether the nursery has ended.

    Its lines close before the system reports its end.
    """
    try:
        nursery.wait(timeout=0.1)
    except subprocess.TimeoutExpired:
        return False
    return True
