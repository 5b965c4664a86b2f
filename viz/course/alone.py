"""A step in a process of its own, with the very lines that stand before its code."""

import io
import multiprocessing
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from .found import StepFound
from .running import found_in, ran
from .setup import setup_code
from .tasks import Run

_BEGINNINGS = ("forkserver", "spawn")  # what there is; the first is faster, because it imports torch once
Alone = tuple[str, Run, str]
"""The net, what is run, and the picture's file."""


def run_alone(wanted: Alone) -> StepFound:
    """Return what a step gives in this process; the code before it is run as it is shown."""
    net, run, picture = wanted
    names: dict[str, Any] = {}
    exec(compile(setup_code(net, picture), "<setup>", "exec"), names)  # noqa: S102  # our own lines

    def seen() -> bytes:
        buffer = io.BytesIO()
        names["card"].preprocessing.as_seen(names["picture"]).save(buffer, "PNG")
        return buffer.getvalue()

    return found_in(names, run, ran(run.code, names), seen)


def each_alone(wanted: Iterable[Alone], workers: int = 2) -> list[StepFound]:
    """Return what steps give, each in a fresh process."""
    ways = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context(next(way for way in _BEGINNINGS if way in ways))
    if context.get_start_method() == "forkserver":
        context.set_forkserver_preload(["torch", "torchvision"])
    with ProcessPoolExecutor(workers, context, max_tasks_per_child=1) as pool:
        return list(pool.map(run_alone, wanted))
