"""The process that runs models: a ``LocalEngine`` behind a line, which says what it is about to do."""

import itertools
import os
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

from ...pictures.subject import Loader
from ..engine import LocalEngine
from ..limits import Limits
from ..task import Task
from .line import Line
from .messages import ASK, DO, DONE, FAILED, LEAVE, LEFT, TOLD, Ask, bearable

MakeLoader = Callable[[Ask], Loader]

SWITCH_SECONDS = 0.0005  # after which one thread lets another go on: drawing must not wait 5 ms for a pass


def serve(line: Line, make_loader: MakeLoader, device: str, limits: Limits) -> None:
    """Answer tasks until the page hangs up; then this process ends at once, whatever its threads do."""
    sys.setswitchinterval(SWITCH_SECONDS)
    asking = _Asking(line)
    engine = LocalEngine(
        make_loader(asking.ask), device=device, limits=limits, watched=partial(_tell, line), gives_way=True
    )
    asked: dict[int, Future[Any]] = {}
    try:
        while True:
            kind, *more = line.receive()
            if kind == DO:
                _begin(line, engine, asked, *more)
            elif kind == LEAVE:
                if future := asked.get(more[0]):
                    future.cancel()
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


def _begin(
    line: Line,
    engine: LocalEngine,
    asked: dict[int, Future[Any]],
    number: int,
    task: Task[Any],
    visitor: str,
    urgent: bool,
) -> None:
    try:
        future = engine.do(task, visitor=visitor, urgent=urgent)
    except Exception as error:  # noqa: BLE001  it belongs to whoever asked
        _tell(line, FAILED, number, bearable(error))
    else:
        asked[number] = future
        future.add_done_callback(partial(_answer, line, asked, number))


def _answer(line: Line, asked: dict[int, Future[Any]], number: int, future: Future[Any]) -> None:
    asked.pop(number, None)
    if future.cancelled():
        _tell(line, LEFT, number)
        return
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
