"""The page's side of a nursery and its hosts."""

import json
import logging
import os
import queue
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..limits import Limits
from .head_start import begun_nursery
from .line import Line
from .messages import DO, FAILED, REFUSED, bearable

GRACE = 5.0  # seconds in which a host's end is told
CLOSING = 2.0  # seconds in which a nursery ends by itself once nobody is there
HEARING = 20.0  # seconds in which a nursery answers that imports nothing
ASKING = 5.0  # seconds from an answer to the next question
log = logging.getLogger(__name__)


class Host:
    """A process that answers tasks, and the threads for its messages.

    Attributes:
        number: of the process.
        nursery: which nursery made it, counted from 1.
    """

    def __init__(self, number: int, line: Line, nursery: int) -> None:
        self.number, self._line, self.nursery = number, line, nursery
        self._letters: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()

    def listen(
        self, heard: Callable[["Host", tuple[Any, ...]], None], gone: Callable[["Host"], None]
    ) -> None:
        """Call ``heard`` with each message, then ``gone``, in another thread."""

        def receive() -> None:
            try:
                while True:
                    heard(self, self._line.receive())
            except (EOFError, OSError):
                pass
            except Exception:  # such as memory refused for an answer
                log.exception("a message from a process for models could not be read")
            finally:
                gone(self)

        def send() -> None:
            with suppress(OSError):
                while (letter := self._letters.get()) is not None:
                    if refused := self._sent(letter):
                        heard(self, refused)

        for work in (receive, send):
            threading.Thread(target=work, name=f"layerglass-host-{self.number}", daemon=True).start()

    def tell(self, *message: Any) -> None:
        """Queue a message for the host; the caller never waits."""
        self._letters.put(message)

    def close(self) -> None:
        """Hang up; the host ends if it still can."""
        self._letters.put(None)
        self._line.close()

    def memory(self) -> int:
        """Return the host's own physical memory in bytes; 0 if unknown."""
        try:
            _, resident, shared, *_ = Path(f"/proc/{self.number}/statm").read_text(encoding="ascii").split()
        except OSError:
            return 0
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")

    def _sent(self, letter: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Send a message; return its error if it cannot be pickled."""
        try:
            self._line.send(*letter)
        except OSError:
            raise
        except Exception as error:
            kind, number, *_ = letter
            log.exception("a message could not be sent to the process for models")
            if kind == DO:
                return FAILED, number, bearable(error)
            self._line.send(REFUSED, number, bearable(error))
        return None


class Hosts:
    """Hosts of an engine, made and ended through a nursery.

    The nursery is started when it is first needed.

    Args:
        loader: ``"module:function"``, a ``MakeLoader``.
        device: see ``LocalEngine``, likewise ``limits``.
        modules: what a nursery imports ahead, so that its hosts need not; ``later`` what it imports once it
            has nothing to do.
    """

    def __init__(
        self, loader: str, device: str, limits: Limits, modules: Sequence[str], later: Sequence[str]
    ) -> None:
        told = {"loader": loader, "device": device, "limits": asdict(limits), "modules": list(modules)}
        told["later"] = list(later)
        self._told = json.dumps(told).encode()
        self._lock = threading.Lock()
        self._nursery: subprocess.Popen[bytes] | None = None
        self._orders: socket.socket | None = None
        self._made: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._exits: dict[int, int] = {}
        self._exited = threading.Condition()
        self._ready = self._closed = self._importing = False
        self._asked: float | None = None  # the nursery, since when without an answer
        self._answered = 0.0
        self._started_so_far = 0  # nurseries

    def make(self, within: float) -> Host:
        """A new host.

        Raises:
            OSError: none could be made in so many seconds.
            RuntimeError: the system makes no thread that hears of it.
        """
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            try:
                number, nursery = self._number(theirs, within), self._started_so_far
            except (OSError, RuntimeError):
                ours.close()
                raise
        return Host(number, Line(ours), nursery)

    def end(self, host: Host) -> None:
        """End a host at once, even in the middle of work."""
        host.close()
        if self._orders is not None:
            with suppress(OSError):  # the nursery has ended, and its hosts with it
                self._orders.sendall(f"{host.number}\n".encode())

    def check(self) -> None:
        """Test the nursery, and end one that does not answer.

        Its hosts end with it.
        """
        with self._lock:
            now, asked = time.monotonic(), self._asked
            if not self._ready or self._orders is None or self._importing:
                return
            if asked is None:
                if now - self._answered > ASKING:
                    self._asked = now
                    with suppress(OSError):  # it has ended, as is heard elsewhere
                        self._orders.sendall(b"?")
            elif now - asked > HEARING:
                log.error("the process that makes those for models is replaced: it does not answer")
                self._end_nursery(0)

    def exit_code(self, host: Host) -> int | None:
        """Return a host's exit code; None if the nursery reports none.

        It is negative for a host that a signal ended.
        """
        with self._exited:
            self._exited.wait_for(lambda: host.number in self._exits or not self._hears(host), GRACE)
            return self._exits.pop(host.number, None)

    def close(self) -> None:
        """End the nursery and all its hosts, and wait for that."""
        self._closed = True
        if self._orders is not None:
            with suppress(OSError):  # it has ended
                self._orders.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._end_nursery(CLOSING)

    def _number(self, line: socket.socket, within: float) -> int:
        """Return a new host's number; called under the lock."""
        orders = self._started(within)
        socket.send_fds(orders, [b"+"], [line.fileno()])
        try:
            number = self._number_said(within)
        except queue.Empty as error:
            self._end_nursery(0)  # or its answer would be taken for that to a later order
            raise TimeoutError("the nursery made no host in time") from error
        if not number:
            raise BlockingIOError("the system made no process")
        return number

    def _number_said(self, within: float) -> int:
        until = time.monotonic() + within
        while True:
            try:
                return self._made.get(timeout=min(within, HEARING))
            except queue.Empty:
                if not self._importing or time.monotonic() > until:
                    raise

    def _started(self, within: float) -> socket.socket:
        """The line of orders to a running nursery; called under the lock."""
        if self._ready and self._orders is not None:
            return self._orders
        self._check_open()
        self._end_nursery(0)
        self._nursery, orders = begun_nursery()
        self._orders = orders
        self._check_open()
        orders.settimeout(within)
        orders.sendall(self._told)
        if orders.recv(16) != b"ready\n":
            raise ConnectionError("the process that makes hosts did not start: see the log above")
        orders.settimeout(None)
        self._ready, self._made, self._started_so_far = True, queue.SimpleQueue(), self._started_so_far + 1
        self._asked, self._answered, self._importing = None, time.monotonic(), False
        listening = (orders, self._made)
        try:
            threading.Thread(
                target=self._listen, args=listening, name="layerglass-nursery", daemon=True
            ).start()
        except RuntimeError:  # the system makes no thread now: another nursery will be heard
            self._ready = False
            raise
        return orders

    def _check_open(self) -> None:
        if self._closed:
            raise ConnectionAbortedError("the engine is being closed")

    def _hears(self, host: Host) -> bool:
        """Return whether the nursery that made the host still runs."""
        return self._ready and host.nursery == self._started_so_far

    def _end_nursery(self, grace: float) -> None:
        """End the nursery within ``grace`` seconds; called under the lock."""
        if self._orders is not None:
            with suppress(OSError):
                self._orders.shutdown(socket.SHUT_RDWR)
            self._orders.close()
        if self._nursery is not None:
            try:
                self._nursery.wait(grace)
            except subprocess.TimeoutExpired:
                self._nursery.kill()
                self._nursery.wait()
        self._orders = self._nursery = None
        self._ready = False

    def _listen(self, orders: socket.socket, made: "queue.SimpleQueue[int]") -> None:
        """Hear of hosts that began and ended, until the nursery has ended."""
        with suppress(OSError), orders.makefile("r", encoding="ascii") as lines:
            for line in lines:
                sign, words = line[0], line[1:].split()
                if sign == "+":
                    made.put(int(words[0]))
                    continue
                if sign in "~?":
                    self._asked, self._answered = None, time.monotonic()
                    self._importing = sign == "~"
                    continue
                with self._exited:
                    self._exits[int(words[0])] = int(words[1])
                    self._exited.notify_all()
        with self._exited:
            if orders is self._orders:
                self._ready = False
            self._exited.notify_all()
        made.put(0)  # nobody makes the host that was ordered
