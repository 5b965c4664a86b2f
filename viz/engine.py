"""The engine: one worker owns a device's models; what was computed is kept, within bounds."""

import io
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from viz.activations import LayerActivations
from viz.cache import ByteCache
from viz.cost import layer_cost, megabytes, output_bytes, pass_cost
from viz.drawing import draw_view
from viz.errors import CallError, RequestError, TooLargeError
from viz.forward import LayerValues, capture, capture_operation, predict, survey_subject
from viz.functional import is_operation
from viz.inspection import Inspection, LayerView, Prediction
from viz.overview import Thumbnail, thumbnail
from viz.subject import Loader, Photo, Subject
from viz.tree import LayerRow
from viz.worker import Worker

PREFETCHES_KEPT = 8
NUMBER = 36  # bytes of a Python number and of its place in a tuple
NUMBERS_PER_CHANNEL = 8  # five statistics, the two ends of its colours, and its place


@dataclass(frozen=True)
class Limits:
    """How much an engine keeps, in bytes; the least recently used goes first."""

    models: int = 4 << 30
    values: int = 1 << 30
    views: int = 256 << 20
    # A pass that records every layer is worth it only while all of it is a small share of the cache.
    whole_pass: int = 256 << 20
    # What one request may take while it is answered; more is refused.
    capture: int = 8 << 30


