"""Ctrl-C as the usual end of a program that runs until then."""

import signal
import sys
import threading
from types import FrameType
from typing import NoReturn


def end_quietly() -> None:
    """End this process in silence and with status 0 at Ctrl-C.

    It does nothing where Ctrl-C is ignored already, or in a thread, which hears no signals.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    del number, frame
    sys.exit()
