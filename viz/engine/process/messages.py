"""Kinds of messages between the page and a host."""

import logging
from collections.abc import Callable
from typing import Any

from ...errors import CaptureError
from ...sentences import Sentence
from ..refused_memory import refused_memory

DO, DONE, FAILED = "do", "done", "failed"
LEAVE, LEFT = "leave", "left"
ASK, TOLD, REFUSED = "ask", "told", "refused"
COUNT, COUNTED, LIMIT = "count", "counted", "limit"
_NAMED = 40  # characters of an error's name
log = logging.getLogger(__name__)
Ask = Callable[[str, str], Any]
"""(kind, name) → what only the page has, such as a visitor's picture; raises what the page says instead."""


def bearable(error: BaseException) -> Exception:
    """Return an error in a form that the page can read.

    One of ours or of Python's stays as it is; any other is given by its name. A class of a model's own is not
    known there, and PyTorch's are not either.
    """
    if refused := refused_memory(error):
        return refused
    if isinstance(error, Exception) and (
        isinstance(str(error), Sentence) or type(error).__module__ == "builtins"
    ):
        return error
    log.error("a task failed", exc_info=error)
    return CaptureError(
        "this model ended its run by {name}; choose another one.", name=type(error).__name__[:_NAMED]
    )
