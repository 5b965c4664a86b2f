"""What an engine can be asked about the hooks of a pass: its timeline, and what became of a layer's value."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.limits import check_cost
from ..engine.task import Bench, OnePicture
from ..passes.forward import input_size
from ..profile.cost import CAPTURED, GRAPH, output_bytes
from ..profile.event import Event
from ..profile.events import timeline
from ..profile.memory import WAYS, memory_report, written_layers
from ..request.arrangement import first_known
from .memory_pictures import MemoryPictures, memory_pictures


@dataclass(frozen=True)
class TimelineTask(OnePicture):
    """Every hook of one pass in firing order; with a class also those of the backward pass from its score."""

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``: the layer does not matter."""
        return ("timeline", *self.wanted.run, self.wanted.gradient)

    def work(self, bench: Bench) -> tuple[Event, ...]:
        """See ``viz.engine.task.Task``; ``viz.profile.events`` says what may be raised.

        Raises:
            TooLargeError: the pass would take more memory than a request may.
        """
        wanted = self.wanted
        loaded = bench.loaded(wanted.model, wanted.weights)
        times = 1 if wanted.gradient is None else GRAPH
        check_cost("the timeline", times * loaded.output_bytes, bench.limits)
        with loaded.as_wanted(wanted, self.photo):
            arguments = loaded.subject.arguments(self.photo.image)
            return timeline(loaded.layers, *arguments, target=wanted.gradient)


@dataclass(frozen=True)
class WrittenTask(OnePicture):
    """The layers of a model whose memory later operations write into."""

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``: the layer does not matter."""
        return ("written", *self.wanted.forward.run)

    def work(self, bench: Bench) -> tuple[str, ...]:
        """See ``viz.engine.task.Task``; nothing if holding every output would take too much memory."""
        loaded = bench.loaded(self.wanted.model, self.wanted.weights)
        if loaded.output_bytes > bench.limits.whole_pass:
            return ()
        with loaded.as_wanted(self.wanted.forward, self.photo):
            return written_layers(loaded.layers, *loaded.subject.arguments(self.photo.image))


@dataclass(frozen=True)
class MemoryTask(OnePicture):
    """What became of one call's value after its hook, as pictures."""

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        return ("memory", *self.wanted.forward.run, self.wanted.layer, self.wanted.call)

    def work(self, bench: Bench) -> MemoryPictures:
        """See ``viz.engine.task.Task``; ``viz.profile.memory`` says what may be raised.

        Raises:
            LayoutError: the value cannot be drawn as maps.
            TooLargeError: it would take more memory than a request may.
        """
        wanted = self.wanted
        loaded = bench.loaded(wanted.model, wanted.weights)
        row = loaded.row(wanted.layer)
        cost = (CAPTURED + len(WAYS)) * (output_bytes(row) if row else 0)
        check_cost(wanted.layer, cost, bench.limits)
        first = first_known(loaded.known(self.photo), wanted.layer, wanted.call)
        with loaded.as_wanted(wanted.forward, self.photo):
            arguments = loaded.subject.arguments(self.photo.image)
            report = memory_report(loaded.layers, wanted.layer, *arguments, call=wanted.call)
        kind = loaded.layers.kind(wanted.layer)
        return memory_pictures(report, layer_type=kind, image_size=input_size(arguments), arrangement=first)
