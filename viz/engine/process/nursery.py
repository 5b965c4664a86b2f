"""The nursery: a process that every host is a copy of.

It has imported what hosts need, and runs no model itself.

It is started as ``python -m viz.engine.process.nursery SOCKET`` and has one thread, so that a copy of it is
sound, and so that nothing hangs it. Over the socket come first what hosts are (a line of JSON), then orders:
``+`` with the host's end of a line, ``?`` to be answered with the same, or a text line with the number of the
process that is to be ended. It answers with ``+`` and the number of a new host (0 if the system made none),
and with ``!``, the number and how the process ended. With ``~`` it says that it imports something, during
which it answers nothing, and with ``?`` that it has. When the socket closes, it ends all of them and itself;
if it is killed, the system does.
"""

import ctypes
import gc
import importlib
import json
import logging
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...log_form import set_up_log
from ..limits import Limits
from .host import serve
from .line import Line

IDLE = 5.0  # seconds without an order
RESTING = 0.1  # seconds of the processor that hosts take meanwhile if nobody waits for them
_ORDER = 64  # bytes; an order may come in two halves
_PR_SET_PDEATHSIG = 1  # Source: linux/prctl.h
log = logging.getLogger(__name__)


def main(arguments: Sequence[str]) -> None:
    """Make and end hosts until the page closes the socket."""
    orders = socket.socket(fileno=int(arguments[0]))
    set_up_log()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the page, which closes the socket
    importlib.import_module("torch")  # what every host needs, while the page finds out what else
    told = json.loads(orders.recv(1 << 20) or b"null")
    if told is None:
        return  # the page has ended, or its engine was not needed
    for module in told["modules"]:
        importlib.import_module(module)
    make_loader, device, limits = found(told["loader"]), told["device"], Limits(**told["limits"])
    gc.collect()
    gc.freeze()
    try:
        orders.sendall(b"ready\n")
    except OSError:
        return  # the page has ended meanwhile
    _Nursery(orders, lambda line: serve(line, make_loader, device, limits), told["later"]).run()


def found(place: str) -> Callable[..., Any]:
    """The function at ``module:function``."""
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


class _Nursery:
    def __init__(self, orders: socket.socket, work: Callable[[Line], None], later: Sequence[str]) -> None:
        self._orders, self._work, self._later = orders, work, list(later)
        self._hosts: set[int] = set()
        self._begun = b""  # of an order whose end has not come
        self._worked = dict[int, float]()  # hosts' seconds of the processor at the last check
        # A byte arrives for each signal, so that one wait hears orders and ended hosts alike.
        self._ended, wakes = os.pipe()
        for end in (self._ended, wakes):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)

    def run(self) -> None:
        """Serve until the page hangs up, then end every host."""
        try:
            while True:
                ready, _, _ = select.select(
                    [self._orders.fileno(), self._ended], [], [], IDLE if self._later else None
                )
                if not ready and self._rests():
                    self._import_next()
                if self._ended in ready:
                    self._bury()
                if self._orders.fileno() in ready and not self._obey():
                    return
        except OSError:
            return  # the page has gone
        finally:
            for host in self._hosts:
                _kill(host)
                os.waitpid(host, 0)

    def _rests(self) -> bool:
        """Check whether the hosts have hardly worked since the last check."""
        before, self._worked = self._worked, {host: _seconds_of(host) for host in self._hosts}
        return sum(now - before.get(host, 0.0) for host, now in self._worked.items()) < RESTING

    def _import_next(self) -> None:
        module = self._later.pop(0)
        self._say("~")
        try:
            importlib.import_module(module)
        except Exception as error:  # noqa: BLE001  not every library is installed, or whole, everywhere
            log.info("%s is not imported ahead: %s", module, error)
        gc.freeze()
        self._say("?")

    def _obey(self) -> bool:
        """Carry out the next order; False if there will be no more."""
        order, lines, _, _ = socket.recv_fds(self._orders, _ORDER, 1)
        if not order:
            return False
        for line in lines:
            self._make(line)
        if b"?" in order:
            self._say("?")
        *whole, self._begun = (self._begun + order).translate(None, b"+?").split(b"\n")
        for host in map(int, filter(None, whole)):
            if host in self._hosts:
                _kill(host)
        return True

    def _make(self, line: int) -> None:
        nursery = os.getpid()
        try:
            host = os.fork()
        except OSError as error:  # too many processes, or too little memory: perhaps not for long
            log.warning("the system makes no process for models: %s", error)
            host = -1
        if host == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._orders.close()
            _end_with(nursery)
            _become(self._work, line)
        os.close(line)
        if host > 0:
            self._hosts.add(host)
        self._say(f"+{max(host, 0)}")

    def _bury(self) -> None:
        """Report each host that has ended, and its exit code."""
        with suppress(BlockingIOError):
            os.read(self._ended, _ORDER)
        for host in list(self._hosts):
            done, status = os.waitpid(host, os.WNOHANG)
            if done:
                self._hosts.discard(host)
                self._say(f"!{host} {os.waitstatus_to_exitcode(status)}")

    def _say(self, words: str) -> None:
        self._orders.sendall(f"{words}\n".encode())


def _become(work: Callable[[Line], None], line: int) -> None:
    """Be a host until its line closes, then end this process."""
    try:
        work(Line(socket.socket(fileno=line)))
    except BaseException:
        log.exception("a process for models ends")
    finally:
        os._exit(0)


def _end_with(nursery: int) -> None:
    """Have the system kill this process when the nursery ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != nursery:  # it was quicker
        os._exit(0)


def _seconds_of(host: int) -> float:
    """Return a host's processor seconds so far; 0 if it has gone.

    Source: proc_pid_stat(5).
    """
    try:
        _, _, fields = Path(f"/proc/{host}/stat").read_bytes().rpartition(b")")
    except OSError:
        return 0.0
    user, system = fields.split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _kill(host: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(host, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
