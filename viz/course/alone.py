"""A step in a process of its own, with the very lines that stand before its code."""

import io
from collections.abc import Iterable
from multiprocessing import TimeoutError as PoolTimeoutError
from multiprocessing.pool import AsyncResult
from typing import Any

from ..home import PREFIX
from ..system.fresh import fresh_processes
from .found import StepFound
from .running import found_in, ran
from .setup import setup_code
from .tasks import Run

PRELOADED = ["torch", "torchvision", __name__, f"{PREFIX}models.catalogue"]  # what every step imports
PATIENCE = 300  # seconds; a machine may be busy with others
Alone = tuple[str, Run, str]
"""The net, what is run, and the picture's file."""


def run_alone(wanted: Alone) -> StepFound:
    """Return a step's result in this process; the code before it is run as it is shown."""
    net, run, picture = wanted
    names: dict[str, Any] = {}
    exec(compile(setup_code(net, picture), "<setup>", "exec"), names)  # noqa: S102  # our own lines
    names["torch"].set_num_threads(1)  # there is a process for each step

    def seen() -> bytes:
        buffer = io.BytesIO()
        names["card"].preprocessing.as_seen(names["picture"]).save(buffer, "PNG")
        return buffer.getvalue()

    return found_in(names, run, ran(run.code, names), seen)


def each_alone(wanted: Iterable[Alone], workers: int = 2) -> list[StepFound]:
    """Return the results of steps, each in a fresh process; one that gives nothing in time has an error."""
    with fresh_processes(PRELOADED).Pool(workers, maxtasksperchild=1) as pool:
        return [_come(coming) for coming in [pool.apply_async(run_alone, (each,)) for each in wanted]]


def _come(coming: "AsyncResult[StepFound]") -> StepFound:
    try:
        return coming.get(PATIENCE)
    except PoolTimeoutError:
        return StepFound(error=f"nothing came of it in {PATIENCE} seconds")
    except Exception as error:  # noqa: BLE001  # such as an expression that cannot be evaluated
        return StepFound(error=f"{type(error).__name__}: {error}")
