"""The process of which every reading process is a copy.

It knows the decoders, and nothing of any visitor.

It is started as ``python -m viz.reader.nursery SOCKET NAME=module:function ...`` and forks for each line that
it receives over the socket. It has one thread, so that a fork is safe, and ends when the socket closes. A
function without a name is called once, ahead: what it leaves in memory, every copy has.
"""

import gc
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

from .bounds import Bounds
from .jobs import Job, answer, found
from .messages import HEARD, receive, send
from .restraint import keep_within

LONGEST_FILE = 1 << 40  # ``viz.ui.door`` has bounded the file; here the memory limit does


def main(arguments: Sequence[str]) -> None:
    """Serve until the page closes its end of the socket."""
    orders = socket.socket(fileno=int(arguments[0]))
    known = [(name, found(place)) for name, _, place in (each.partition("=") for each in arguments[1:])]
    jobs = {name: job for name, job in known if name}
    for name, ahead in known:
        if not name:
            ahead()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the page, which closes the socket
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children need not be waited for
    gc.collect()
    gc.freeze()
    orders.sendall(b"!")  # ready
    while True:
        word, lines, _, _ = socket.recv_fds(orders, 1, 1)
        if not word:
            return
        for line in lines:
            _begin(orders, socket.socket(fileno=line), jobs)


def _begin(orders: socket.socket, line: socket.socket, jobs: dict[str, Job]) -> None:
    """Have a copy of this process read the file on the line."""
    with line:
        try:
            line.sendall(HEARD)  # even if no copy can be made: this process is at work
            reads = os.fork() == 0
        except OSError:  # too many processes, or too little memory: perhaps not for long
            with suppress(OSError):
                send(line, {"outcome": "busy"})
            return
        if reads:
            orders.close()
            _read_one(line, jobs)


def _read_one(line: socket.socket, jobs: dict[str, Job]) -> None:
    """Read the one file on the line, answer, and end this process."""
    try:
        facts, data = receive(line, LONGEST_FILE)
        keep_within(Bounds(**facts["bounds"]))
        send(line, *answer(jobs[facts["job"]], data, facts["options"]))
    except (OSError, EOFError, MemoryError):
        pass  # the page notices that the line was closed
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
