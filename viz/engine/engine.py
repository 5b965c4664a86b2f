"""The engine: one worker owns a device's models; what was computed is kept, within bounds."""

import io
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

from viz.cache import ByteCache
from viz.engine.engine_protocol import Engine
from viz.engine.limits import Limits, answer_bytes, check_cost
from viz.engine.task import Bench, Task
from viz.engine.worker import Worker, done
from viz.errors import RequestError
from viz.hooks.activations import LayerActivations
from viz.number.closeup import CloseUp, Place
from viz.number.taken_apart import FilterView, channel_filter, one_number
from viz.passes.ablation import AblationPart, AblationPlan, plan_ablation, scores_without
from viz.passes.attribution import saliency
from viz.passes.comparison import GuessChange, difference, guess_changes
from viz.passes.forward import LayerValues, predict, probabilities, survey_subject
from viz.passes.gradcam import saliency_picture
from viz.passes.loaded import Loaded, one_pass
from viz.pictures.subject import Loader, Photo
from viz.profile.cost import GRAPH, layer_cost
from viz.profile.tree import LayerRow
from viz.request.inspection import Inspection, LayerView, Prediction
from viz.views.all_layers import all_layers
from viz.views.drawing import Range, draw_view
from viz.views.live import LiveFrame, LiveLayers, live_frame, live_layers
from viz.views.model_range import ModelRange
from viz.views.overview import Thumbnail

__all__ = ["Engine", "LocalEngine"]

PREFETCHES_KEPT = 8
AT_ONCE = 256 << 20  # bytes that one layer's output may take in a batch of an ablation


