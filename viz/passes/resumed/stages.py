"""Layers whose outputs are worth keeping, and ways from them."""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...layer_names import calling_layer
from .timeline import Span

PARTS = 10  # of a pass, each with a stage: the wanted layer is less than two of them away from the last stage


class Way(NamedTuple):
    """Way of a pass that goes on from the middle.

    Attributes:
        stage: the layer behind which it begins.
        kept: the layers up to there that return their kept outputs; the others return shapes alone.
        layer: the one with which it ends.
        edited: whether layers between are edited.
    """

    stage: str
    kept: frozenset[str]
    layer: str
    edited: bool

    @property
    def kind(self) -> tuple[str, bool]:
        """Its stage, and whether only that is kept."""
        return self.stage, len(self.kept) == 1


@dataclass(eq=False)
class Stages:
    """The stages of a model for one size of its input.

    Attributes:
        spans: when each layer runs.
        names: the stages, in the order in which they end.
        zeros: the model's arguments, of this size and without anything of a picture.
        proven: ways on which a pass has once been the same as a whole one.
        refused: ways on which it has not; and kinds of ways on which it never was.
        shown: stages for which all layers behind have been tried at once.
        seconds: that a whole pass takes: the least that was seen.
    """

    spans: Mapping[str, Span]
    names: tuple[str, ...]
    zeros: tuple[Any, ...] = ()
    proven: set[Way] = field(default_factory=set)
    refused: set[Way | tuple[str, bool]] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    seconds: float = math.inf

    def way(self, layer: str, edited: Collection[str], kept: Collection[str]) -> Way | None:
        """The shortest way to a layer from kept stages, or None.

        Its stage has ended before the layer begins, or is the layer itself, and before any edited layer
        begins. An operation begins with the layer whose code calls it. It is enough for most models to keep
        the stage alone; others read what went past it.
        """
        if any(self.span(name) is None for name in (layer, *edited)):
            return None
        stages = self._before(layer, edited, kept)
        ways = (way for stage in stages for way in self._from(stage, layer, edited, kept))
        return next((way for way in ways if not {way, way.kind} & self.refused), None)

    def span(self, name: str) -> Span | None:
        """Return the span of a layer's run, or of an operation's layer."""
        return self.spans.get(calling_layer(name))

    def saves(self, stage: str) -> float:
        """The share of a pass's calls that have ended with a stage."""
        return self.spans[stage].leaves / max(span.leaves for span in self.spans.values())

    def share_to(self, layer: str) -> float:
        """The share of calls from the last stage to a layer's end.

        At least one call counts.
        """
        before = [self.spans[name].leaves for name in self._before(layer, (), self.names)]
        done, most = self.spans[calling_layer(layer)].leaves, max(span.leaves for span in self.spans.values())
        return max(1, done - max(before, default=0)) / most

    def over_at(self, stage: str) -> list[str]:
        """The layers that have ended with the stage, itself included."""
        return [name for name, span in self.spans.items() if span.ended <= self.spans[stage].ended]

    def behind(self, stage: str) -> list[str]:
        """The stage itself, and the layers that begin once it has ended."""
        ended = self.spans[stage].ended
        return [name for name, span in self.spans.items() if name == stage or span.begun > ended]

    def check_shapes(self, seen: Mapping[str, tuple[int, ...] | None]) -> None:
        """Forget shapes that depend on the picture, and proofs by them."""
        for name, shape in seen.items():
            like = self.spans[name].like
            if like is not None and tuple(like.shape) != shape:
                self.spans[name].like = None
                self.proven.clear()

    def refuse(self, way: Way) -> None:
        """Give up a way, or its kind if that never worked."""
        has_worked = any(way.kind == other.kind for other in self.proven)
        self.refused.add(way if has_worked else way.kind)

    def _before(self, layer: str, edited: Collection[str], kept: Collection[str]) -> Iterator[str]:
        """The kept stages that have ended by then, the last one first."""
        begins = self.spans[calling_layer(layer)].begun
        edits = [self.spans[calling_layer(each)].begun for each in edited]
        for name in reversed(self.names):
            ended = self.spans[name].ended
            has_ended = name == layer or ended < begins
            if name in kept and has_ended and all(ended < begun for begun in edits):
                yield name

    def _from(self, stage: str, layer: str, edited: Collection[str], kept: Collection[str]) -> Iterator[Way]:
        """The ways from a stage: alone, then with all that is kept."""
        yield Way(stage, frozenset([stage]), layer, bool(edited))
        known = frozenset(name for name in self.over_at(stage) if name in kept)
        if len(known) > 1:
            yield Way(stage, known, layer, bool(edited))


def chosen(spans: Mapping[str, Span], zeros: tuple[Any, ...] = ()) -> Stages:
    """The stages: the best layer of each of a pass's ``PARTS``.

    Each part has about as many calls. Only a layer that runs once and returns one plain tensor will do. The
    outermost are best: inside a block, what goes past a layer would be missing. Among them it is the one that
    returns the fewest bytes, and then the last one, whose output nothing in between writes into.
    """
    last = max((span.leaves for span in spans.values()), default=0)
    best: dict[int, tuple[tuple[int, int, int], str]] = {}
    for name, span in spans.items():
        if span.like is None or span.calls > 1 or span.leaves == last:
            continue
        part, rank = (span.leaves - 1) * PARTS // last, (span.depth, span.like.nbytes, -span.ended)
        best[part] = min(best.get(part, (rank, name)), (rank, name))
    return Stages(spans, tuple(best[part][1] for part in sorted(best)), zeros)