class Engine(Protocol):
    """What the page needs of an engine, wherever it runs. Every answer is a future of plain values."""

    def survey(self, model: str, weights: str, *, visitor: str) -> "Future[tuple[LayerRow, ...]]":
        """Every layer and operation of a model, with the shapes that one forward pass gave."""

    def predict(self, photo: Photo, model: str, weights: str, *, visitor: str) -> "Future[Prediction]":
        """The most probable classes of a picture."""

    def seen(self, photo: Photo, model: str, weights: str, *, visitor: str) -> "Future[bytes]":
        """The picture after the model's preprocessing, as PNG."""

    def view(
        self, wanted: Inspection, photo: Photo, *, visitor: str, urgent: bool = True
    ) -> "Future[LayerView]":
        """One layer, ready to be drawn."""

    def values(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[LayerValues]":
        """One layer's arrays, every call of it."""

    def overview(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[tuple[Thumbnail, ...]]":
        """Every layer that ran in small, in execution order."""


@dataclass(frozen=True)
class _Loaded:
    subject: Subject
    layers: LayerActivations
    rows: tuple[LayerRow, ...]

    @property
    def bytes(self) -> int:
        return self.layers.parameter_bytes or 1

    @property
    def output_bytes(self) -> int:
        """About how much all outputs of one pass take, as float32."""
        return sum(output_bytes(row) for row in self.rows if not is_operation(row.name))

    def in_passes(self, budget: int) -> list[list[str]]:
        """The layers that ran, in execution order, in groups whose outputs fit into so many bytes."""
        passes: list[list[str]] = [[]]
        taken = 0
        for row in sorted(
            (row for row in self.rows if row.calls and not is_operation(row.name)),
            key=lambda row: row.order or 0,
        ):
            size = output_bytes(row)
            if passes[-1] and taken + size > budget:
                passes.append([])
                taken = 0
            passes[-1].append(row.name)
            taken += size
        return passes

    def row(self, layer: str) -> LayerRow | None:
        return next((row for row in self.rows if layer == row.name or layer in row.aliases), None)

    def calls(self, layer: str) -> int:
        row = self.row(layer)
        return row.calls if row else 0


class LocalEngine:
    """An engine in this process: one worker thread, one device.

    Requests wait in one queue. Equal requests are computed once; a visitor's newer view takes the place of
    the older one that still waits; prefetches run when nothing urgent does.
    """

    def __init__(self, load: Loader, *, device: str = "auto", limits: Limits | None = None) -> None:
        limits = limits or Limits()
        self._load, self._device, self._limits = load, device, limits
        self._worker = Worker(f"layerglass-{device}")
        self._models = ByteCache[_Loaded](limits.models, lambda loaded: loaded.bytes)
        self._values = ByteCache[LayerValues](limits.values, lambda values: values.bytes)
        self._answers = ByteCache[Any](limits.views, answer_bytes)

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

        def work() -> LayerView:
            return draw_view(self._captured(wanted, photo, whole=not urgent), wanted)

        lane, keep = (visitor, urgent), 1 if urgent else PREFETCHES_KEPT
        return self._ask(wanted, work, lane=lane, keep=keep, urgent=urgent)

    def values(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[LayerValues]":
        """See ``Engine``."""
        _check_picture(wanted, photo)
        kept = self._values.get(_place(wanted, wanted.layer))
        if kept is not None:
            return _done(kept)

        def work() -> LayerValues:
            return self._captured(wanted, photo, whole=False)

        return self._worker.submit(("values", *_place(wanted, wanted.layer)), work, lane=(visitor, "values"))

    def overview(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[tuple[Thumbnail, ...]]":
        """See ``Engine``."""
        _check_picture(wanted, photo)
        key = ("overview", *wanted.run)

        def work() -> tuple[Thumbnail, ...]:
            loaded = self._loaded(wanted.model, wanted.weights)
            at_once = self._limits.whole_pass
            _check_cost("all layers", pass_cost(loaded.rows, at_once), self._limits)
            thumbs: list[Thumbnail] = []
            for names in loaded.in_passes(at_once):
                found = capture(loaded.layers, loaded.subject, photo, names)
                plain = Inspection(*wanted.run, layer="")
                thumbs += [thumbnail(found[name], plain) for name in names]
            return tuple(thumbs)

        return self._ask(key, work, lane=(visitor, "overview"))

    def close(self) -> None:
        """Refuse what waits, and end the worker."""
        self._worker.close()

    def _ask(self, key: Hashable, work: Callable[[], Any], **queueing: Any) -> "Future[Any]":
        """The answer that is kept, or a place in the queue."""
        kept = self._answers.get(key)
        if kept is not None:
            return _done(kept)
        return self._worker.submit(key, lambda: self._answers.keep(key, work()), **queueing)

    def _loaded(self, model: str, weights: str) -> _Loaded:
        key = (model, weights)
        loaded = self._models.get(key)
        if loaded is None:
            subject = self._load(model, weights)
            layers = LayerActivations(subject.module, device=self._device)
            loaded = _Loaded(subject, layers, survey_subject(layers, subject, operations=True))
            self._models.keep(key, loaded)
        return loaded

    def _captured(self, wanted: Inspection, photo: Photo, *, whole: bool) -> LayerValues:
        """One layer's values; a prefetch records the whole pass where that is cheap."""
        kept = self._values.get(_place(wanted, wanted.layer))
        if kept is not None:
            return kept
        loaded = self._loaded(wanted.model, wanted.weights)
        row = loaded.row(wanted.layer)
        _check_cost(wanted.layer, layer_cost(row) if row else 0, self._limits)
        if is_operation(wanted.layer):
            values = capture_operation(loaded.layers, loaded.subject, photo, wanted.layer)
            return self._values.keep(_place(wanted, wanted.layer), values)
        name = loaded.layers.select(wanted.layer)[0]
        whole = whole and not wanted.of_inputs and loaded.output_bytes <= self._limits.whole_pass
        names = dict.fromkeys((*loaded.layers.select(), name)) if whole else (name,)
        calls = loaded.calls(name)
        until = None if whole or not calls else (name, calls - 1)
        found = _capture(loaded, photo, names, until, inputs=wanted.of_inputs)
        for layer, values in found.items():
            self._values.keep(_place(wanted, layer), values)
        return found[name]


def _capture(
    loaded: _Loaded, photo: Photo, names: Iterable[str], until: tuple[str, int] | None, *, inputs: bool
) -> dict[str, LayerValues]:
    """One pass up to the last call that the survey saw; to the end where this picture makes fewer calls."""
    try:
        return capture(loaded.layers, loaded.subject, photo, names, until, inputs=inputs)
    except CallError:
        return capture(loaded.layers, loaded.subject, photo, names, inputs=inputs)


def _done(answer: Any) -> "Future[Any]":
    future: Future[Any] = Future()
    future.set_result(answer)
    return future


def _check_picture(wanted: Inspection, photo: Photo) -> None:
    """Refuse a request under another picture's name: its answer would be kept, and given out, as that one's.

    Raises:
        RequestError: the request is not about this picture.
    """
    if wanted.image != photo.fingerprint:
        raise RequestError("this request is about another picture than the one that came with it.")


def _check_cost(what: str, cost: int, limits: Limits) -> None:
    """Refuse what would take more memory than one request may.

    Raises:
        TooLargeError: it would.
    """
    if cost > limits.capture:
        raise TooLargeError(
            f"{what} would take about {megabytes(cost)} MB of memory, more than the "
            f"{megabytes(limits.capture)} MB that one request may take here; choose a smaller layer or model."
        )


def _place(wanted: Inspection, layer: str) -> tuple[Hashable, ...]:
    """Where a layer's values of this pass are kept; those with inputs stand apart, for they are larger."""
    return (*wanted.run, layer, wanted.of_inputs)


def answer_bytes(answer: Any) -> int:
    """About how much memory an answer takes."""
    if isinstance(answer, LayerView):
        return len(answer.png) + 4000 + NUMBER * NUMBERS_PER_CHANNEL * answer.geometry.channels
    if isinstance(answer, tuple):
        return sum(part.map.nbytes + 500 if isinstance(part, Thumbnail) else 500 for part in answer)
    return len(answer) if isinstance(answer, bytes) else 10_000
