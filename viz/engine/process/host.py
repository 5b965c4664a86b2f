"""Process that runs models: a ``LocalEngine`` behind a line."""

import itertools
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

from ...hooks.values.pages import Surplus
from ...pictures.subject import Loader
from ..engine import LocalEngine
from ..engine_state import CacheState
from ..limits import Limits, answer_bytes
from ..task import Task
from .line import Line
from .messages import ASK, COUNT, COUNTED, DO, DONE, FAILED, LEAVE, LEFT, LIMIT, TOLD, Ask, bearable

MakeLoader = Callable[[Ask], Loader]
SWITCH_SECONDS = 0.0005  # after which one thread lets another go on: drawing must not wait 5 ms for a pass
TIDY_SECONDS = 1.0  # from one look at what is free to the next: it takes some microseconds
LONG = 1 << 20  # bytes of an answer that no short one waits for


def serve(line: Line, make_loader: MakeLoader, device: str, limits: Limits) -> None:
    """Answer tasks until the page hangs up, then end this process."""
    sys.setswitchinterval(SWITCH_SECONDS)
    asking, post = _PageQuestions(line), Post(line)
    engine = LocalEngine(
        make_loader(asking.ask), device=device, limits=limits, watched=partial(_tell, line), gives_way=True
    )
    asked: dict[int, Future[Any]] = {}
    threading.Thread(target=_tidy, name="layerglass-tidy", daemon=True).start()
    try:
        while True:
            kind, *more = line.receive()
            if kind == DO:
                _begin(post, engine, asked, *more)
            elif kind == LEAVE:
                if future := asked.get(more[0]):
                    future.cancel()
            elif kind == COUNT:
                _tell(line, COUNTED, more[0], _caches(engine))
            elif kind == LIMIT:
                engine.limit(more[0])
            else:
                asking.told(kind, *more)
    except (EOFError, OSError):
        os._exit(0)


def _tidy() -> None:
    """Give freed memory back to the system from time to time."""
    surplus = Surplus()
    while True:
        time.sleep(TIDY_SECONDS)
        surplus.give_back()


class _PageQuestions:
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
        """Pass on an answer of the page."""
        answer = self._asked.pop(number)
        if kind == TOLD:
            answer.set_result(what)
        else:
            answer.set_exception(what)


def _caches(engine: LocalEngine) -> tuple[CacheState, ...]:
    return tuple(cache for process in engine.state().processes for cache in process.caches)


def _tell(line: Line, *message: Any) -> None:
    """Send a message to the page at once.

    A model that holds the interpreter would let no other thread send it.
    """
    with suppress(OSError):  # the page has gone
        line.send(*message)


class Post:
    """Sender of answers, in threads of its own.

    A thread that gives way might hold up the line for all others. A long message waits for long ones alone.
    """

    def __init__(self, line: Line) -> None:
        self._line = line
        self._short, self._long = (queue.SimpleQueue[tuple[Any, ...]]() for _ in range(2))
        for letters in (self._short, self._long):
            threading.Thread(target=self._carry, args=(letters,), name="layerglass-post", daemon=True).start()

    def send(self, *message: Any, size: int = 0) -> None:
        """Queue a message of about ``size`` bytes behind others of its kind."""
        (self._long if size > LONG else self._short).put(message)

    def _carry(self, letters: "queue.SimpleQueue[tuple[Any, ...]]") -> None:
        while True:
            message = letters.get()
            try:
                self._line.send(*message)
            except OSError:
                return  # the page has gone
            except Exception as unsent:  # noqa: BLE001  what cannot be sent must not leave its visitor waiting
                self._line.send(FAILED, message[1], bearable(unsent))


def _begin(
    post: Post,
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
        post.send(FAILED, number, bearable(error))
    else:
        asked[number] = future
        future.add_done_callback(partial(_answer, post, asked, number))


def _answer(post: Post, asked: dict[int, Future[Any]], number: int, future: Future[Any]) -> None:
    asked.pop(number, None)
    if future.cancelled():
        post.send(LEFT, number)
    elif (error := future.exception()) is not None:
        post.send(FAILED, number, bearable(error))
    else:
        post.send(DONE, number, future.result(), size=answer_bytes(future.result()))