class LocalEngine:
    """An engine in this process: one worker thread for its device, and one that draws.

    Requests wait in one queue. Equal requests are computed once; a visitor's newer view takes the place of
    the older one that still waits; prefetches run when nothing urgent does.
    """

    def __init__(self, load: Loader, *, device: str = "auto", limits: Limits | None = None) -> None:
        limits = limits or Limits()
        self._load, self._device, self._limits = load, device, limits
        self._worker = Worker(f"layerglass-{device}")
        self._drawer = Worker("layerglass-drawing")
        self._models = ByteCache[Loaded](limits.models, lambda loaded: loaded.bytes)
        self._values = ByteCache[LayerValues](limits.values, lambda values: values.bytes)
        self._answers = ByteCache[Any](limits.views, answer_bytes)
        self._bench = Bench(self._loaded, self._captured, self._kept, self._remembered, limits)

    def survey(self, model: str, weights: str, *, visitor: str) -> "Future[tuple[LayerRow, ...]]":
        """See ``Engine``."""
        return self._ask(
            ("survey", model, weights), lambda: self._loaded(model, weights).rows, lane=(visitor, "survey")
        )

    def predict(self, photo: Photo, model: str, weights: str, *, visitor: str) -> "Future[Prediction]":
        """See ``Engine``."""

        def work() -> Prediction:
            loaded = self._loaded(model, weights)
            return predict(loaded.layers, loaded.subject, photo)

        return self._ask(("predict", photo.fingerprint, model, weights), work, lane=(visitor, "predict"))

    def changes(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[tuple[GuessChange, ...]]":
        """See ``Engine``."""
        _check_picture(wanted, photo)

        def work() -> tuple[GuessChange, ...]:
            loaded = self._loaded(wanted.model, wanted.weights)
            before = probabilities(loaded.layers, loaded.subject, photo)
            with loaded.edited(photo, wanted.forward.in_force):
                after = probabilities(loaded.layers, loaded.subject, photo)
            if before is None or after is None:
                return ()
            return guess_changes(before, after, loaded.subject.classes)

        return self._ask(("changes", *wanted.forward.run), work, lane=(visitor, "changes"))

    def ablation(
        self, wanted: Inspection, photo: Photo, channels: range, *, visitor: str
    ) -> "Future[AblationPart]":
        """See ``Engine``."""
        _check_picture(wanted, photo)
        wanted = wanted.forward
        place = ("ablation", *wanted.run, wanted.layer, wanted.call)

        def work() -> AblationPart:
            loaded = self._loaded(wanted.model, wanted.weights)
            arguments = loaded.subject.arguments(photo.image)
            with loaded.edited(photo, wanted.in_force):
                plan: AblationPlan | None = self._answers.get(place)
                if plan is None:
                    plan = self._answers.keep(place, _plan(loaded, wanted, arguments))
                return scores_without(loaded.layers, arguments, plan, channels[: loaded.at_once(AT_ONCE)])

        return self._ask((*place, channels), work, lane=(visitor, "ablation"), urgent=False)

    def seen(self, photo: Photo, model: str, weights: str, *, visitor: str) -> "Future[bytes]":
        """See ``Engine``."""

        def work() -> bytes:
            subject, buffer = self._loaded(model, weights).subject, io.BytesIO()
            subject.as_seen(subject.prepare(photo.image)).save(buffer, "PNG", compress_level=1)
            return buffer.getvalue()

        return self._ask(("seen", photo.fingerprint, model, weights), work, lane=(visitor, "seen"))

    def view(
        self, wanted: Inspection, photo: Photo, *, visitor: str, urgent: bool = True
    ) -> "Future[LayerView]":
        """See ``Engine``."""
        _check_picture(wanted, photo)
        whole_model = ModelRange(wanted, photo) if wanted.scale == "model" else None

        def work() -> LayerView:
            limits = whole_model.work(self._bench) if whole_model else None
            return draw_view(self._captured(wanted, photo, whole=not urgent), wanted, limits)

        # What is captured already only needs drawing: it does not wait behind anybody's forward pass.
        measured = whole_model is None or self._answers.get(whole_model.key) is not None
        captured = self._kept(wanted) is not None and measured
        worker, keep = self._drawer if captured else self._worker, 1 if urgent else PREFETCHES_KEPT
        return self._ask(wanted, work, worker=worker, lane=(visitor, urgent), keep=keep, urgent=urgent)

    def live(
        self, wanted: Inspection, photo: Photo, *, visitor: str, limits: Range | None = None, channel: int = 0
    ) -> "Future[LiveFrame]":
        """See ``Engine``. A newer frame of the visitor takes the place of one that waits."""
        _check_picture(wanted, photo)

        def work() -> LiveFrame:
            loaded = self._loaded(wanted.model, wanted.weights)
            row = loaded.row(wanted.layer)
            check_cost(wanted.layer, layer_cost(row) if row else 0, self._limits)
            return live_frame(loaded, wanted, photo, limits, channel)

        key = ("live", wanted, limits, channel)
        return self._worker.submit(key, work, lane=(visitor, "live"), urgent=False)

    def live_layers(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[LiveLayers]":
        """See ``Engine``. It waits in the place of ``live``: a page shows one of them."""
        _check_picture(wanted, photo)

        def work() -> LiveLayers:
            return live_layers(self._loaded(wanted.model, wanted.weights), wanted, photo, self._limits)

        key = ("live layers", wanted)
        return self._worker.submit(key, work, lane=(visitor, "live"), urgent=False)

    def values(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[LayerValues]":
        """See ``Engine``."""
        _check_picture(wanted, photo)
        kept = self._kept(wanted)
        if kept is not None:
            return done(kept)
        work = partial(self._captured, wanted, photo, whole=False)
        return self._worker.submit(("values", *_place(wanted, wanted.layer)), work, lane=(visitor, "values"))

    def saliency(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[bytes]":
        """See ``Engine``."""
        _check_picture(wanted, photo)
        target = wanted.gradient or 0
        wanted = replace(wanted, gradient=target)

        def work() -> bytes:
            loaded = self._loaded(wanted.model, wanted.weights)
            check_cost("saliency", GRAPH * loaded.output_bytes, self._limits)
            with loaded.edited(photo, wanted.in_force):
                return saliency_picture(saliency(loaded.layers, loaded.subject, photo, target)).png

        return self._ask(("saliency", *wanted.run, target), work, lane=(visitor, "saliency"))

    def overview(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[tuple[Thumbnail, ...]]":
        """See ``Engine``."""
        _check_picture(wanted, photo)

        def work() -> tuple[Thumbnail, ...]:
            return all_layers(self._loaded(wanted.model, wanted.weights), wanted, photo, self._limits)

        return self._ask(("overview", *wanted.forward.run), work, lane=(visitor, "overview"))

    def close_up(
        self, wanted: Inspection, photo: Photo, place: Place, *, visitor: str, channel: int | None = None
    ) -> "Future[CloseUp]":
        """See ``Engine``."""
        _check_picture(wanted, photo)

        def work() -> CloseUp:
            loaded = self._loaded(wanted.model, wanted.weights)
            row = loaded.row(wanted.layer)
            check_cost(wanted.layer, layer_cost(row) if row else 0, self._limits)
            return one_number(loaded, wanted, photo, place, channel, self._answers)

        return self._ask(("number", wanted, place, channel), work, lane=(visitor, "number"))

    def filters(
        self, wanted: Inspection, photo: Photo, channel: int, *, visitor: str
    ) -> "Future[FilterView]":
        """See ``Engine``."""
        _check_picture(wanted, photo)

        def work() -> FilterView:
            values = self._captured(wanted, photo, whole=False)
            return channel_filter(self._loaded(wanted.model, wanted.weights), values, wanted, channel)

        return self._ask(("filter", wanted, channel), work, lane=(visitor, "filter"))

    def do(self, task: Task, *, visitor: str, urgent: bool = True) -> "Future[Any]":
        """See ``Engine``."""
        for wanted, photo in task.pictures:
            _check_picture(wanted, photo)
        worker = self._drawer if task.ready(self._bench) else self._worker
        lane, keep = (visitor, type(task).__name__, urgent), 1 if urgent else PREFETCHES_KEPT
        work = partial(task.work, self._bench)
        return self._ask(task.key, work, worker, lane=lane, keep=keep, urgent=urgent)

    def close(self) -> None:
        """Refuse what waits, and end the workers."""
        self._worker.close()
        self._drawer.close()

    def _ask(
        self, key: Hashable, work: Callable[[], Any], worker: Worker | None = None, **queueing: Any
    ) -> "Future[Any]":
        """The answer that is kept, or a place in the queue."""
        kept = self._answers.get(key)
        if kept is not None:
            return done(kept)
        return (worker or self._worker).submit(key, lambda: self._answers.keep(key, work()), **queueing)

    def _remembered(self, key: Hashable, work: Callable[[], Any]) -> Any:
        kept = self._answers.get(key)
        return self._answers.keep(key, work()) if kept is None else kept

    def _kept(self, wanted: Inspection) -> LayerValues | None:
        return self._values.get(_place(wanted, wanted.layer))

    def _loaded(self, model: str, weights: str) -> Loaded:
        key = (model, weights)
        loaded = self._models.get(key)
        if loaded is None:
            subject = self._load(model, weights)
            layers = LayerActivations(subject.module, device=self._device)
            loaded = Loaded(subject, layers, survey_subject(layers, subject, operations=True))
            self._models.keep(key, loaded)
        return loaded

    def _captured(self, wanted: Inspection, photo: Photo, *, whole: bool) -> LayerValues:
        """One layer's values; a prefetch records the whole pass where that is cheap."""
        kept = self._kept(wanted)
        if kept is not None:
            return kept
        if wanted.show == "difference":
            after, before = replace(wanted, show="after"), replace(wanted, show="before")
            both = (self._captured(each, photo, whole=whole) for each in (after, before))
            return self._values.keep(_place(wanted, wanted.layer), difference(*both))
        loaded = self._loaded(wanted.model, wanted.weights)
        row = loaded.row(wanted.layer)
        graph = 0 if wanted.gradient is None else GRAPH * loaded.output_bytes
        check_cost(wanted.layer, graph + (layer_cost(row) if row else 0), self._limits)
        whole = whole and loaded.output_bytes <= self._limits.whole_pass
        found = one_pass(loaded, wanted, photo, whole=whole)
        for layer, values in found.items():
            self._values.keep(_place(wanted, layer), values)
        return found[wanted.layer]


def _plan(loaded: Loaded, wanted: Inspection, arguments: tuple[Any, ...]) -> AblationPlan:
    """How the layer of a request is ablated; noise is drawn for one picture, so it allows no batches."""
    noisy = any(edit.kind == "noise" for edit in wanted.in_force)
    return plan_ablation(loaded.layers, arguments, wanted.layer, wanted.call, batches=not noisy)


def _check_picture(wanted: Inspection, photo: Photo) -> None:
    """Refuse a request under another picture's name: its answer would be kept, and given out, as that one's.

    Raises:
        RequestError: the request is not about this picture.
    """
    if wanted.image != photo.fingerprint:
        raise RequestError("this request is about another picture than the one that came with it.")


def _place(wanted: Inspection, layer: str) -> tuple[Hashable, ...]:
    """Where a layer's values of this pass are kept; those with inputs stand apart, for they are larger."""
    return (*wanted.run, layer, wanted.of_inputs, wanted.gradient, wanted.show == "difference")
