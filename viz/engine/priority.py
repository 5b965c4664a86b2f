"""Threads that give way to others, as far as the system's scheduler can be told."""

import os
import threading
from contextlib import suppress


def lower_priority() -> None:
    """Let the calling thread, and those that it starts, run only while others leave a processor idle.

    OpenMP starts its threads from the thread that computes, so they inherit this. Nobody may take it back
    without the system's permission: use a thread for it that does nothing else. Only Linux knows threads'
    priorities; elsewhere this does nothing.
    """
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(threading.get_native_id(), os.SCHED_IDLE, os.sched_param(0))
