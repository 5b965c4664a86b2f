"""Threads of low priority, which give way to others."""

import os
import sys
import threading
from contextlib import suppress

NICE = 10  # a tenth of what a thread that does not give way gets, where both want one processor


def lower_priority() -> None:
    """Let the calling thread, and those it starts, give way to others.

    OpenMP starts its threads from the thread that computes, so they inherit this. Nobody may take it back
    without the system's permission: use a thread for it that does nothing else. Only Linux knows threads'
    priorities; elsewhere this does nothing.

    Running only on idle processors (``SCHED_IDLE``) would be kinder to other models, but a visitor of the
    same model waits for the slice that runs: on a busy machine that took seconds.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
