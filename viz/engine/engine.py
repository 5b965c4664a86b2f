"""Engine for one device: its workers, models and kept answers."""

import logging
from collections.abc import Callable, Generator, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, Literal, TypeVar

from ..cache import ByteCache, Pool
from ..findings.edit_effects import difference
from ..findings.values import LayerValues
from ..hooks.activations import LayerActivations
from ..passes.loaded import LoadedModel, loaded_model, one_pass
from ..passes.resumed.shelf import StageShelf
from ..pictures.photo import Photo
from ..pictures.subject import Loader
from ..profile.cost import GRAPH, layer_cost
from ..request.inspection import Inspection
from .engine_protocol import Engine
from .engine_state import CacheState, EngineState, ProcessState
from .limits import Limits, answer_bytes, check_cost
from .place import WaitingVisitor, before
from .priority import lower_priority
from .purse import Purses, meter
from .refused_memory import refused_memory
from .slices import Sliced, went_on
from .task import Answer_co, Bench, Task, check_pictures, kind_of
from .worker import Worker, done

__all__ = ["Engine", "LocalEngine"]

PREFETCHES_KEPT = 8
LEAST = 0.01  # seconds that making anything again costs: its turn, and that of others who wait behind
SEVERAL = 1.0  # seconds that count for what several tasks have made, or will use
SLICE = 0.03  # seconds: slices of less are done in a row, because a change of turns costs something too
log = logging.getLogger(__name__)
Made = TypeVar("Made")
Event = Literal["begun", "ended", "loading", "loaded"]
Watcher = Callable[..., object]
"""Told of an event and a task's key, or the (model, weights) being loaded; at an end, of the seconds too."""


