"""Jobs of a reading process, each found by its name and run."""

import importlib
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from ..sentences import Sentence

Answer = tuple[dict[str, Any], int, Iterable[bytes]]
"""Plain values, the length of a body, and the body in parts."""
Job = Callable[..., Answer]
LONGEST_TRACEBACK = 4000


def found(place: str) -> Job:
    """The job at ``module:function``."""
    module, _, name = place.partition(":")
    job: Job = getattr(importlib.import_module(module), name)
    return job


def answer(job: Job, data: bytearray, options: dict[str, Any]) -> Answer:
    """Return a job's result for the file, or its error.

    The page decides which errors to show.
    """
    try:
        facts, length, body = job(data, **options)
    except MemoryError:
        return {"outcome": "over"}, 0, ()
    except Exception as error:  # noqa: BLE001 - the page raises it again
        told = traceback.format_exc()[-LONGEST_TRACEBACK:]
        said = str(error)
        says = said.to_plain() if isinstance(said, Sentence) else said
        return {"outcome": "error", "kind": type(error).__name__, "says": says, "told": told}, 0, ()
    return {"outcome": "read", "facts": facts}, length, body
