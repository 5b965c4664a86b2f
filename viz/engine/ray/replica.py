"""A replica: a ``LocalEngine``, and a watch over its tasks' time."""

import asyncio
import os
import threading
from collections.abc import Hashable
from itertools import count
from typing import Any

from cachetools import LRUCache
from ray.exceptions import ObjectLostError

from ...cache import ByteCache
from ...errors import SupersededError, VizError
from ...pictures.photo import Photo
from ..engine import Event, LocalEngine
from ..limits import Limits
from ..process.line import picture_bytes
from ..process.messages import bearable
from ..process.nursery import found
from ..process.patience import Patience
from ..process.station import PendingTask, Station
from ..task import Task
from ..worker import VISITORS
from .envelope import opened
from .things import NotSentError, Things
from .words import Letter, Reply

PICTURES = 512 << 20  # bytes of pictures that a replica keeps, so that it fetches each of them once
TICK = 0.25  # seconds between two looks at what takes too long
LAST_WORDS = 0.5  # seconds for the replies of a replica that has to end


class Replica:
    """Answers tasks with the models of one replica.

    Args:
        loader: ``"module:function"``, a ``MakeLoader``.
        device: see ``LocalEngine``, likewise ``limits``.
        patience: how long a task may run, and a model may be loaded, before this replica ends.
    """

    def __init__(self, loader: str, device: str, limits: Limits, patience: Patience) -> None:
        self._things = Things()
        load = found(loader)(self._things.ask)
        self._engine = LocalEngine(load, device=device, limits=limits, watched=self._note)
        self._patience, self._clock, self._lock = patience, Station(), threading.Lock()
        self._numbers = count()
        self._pictures = ByteCache[Photo](PICTURES, picture_bytes)
        self._newest: LRUCache[Hashable, int] = LRUCache(VISITORS)
        self._over: asyncio.Future[VizError] | None = None
        self._blamed: set[Hashable] = set()
        self._watching: asyncio.Task[None] | None = None

    async def answer(self, letter: Letter) -> Reply:
        """See ``Reply``; an error of a task is a reply as well."""
        try:
            photos = await self._photos(letter.pictures)
            things = {thing: await _fetched(sent) for thing, sent in letter.things.items()}
        except ObjectLostError:
            return Reply("again")
        task = opened(letter.text, photos.__getitem__)
        if self._is_late(letter, task):
            return Reply("failed", SupersededError("A newer request took this one's place."))
        with self._things.held(things):
            return await self._answered(task, letter)

    def check(self) -> None:
        """Refuse to go on if this replica has to be replaced.

        Raises:
            VizError: a task has run for too long.
        """
        if self._over is not None and self._over.done():
            raise self._over.result()

    async def _photos(self, refs: dict[str, Any]) -> dict[str, Photo]:
        """Return the pictures of a task by name, each fetched once."""
        here: dict[str, Photo] = {}
        for name, ref in refs.items():
            photo = self._pictures.get(name)
            here[name] = photo or self._pictures.keep(name, opened(await ref, here.__getitem__))
        return here

    def _is_late(self, letter: Letter, task: Task[Any]) -> bool:
        """Return whether a newer task of this one's lane came before."""
        if not letter.urgent:
            return False
        lane = letter.page, letter.visitor, task.lane
        newest = self._newest[lane] = max(letter.number, self._newest.get(lane, 0))
        return letter.number < newest

    async def _answered(self, task: Task[Any], letter: Letter) -> Reply:
        try:
            future = self._engine.do(task, visitor=letter.visitor, urgent=letter.urgent)
        except Exception as error:  # noqa: BLE001  it belongs to whoever asked
            return Reply("failed", bearable(error))
        number, asked = next(self._numbers), PendingTask(task, letter.visitor, letter.urgent, future)
        with self._lock:
            self._clock.asked[number] = asked
        try:
            return await self._first(asked)
        except asyncio.CancelledError:
            future.cancel()  # whoever asked has left
            raise
        finally:
            with self._lock:
                self._clock.asked.pop(number, None)

    async def _first(self, asked: PendingTask) -> Reply:
        """The answer, or the error of this replica's end, whichever comes first."""
        over, answer = self._watched(), asyncio.wrap_future(asked.future)
        await asyncio.wait({answer, over}, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            guilty = asked.task.key in self._blamed
            return Reply("ended", over.result()) if guilty else Reply("again")
        error = answer.exception()
        if isinstance(error, NotSentError):
            return Reply("wanted", error.thing)
        return Reply("done", answer.result()) if error is None else Reply("failed", bearable(error))

    # --- The watch ------------------------------------------------------------------------------------------

    def _note(self, event: Event, key: Hashable, *_: float) -> None:
        with self._lock:
            self._clock.note(event, key)

    def _watched(self) -> "asyncio.Future[VizError]":
        """Return the future error of this replica's end; begin the watch."""
        if self._over is None:
            self._over = asyncio.get_running_loop().create_future()
            self._watching = asyncio.create_task(self._watch(self._over))
        return self._over

    async def _watch(self, over: "asyncio.Future[VizError]") -> None:
        """End this process once a task has run for too long.

        Threads alone cannot be ended.
        """
        while True:
            await asyncio.sleep(TICK)
            with self._lock:
                error = self._clock.overdue(self._patience)
                if error is not None:
                    guilty, _ = self._clock.give_up(sure=True)
                    self._blamed = {asked.task.key for asked in guilty}
                    break
        over.set_result(error)
        await asyncio.sleep(LAST_WORDS)
        os._exit(1)


async def _fetched(sent: Any) -> Any:
    """Fetch a thing from the object store, or return its error."""
    return sent if isinstance(sent, Exception) else await sent