class LocalEngine:
    """Engine in this process, with workers for its device, drawing and packing.

    Tasks wait in one queue. Equal ones are computed once; a visitor's newer task replaces an older one of the
    same lane that still waits; prefetches run when nothing urgent does. A task that comes in slices gives way
    between two of them (``viz.engine.slices``).

    With ``gives_way``, work that can wait, and loading models, leave the processor to others.
    """

    def __init__(
        self,
        load: Loader,
        *,
        device: str = "auto",
        limits: Limits | None = None,
        watched: Watcher | None = None,
        gives_way: bool = False,
    ) -> None:
        limits = limits or Limits()
        self._load, self._device, self._limits = load, device, limits
        self._watched, self._gives_way, self._purses = watched, gives_way, Purses()
        self._worker = Worker(f"layerglass-{device}", gives_way=gives_way, purses=self._purses)
        self._drawer = Worker("layerglass-drawing", gives_way=gives_way, purses=self._purses)
        self._packer = Worker("layerglass-packing", gives_way=gives_way, purses=self._purses)
        self._models = ByteCache[LoadedModel](limits.models, lambda loaded: loaded.bytes)
        self._pool = Pool(limits.kept)
        self._stages = StageShelf(self._pool)
        self._values = ByteCache[LayerValues](self._pool, lambda values: values.memory)
        self._answers = ByteCache[Any](self._pool, answer_bytes)
        self._shelves: dict[str, ByteCache[Any]] = {"answers": self._answers, "values": self._values}
        self._bench = Bench(
            loaded=self._loaded,
            captured=self._captured,
            kept=self._kept,
            answered=self._answers.get,
            remembered=self._remembered,
            limits=limits,
        )

    def do(self, task: Task[Answer_co], *, visitor: str, urgent: bool = True) -> "Future[Answer_co]":
        """See ``Engine``."""
        check_pictures(task)
        kind = kind_of(task)
        shelf = self._shelves.get(task.shelf)
        known = shelf.get(task.key) if shelf else None
        if known is not None:
            return done(known)
        if any(each.visitor != visitor for each in self._queue):
            self._purses.check(visitor, kind)
        return self._worker_for(task).submit(
            task.key,
            partial(self._work, task),
            visitor=visitor,
            lane=(visitor, task.lane, urgent),
            keep=1 if urgent else PREFETCHES_KEPT,
            urgent=urgent and not task.behind,
            kind=kind,
        )

    def _worker_for(self, task: Task[Any]) -> Worker:
        if task.apart:
            return self._packer
        return self._drawer if task.ready(self._bench) else self._worker

    def forget(self, model: str) -> None:
        """See ``ForgetfulEngine``."""
        for weights in ("pretrained", "random"):
            self._models.drop((model, weights))

    def ahead(self, visitor: str) -> int | None:
        """See ``Queue``."""
        return before(self._queue, visitor)

    @property
    def _queue(self) -> list[WaitingVisitor]:
        return [*self._worker.queue, *self._drawer.queue, *self._packer.queue]

    def state(self) -> EngineState:
        """See ``ReportingEngine``; its memory counts as that of this process."""
        workers = (self._worker, self._drawer, self._packer)
        caches = (
            _told("models", self._models),
            _told("values", self._values, shares=True),
            _told("stages", self._stages, shares=True),
            _told("answers", self._answers, shares=True),
        )
        return EngineState(
            waiting=sum(each.waiting for each in workers),
            running=sum(each.busy for each in workers),
            processes=(ProcessState("page", caches=caches),),
        )

    def limit(self, kept: int) -> None:
        """Keep at most so many bytes from now on, models not counted."""
        self._pool.resize(kept)

    def close(self) -> None:
        """Refuse the waiting tasks, and end the workers."""
        for worker in (self._worker, self._drawer, self._packer):
            worker.close()

    @contextmanager
    def _told(self, begins: Event, ends: Event, what: Hashable) -> Iterator[None]:
        """Report the begin and the end of work to the watcher."""
        if self._watched is None:
            yield
            return
        self._watched(begins, what)
        seconds = meter()
        try:
            yield
        finally:
            self._watched(ends, what, max(0.0, seconds() - self._purses.excused))

    def _work(self, task: Task[Any]) -> Any:
        seconds = meter()
        with self._told("begun", "ended", task.key), self._releasing(task):
            answer = task.work(self._bench)
        if isinstance(answer, Generator):
            return self._in_slices(task, answer)
        return self._shelved(task, answer, seconds())

    def _in_slices(self, task: Task[Any], slices: Sliced[Any]) -> Sliced[Any]:
        """Run a task's slices, short ones in one go."""
        seconds = 0.0
        try:
            while True:
                until, slice_seconds = perf_counter() + SLICE, meter()
                with self._told("begun", "ended", task.key), self._releasing(task):
                    is_over, answer = went_on(slices)
                    while not is_over and perf_counter() < until:
                        is_over, answer = went_on(slices)
                seconds += slice_seconds()
                if is_over:
                    return self._shelved(task, answer, seconds)
                yield
        finally:
            slices.close()

    def _shelved(self, task: Task[Any], answer: Any, seconds: float) -> Any:
        shelf = self._shelves.get(task.shelf)
        if shelf is None or shelf.peek(task.key) is answer:
            return answer
        return shelf.keep(task.key, answer, max(seconds, LEAST))

    @contextmanager
    def _releasing(self, task: Task[Any]) -> Iterator[None]:
        """Clear the caches if memory is refused, and raise that error."""
        try:
            yield
        except BaseException as error:
            refused = refused_memory(error)
            if refused is None:
                raise
            log.warning("memory was refused to %s: %s", type(task).__name__, error)
        else:
            return
        for kept in (self._models, self._values, self._stages, self._answers):
            kept.clear()
        raise refused

    def _remembered(self, key: Hashable, work: Callable[[], Any]) -> Any:
        kept = self._answers.get(key)
        return self._answers.keep(key, work(), SEVERAL) if kept is None else kept

    def _kept(self, wanted: Inspection) -> LayerValues | None:
        return self._values.get(wanted.place)

    def _loaded(self, model: str, weights: str) -> LoadedModel:
        key = (model, weights)
        loaded = self._models.get(key)
        if loaded is None:
            seconds = meter()
            with self._told("loading", "loaded", key):
                loaded = self._apart(partial(self._made, model, weights))
            self._purses.excuse(seconds())  # all who come later have it, too
            self._models.keep(key, loaded)
            loaded.check_looking(inputs=False, gradients=False)  # it is known
        return loaded

    def _made(self, model: str, weights: str) -> LoadedModel:
        subject = self._load(model, weights)
        layers = LayerActivations(subject.module, device=self._device, repeatable=True)
        return loaded_model(subject, layers, self._stages)

    def _apart(self, work: Callable[[], Made]) -> Made:
        """Do work, in a low-priority thread if this engine gives way."""
        if not self._gives_way:
            return work()
        with ThreadPoolExecutor(1, "layerglass-loading", lower_priority) as thread:
            return thread.submit(work).result()

    def _captured(self, wanted: Inspection, photo: Photo, *, whole: bool) -> LayerValues:
        """Return a layer's values; a cheap ``whole`` pass records all layers."""
        kept = self._kept(wanted)
        if kept is not None:
            return kept
        loaded, seconds = self._loaded(wanted.model, wanted.weights), meter()
        found = self._found(loaded, wanted, photo, whole=whole)
        taken = seconds()
        for layer, values in found.items():
            one = replace(wanted, layer=layer)
            again = loaded.seconds_to(one, photo, otherwise=taken)
            self._values.keep(one.place, values, max(again, LEAST))
        return found[wanted.layer]

    def _found(
        self, loaded: LoadedModel, wanted: Inspection, photo: Photo, *, whole: bool
    ) -> dict[str, LayerValues]:
        """Return the values of a layer and of others in its pass."""
        if wanted.show == "difference":
            after, before = replace(wanted, show="after"), replace(wanted, show="before")
            both = (self._captured(each, photo, whole=whole) for each in (after, before))
            return {wanted.layer: difference(*both)}
        row = loaded.row(wanted.layer)
        graph = 0 if wanted.gradient is None else GRAPH * loaded.output_bytes
        check_cost(wanted.layer, graph + (layer_cost(row) if row else 0), self._limits)
        whole = whole and loaded.output_bytes <= self._limits.whole_pass
        return one_pass(loaded, wanted, photo, whole=whole)


def _told(name: str, cache: ByteCache[Any] | StageShelf, *, shares: bool = False) -> CacheState:
    return CacheState(name, cache.bytes, cache.limit, cache.hits, cache.misses, shares)
