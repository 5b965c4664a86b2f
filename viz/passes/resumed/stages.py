"""Which layers' outputs are worth keeping, and from which of them a pass can go on."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .timeline import Span

PARTS = 10  # of a pass, each with a stage: the wanted layer is less than two of them away from the last stage


class Way(NamedTuple):
    """How a pass goes on from the middle.

    Attributes:
        stage: where it begins.
        kept: the layers up to there that return what they have returned; the others return shapes alone.
        layer: where it ends.
        edited: whether layers between are edited.
    """

    stage: str
    kept: frozenset[str]
    layer: str
    edited: bool


@dataclass(frozen=True)
class Stages:
    """The stages of a model for one size of its input.

    Attributes:
        spans: when each layer runs.
        names: the stages, in the order in which they end.
        proven: ways on which a pass has once been the same as a whole one.
        unfit: (stage, layer): it has not; and (stage, "") for every layer.
    """

    spans: Mapping[str, Span]
    names: tuple[str, ...]
    proven: set[Way] = field(default_factory=set)
    unfit: set[tuple[str, str]] = field(default_factory=set)

    def before(self, layer: str, edited: Iterable[str], kept: Container[str]) -> str | None:
        """The latest stage that is kept, and from which a pass to the layer can go on; None if there is none.

        It has ended before the layer begins, or is the layer itself, and before any edited layer begins.
        """
        if not {layer, *edited} <= self.spans.keys():
            return None
        first_edit = min((self.spans[each].begun for each in edited), default=None)
        for name in reversed(self.names):
            ended = self.spans[name].ended
            if (
                name in kept
                and (name == layer or ended < self.spans[layer].begun)
                and (first_edit is None or ended < first_edit)
                and not {(name, ""), (name, layer)} & self.unfit
            ):
                return name
        return None

    def way(self, stage: str, layer: str, edited: Iterable[str], kept: Container[str]) -> Way:
        """The way from a stage to a layer when so much is kept."""
        known = frozenset(name for name in self.over_at(stage) if name in kept)
        return Way(stage, known, layer, bool(tuple(edited)))

    def over_at(self, stage: str) -> list[str]:
        """The layers whose last calls have ended when the stage ends, the stage included."""
        return [name for name, span in self.spans.items() if span.ended <= self.spans[stage].ended]

    def refuse(self, stage: str, layer: str) -> None:
        """Note that a pass to the layer did not go on from there: a stage that never did is given up."""
        has_worked = any(way.stage == stage for way in self.proven)
        self.unfit.add((stage, layer if has_worked else ""))


def chosen(spans: Mapping[str, Span]) -> Stages:
    """The stages: the pass in ``PARTS``, each with about as many calls, and the best layer of each part.

    Only a layer that runs once and returns one plain tensor will do. The outermost are best: inside a block,
    what goes past a layer would be missing. Among them it is the one that returns the fewest bytes, and then
    the last one, whose output nothing in between writes into.
    """
    last = max((span.leaves for span in spans.values()), default=0)
    best: dict[int, tuple[tuple[int, int, int], str]] = {}
    for name, span in spans.items():
        if span.like is None or span.calls > 1 or span.leaves == last:
            continue
        part, rank = (span.leaves - 1) * PARTS // last, (span.depth, span.like.nbytes, -span.ended)
        best[part] = min(best.get(part, (rank, name)), (rank, name))
    return Stages(spans, tuple(best[part][1] for part in sorted(best)))
