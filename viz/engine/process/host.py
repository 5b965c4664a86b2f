"""The process that runs models: a ``LocalEngine`` behind a line, which says what it is about to do."""

import itertools
import os
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

from ...pictures.subject import Loader
from ..engine import LocalEngine
from ..engine_state import CacheState
from ..limits import Limits
from ..task import Task
from .line import Line
from .messages import ASK, COUNT, COUNTED, DO, DONE, FAILED, TOLD, bearable

Ask = Callable[[str, str], Any]
"""(kind, name) → what only the page has, such as a visitor's picture; raises what the page says instead."""
MakeLoader = Callable[[Ask], Loader]


def serve(line: Line, make_loader: MakeLoader, device: str, limits: Limits) -> None:
    """Answer tasks until the page hangs up; then this process ends at once, whatever its threads do."""
    asking = _Asking(line)
    engine = LocalEngine(make_loader(asking.ask), device=device, limits=limits, watched=partial(_tell, line))
    try:
        while True:
            kind, *more = line.receive()
            if kind == DO:
                _begin(line, engine, *more)
            elif kind == COUNT:
                _tell(line, COUNTED, more[0], _caches(engine))
            else:
                asking.told(kind, *more)
    except (EOFError, OSError):
        os._exit(0)


class _Asking:
    """Questions to the page that threads of this process wait for."""

    def __init__(self, line: Line) -> None:
        self._line, self._numbers = line, itertools.count()
        self._asked: dict[int, Future[Any]] = {}

    def ask(self, kind: str, name: str) -> Any:
        """See ``Ask``."""
        number, answer = next(self._numbers), Future[Any]()
        self._asked[number] = answer
        self._line.send(ASK, number, kind, name)
        return answer.result()

    def told(self, kind: str, number: int, what: Any) -> None:
        """Pass on what the page has said."""
        answer = self._asked.pop(number)
        if kind == TOLD:
            answer.set_result(what)
        else:
            answer.set_exception(what)


def _caches(engine: LocalEngine) -> tuple[CacheState, ...]:
    return tuple(cache for process in engine.state().processes for cache in process.caches)


def _begin(line: Line, engine: LocalEngine, number: int, task: Task[Any], visitor: str, urgent: bool) -> None:
    try:
        future = engine.do(task, visitor=visitor, urgent=urgent)
    except Exception as error:  # noqa: BLE001  it belongs to whoever asked
        _tell(line, FAILED, number, bearable(error))
    else:
        future.add_done_callback(partial(_answer, line, number))


def _answer(line: Line, number: int, future: Future[Any]) -> None:
    error = future.exception()
    if error is not None:
        _tell(line, FAILED, number, bearable(error))
        return
    try:
        line.send(DONE, number, future.result())
    except OSError:
        pass  # the page has gone
    except Exception as unsent:  # noqa: BLE001  what cannot be sent must not leave its visitor waiting
        _tell(line, FAILED, number, bearable(unsent))


def _tell(line: Line, *message: Any) -> None:
    with suppress(OSError):  # the page has gone
        line.send(*message)
