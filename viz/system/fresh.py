"""Processes that begin afresh, with nothing of this one."""

import multiprocessing
from collections.abc import Sequence
from typing import Any

_WAYS = ("forkserver", "spawn")  # the first imports once what all of them need


def fresh_processes(preloaded: Sequence[str]) -> Any:
    """Return the ``multiprocessing`` context whose processes have nothing of this one.

    Args:
        preloaded: modules that are imported once for all of them, if the system can do that.
    """
    ways = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context(next(way for way in _WAYS if way in ways))
    if context.get_start_method() == "forkserver":
        context.set_forkserver_preload(list(preloaded))
    return context
