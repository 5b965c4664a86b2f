"""The engine: one worker owns a device's models; answers are kept, within bounds."""

from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from ..cache import ByteCache
from ..hooks.activations import LayerActivations
from ..passes.edit_effects import difference
from ..passes.forward import LayerValues
from ..passes.loaded import Loaded, loaded_model, one_pass
from ..pictures.photo import Photo
from ..pictures.subject import Loader
from ..profile.cost import GRAPH, layer_cost
from ..request.inspection import Inspection
from .engine_protocol import Engine
from .engine_state import CacheState, EngineState, ProcessState
from .limits import Limits, answer_bytes, check_cost
from .task import Answer_co, Bench, Task, check_pictures
from .worker import Worker, done

__all__ = ["Engine", "LocalEngine"]

PREFETCHES_KEPT = 8
Event = Literal["begun", "ended", "loading", "loaded"]
Watcher = Callable[[Event, Hashable], object]
"""Told when work on a task's key begins and ends, and when a (model, weights) is being loaded."""


class LocalEngine:
    """An engine in this process: one worker thread for its device, and one that draws.

    Tasks wait in one queue. Equal ones are computed once; a visitor's newer task replaces an older one of the
    same lane that still waits; prefetches run when nothing urgent does.
    """

    def __init__(
        self,
        load: Loader,
        *,
        device: str = "auto",
        limits: Limits | None = None,
        watched: Watcher | None = None,
    ) -> None:
        limits = limits or Limits()
        self._load, self._device, self._limits = load, device, limits
        self._watched = watched
        self._worker = Worker(f"layerglass-{device}")
        self._drawer = Worker("layerglass-drawing")
        self._models = ByteCache[Loaded](limits.models, lambda loaded: loaded.bytes)
        self._values = ByteCache[LayerValues](limits.values, lambda values: values.bytes)
        self._answers = ByteCache[Any](limits.views, answer_bytes)
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
        shelf = self._shelves.get(task.shelf)
        known = shelf.get(task.key) if shelf else None
        if known is not None:
            return done(known)
        worker = self._drawer if task.ready(self._bench) else self._worker
        return worker.submit(
            task.key,
            partial(self._work, task),
            visitor=visitor,
            lane=(visitor, task.lane, urgent),
            keep=1 if urgent else PREFETCHES_KEPT,
            urgent=urgent and not task.behind,
        )

    def state(self) -> EngineState:
        """See ``Telling``; the memory is that of the process in which the engine is."""
        workers = (self._worker, self._drawer)
        caches = (
            _told("models", self._models),
            _told("values", self._values),
            _told("answers", self._answers),
        )
        return EngineState(
            waiting=sum(each.waiting for each in workers),
            running=sum(each.busy for each in workers),
            processes=(ProcessState("page", caches=caches),),
        )

    def close(self) -> None:
        """Refuse the waiting tasks, and end the workers."""
        self._worker.close()
        self._drawer.close()

    @contextmanager
    def _told(self, begins: Event, ends: Event, what: Hashable) -> Iterator[None]:
        """Tell whoever watches that something begins, and that it has ended, however it did."""
        if self._watched is None:
            yield
            return
        self._watched(begins, what)
        try:
            yield
        finally:
            self._watched(ends, what)

    def _work(self, task: Task[Any]) -> Any:
        with self._told("begun", "ended", task.key):
            answer = task.work(self._bench)
        shelf = self._shelves.get(task.shelf)
        return shelf.keep(task.key, answer) if shelf else answer

    def _remembered(self, key: Hashable, work: Callable[[], Any]) -> Any:
        kept = self._answers.get(key)
        return self._answers.keep(key, work()) if kept is None else kept

    def _kept(self, wanted: Inspection) -> LayerValues | None:
        return self._values.get(wanted.place)

    def _loaded(self, model: str, weights: str) -> Loaded:
        key = (model, weights)
        loaded = self._models.get(key)
        if loaded is None:
            with self._told("loading", "loaded", key):
                subject = self._load(model, weights)
                layers = LayerActivations(subject.module, device=self._device)
                loaded = loaded_model(subject, layers)
            self._models.keep(key, loaded)
            loaded.check_looking(inputs=False, gradients=False)
        return loaded

    def _captured(self, wanted: Inspection, photo: Photo, *, whole: bool) -> LayerValues:
        """One layer's values; a prefetch records every layer in its pass, if that is cheap."""
        kept = self._kept(wanted)
        if kept is not None:
            return kept
        if wanted.show == "difference":
            after, before = replace(wanted, show="after"), replace(wanted, show="before")
            both = (self._captured(each, photo, whole=whole) for each in (after, before))
            return self._values.keep(wanted.place, difference(*both))
        loaded = self._loaded(wanted.model, wanted.weights)
        row = loaded.row(wanted.layer)
        graph = 0 if wanted.gradient is None else GRAPH * loaded.output_bytes
        check_cost(wanted.layer, graph + (layer_cost(row) if row else 0), self._limits)
        whole = whole and loaded.output_bytes <= self._limits.whole_pass
        found = one_pass(loaded, wanted, photo, whole=whole)
        for layer, values in found.items():
            self._values.keep(replace(wanted, layer=layer).place, values)
        return found[wanted.layer]


def _told(name: str, cache: ByteCache[Any]) -> CacheState:
    return CacheState(name, cache.bytes, cache.limit, cache.hits, cache.misses)
