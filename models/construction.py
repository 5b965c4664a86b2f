"""Making models alone: all draw from the process's one random generator."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["constructing"]

_ONE_AT_A_TIME = threading.RLock()  # a loader asks a factory for its card


@contextmanager
def constructing() -> Iterator[None]:
    """Make models alone in this process.

    Otherwise a factory that seeds would share its numbers with another thread's. The random state is left as
    it was.
    """
    with _ONE_AT_A_TIME, torch.random.fork_rng(devices=[]):
        yield
