"""The server's end, with a moment for requests under way."""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType

# Seconds after the signal. Service managers wait for ten before they kill, containers too.
UNDER_WAY, LAST = 2.0, 4.0
log = logging.getLogger(__name__)


@contextmanager
def ending_in_time(close: Callable[[], object]) -> Iterator[None]:
    """End this process soon after SIGTERM or SIGINT inside a block.

    uvicorn waits for every request to end, and Python for every thread: an upload, a download or a model that
    hangs would each keep the process for as long as it takes.

    Args:
        close: refuses what still waits, so that it ends by itself; called once, in a thread of its own.
    """
    if threading.current_thread() is not threading.main_thread():  # only that one hears signals
        yield
        return
    signals = (signal.SIGTERM, signal.SIGINT)
    before = {each: signal.getsignal(each) for each in signals}
    begun = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        if not begun.is_set():
            begun.set()
            for work in (_close_later(close), partial(_end_at_last, number)):
                threading.Thread(target=work, name="layerglass-end", daemon=True).start()
        if callable(handler := before[signal.Signals(number)]):
            handler(number, frame)

    for each in signals:
        signal.signal(each, end)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _close_later(close: Callable[[], object]) -> Callable[[], None]:
    def work() -> None:
        time.sleep(UNDER_WAY)
        close()

    return work


def _end_at_last(number: int) -> None:
    time.sleep(LAST)
    if number == signal.SIGINT:
        os._exit(0)  # whoever pressed Ctrl-C sees the end; during a start, imports are all that is under way
    log.warning("something was still under way %.0f seconds after the signal to end", LAST)
    os._exit(128 + signal.SIGTERM)  # as if the signal had ended it; children hear that their lines are closed
