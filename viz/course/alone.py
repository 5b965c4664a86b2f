"""A step's run in a process of its own.

The lines before its code are run as they are shown.
"""

import io
from collections.abc import Iterable
from multiprocessing import TimeoutError as PoolTimeoutError
from multiprocessing.pool import AsyncResult
from typing import Any

from ..home import PREFIX
from ..system.fresh import fresh_processes
from .found import StepResult
from .running import found_in, ran
from .setup import setup_code
from .tasks import StepRun

PRELOADED = ["torch", "torchvision", __name__, f"{PREFIX}models.catalogue"]  # what every step imports
PATIENCE = 300  # seconds; a machine may be busy with others
Alone = tuple[str, StepRun, str]
"""The net, what is run, and the picture's file."""


def run_alone(wanted: Alone) -> StepResult:
    """Return a step's result in this process.

    The code before the step is run as it is shown.
    """
    net, run, picture = wanted
    names: dict[str, Any] = {}
    exec(compile(setup_code(net, picture), "<setup>", "exec"), names)  # noqa: S102  # our own lines
    names["torch"].set_num_threads(1)  # there is a process for each step

    def seen() -> bytes:
        buffer = io.BytesIO()
        names["card"].preprocessing.as_seen(names["picture"]).save(buffer, "PNG")
        return buffer.getvalue()

    return found_in(names, run, ran(run.code, names), seen)


def each_alone(wanted: Iterable[Alone], workers: int = 2) -> list[StepResult]:
    """Return the results of steps, each run in a fresh process.

    The result of a step that gives nothing in time has an error.
    """
    with fresh_processes(PRELOADED).Pool(workers, maxtasksperchild=1) as pool:
        return [_come(coming) for coming in [pool.apply_async(run_alone, (each,)) for each in wanted]]


def _come(coming: "AsyncResult[StepResult]") -> StepResult:
    try:
        return coming.get(PATIENCE)
    except PoolTimeoutError:
        return StepResult(error=f"nothing came of it in {PATIENCE} seconds")
    except Exception as error:  # noqa: BLE001  # such as an expression that cannot be evaluated
        return StepResult(error=f"{type(error).__name__}: {error}")
