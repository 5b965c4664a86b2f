"""Engine whose models run in replicas of Ray Serve."""

import asyncio
import itertools
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

import ray
from ray.exceptions import RayActorError, RayError, RayTaskError
from ray.serve.exceptions import RayServeException

from ...errors import BusyError, CaptureError, EngineClosedError, VizError
from ..engine_state import EngineState
from ..limits import Limits
from ..process.messages import bearable
from ..process.patience import Patience
from ..process.station import PendingTask
from ..process.strikes import Strikes
from ..task import Answer_co, Task, check_pictures, place_of
from ..worker import CLOSED
from .cluster import Cluster, Deployment
from .envelope import sealed
from .keeping import RayStore
from .object_store import Store
from .words import Letter, Reply, Thing

TRIES = 20  # times that a task is sent which replicas sent back, without any of them having ended
PAUSE = 0.5  # seconds before a task is sent again
LEAVING = 5.0  # seconds for the end of the replicas; whatever is left then ends with this process
RETRY = 5.0  # seconds until a cluster that cannot be used is tried again
log = logging.getLogger(__name__)


class RayEngine:
    """Engine on a cluster, with replicas that each run some models.

    A task whose replica ends is asked again, once and alone; if that ends another replica, the task gets a
    sentence, and its model is put aside the second time.

    Args:
        loader: ``"module:function"``, a ``MakeLoader``; the replicas import it.
        device: see ``LocalEngine``.
        limits: see ``LocalEngine``; of each replica.
        cluster: where the replicas are.
        patience: how long a task may run.
        holds: what the loader may ask for: kind → a function of the name.
    """

    def __init__(
        self,
        loader: str,
        *,
        device: str = "auto",
        limits: Limits | None = None,
        cluster: Cluster | None = None,
        patience: Patience | None = None,
        holds: Mapping[str, Callable[[str], Any]] | None = None,
    ) -> None:
        self._cluster, patience = cluster or Cluster(), patience or Patience()
        self._told = loader, device, limits or Limits(), patience
        self._holds, self._strikes = holds or {}, Strikes(patience)
        self._joined, self._deployed = Future[None](), Future[Deployment]()
        self._leaves = threading.Event()
        self._store, self._numbers = Store(), itertools.count(1)
        self._ends, self._asked = threading.Event(), set[PendingTask]()
        self._lock, self._page = threading.Lock(), secrets.token_hex(8)
        self._loop = asyncio.new_event_loop()
        self._alone = asyncio.Lock()
        self._thread = threading.Thread(target=self._loop.run_forever, name="layerglass-ray", daemon=True)
        self._thread.start()
        self._joining = threading.Thread(target=self._belong, name="layerglass-cluster", daemon=True)
        self._joining.start()

    def do(self, task: Task[Answer_co], *, visitor: str, urgent: bool = True) -> "Future[Answer_co]":
        """See ``Engine``.

        Raises:
            RequestError: a request is about another picture than the one that came with it.
            EngineClosedError: the engine has been closed.
            CaptureError: the task's model has been put aside.
        """
        check_pictures(task)
        with self._lock:
            if self._ends.is_set():
                raise EngineClosedError(CLOSED)
            if put_aside := self._strikes.put_aside(place_of(task)):
                raise put_aside
            asked = PendingTask(task, visitor, urgent)
            self._asked.add(asked)
            number = next(self._numbers)
        seen_to = asyncio.run_coroutine_threadsafe(self._see_to(asked, number), self._loop)
        asked.future.add_done_callback(lambda future: future.cancelled() and seen_to.cancel())
        return asked.future

    def state(self) -> EngineState:
        """See ``ReportingEngine``; tasks on their way count as running.

        Ray has metrics of its replicas' memory.
        """
        with self._lock:
            return EngineState(running=len(self._asked), put_aside=self._strikes.reasons)

    def keeping(self, name: str) -> RayStore:
        """See ``SharedEngine``."""
        return RayStore(name, self._joined)

    def close(self) -> None:
        """Refuse unanswered tasks; end the replicas, unless other processes may use them."""
        with self._lock:
            self._ends.set()
            left, self._asked = self._asked, set()
        for asked in left:
            asked.fail(EngineClosedError(CLOSED))
        asyncio.run_coroutine_threadsafe(_ended(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._leaves.set()
        self._joining.join(LEAVING)

    def _belong(self) -> None:
        """Join the cluster, deploy the replicas, and leave in the end.

        All of it in one thread, because the system ends what Ray starts on this machine with the thread that
        started it.
        """
        ours = False
        while not (self._deployed.done() or self._ends.is_set()):
            try:
                ours = self._cluster.join() or ours
                if not self._joined.done():
                    self._joined.set_result(None)
                self._deployed.set_result(self._cluster.deploy(*self._told))
            except Exception:
                log.exception("the cluster that runs the models cannot be used; trying again")
                self._ends.wait(RETRY)
        self._leaves.wait()
        if ours:
            ray.shutdown()  # a cluster of this process ends with that, and the replicas on it
        elif self._deployed.done() and not self._cluster.address:
            self._deployed.result().end()

    # --- One task, in the thread of the loop ----------------------------------------------------------------

    async def _see_to(self, asked: PendingTask, number: int) -> None:
        """Have a task answered, or failed with its error."""
        answer, error = None, None
        try:
            answer = await self._answer(asked, number)
        except Exception as raised:  # noqa: BLE001  it belongs to whoever asked
            error = bearable(raised)
        finally:
            with self._lock:
                waits = asked in self._asked
                self._asked.discard(asked)
        if waits and error is not None:
            asked.fail(error)
        elif waits:
            asked.succeed(answer)

    async def _answer(self, asked: PendingTask, number: int) -> Any:
        """Return a task's answer; try once more, alone, if its replica ends.

        Raises:
            Exception: it has none.
        """
        try:
            return await self._tried(asked, number)
        except RayActorError:
            log.warning("a replica has ended; what it was asked is asked again")
        async with self._alone:
            try:
                return await self._tried(asked, number)
            except RayActorError as died:
                error = CaptureError(
                    "The process of this model ended by itself; choose another layer or model."
                )
                self._strikes.add(place_of(asked.task), error)
                raise error from died

    async def _tried(self, asked: PendingTask, number: int) -> Any:
        """The answer, sent as often as replicas send it back.

        Raises:
            RayActorError: the replica has ended.
            Exception: the task has no answer.
        """
        things: dict[Thing, Any] = {}
        for _ in range(TRIES):
            reply = await self._sent(asked, number, things)
            if reply.kind == "done":
                return reply.what
            if reply.kind == "wanted":
                things[reply.what] = await asyncio.to_thread(self._thing, *reply.what)
                continue
            if reply.kind == "ended":
                self._strikes.add(place_of(asked.task), reply.what)
            if reply.kind != "again":
                raise reply.what
            await asyncio.sleep(PAUSE)
        raise BusyError("The cluster that runs the models has no place for this now; try again in a minute.")

    async def _sent(self, asked: PendingTask, number: int, things: dict[Thing, Any]) -> Reply:
        """Return a replica's reply.

        Raises:
            RayActorError: it has ended.
            Exception: the task or its answer cannot be sent.
        """
        text, photos = sealed(asked.task)
        deployment = await asyncio.wrap_future(self._deployed)
        refs = await asyncio.to_thread(self._store.pictures, photos)
        letter = Letter(text, refs, things, asked.visitor, asked.urgent, self._page, number)
        response = deployment.asking(" ".join(place_of(asked.task)))(letter)
        try:
            reply: Reply = await response
        except asyncio.CancelledError:
            response.cancel()  # whoever asked has left
            raise
        except RayTaskError as error:
            raise error.cause from error
        except (RayServeException, RayError) as error:
            if isinstance(error, RayActorError):
                raise
            log.exception("the cluster did not answer")
            return Reply("again")
        if reply.kind == "again":
            self._store.forget(refs)
        return reply

    def _thing(self, kind: str, name: str) -> Any:
        """Return the store's reference to a thing, or the page's refusal."""
        try:
            return ray.put(self._holds[kind](name))
        except VizError as error:
            return error


async def _ended() -> None:
    """Cancel the other tasks of this loop, and await their end."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for each in others:
        each.cancel()
    await asyncio.gather(*others, return_exceptions=True)
