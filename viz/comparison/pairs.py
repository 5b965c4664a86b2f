"""Pairs of calls to compare, where one layer may do another's work.

A batch norm that follows a convolution is often folded into its weights; an activation may be fused with it.
The output of such a convolution is that of the other net's norm, and its own has nothing to be compared with.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .events import Event
from .matching import Pairs

Place: TypeAlias = tuple[int, None] | tuple[None, int]
"""A call of ``a`` or of ``b``, by its place among the calls of its side."""
IDLE = "Identity"
_FOLDED = "BatchNorm"  # with constants in evaluation, so that a convolution can do its work


@dataclass(frozen=True)
class Pair:
    """Two calls with outputs that should be equal.

    Attributes:
        layer: the call's place in ``a``.
        other: the call's place in ``b``.
        start: the place in ``a`` of the call whose inputs ``chain`` should turn into the same output.
        chain: places in ``b`` of the calls that do what ``start`` to ``layer`` do.
    """

    layer: int
    other: int
    start: int
    chain: tuple[int, ...]


@dataclass(frozen=True)
class Skip:
    """A call of one side only, beside the call in its place.

    Attributes:
        layer: a call's place in ``a``.
        other: a call's place in ``b``.
        of_a: whether it is ``a`` that has a layer more.
    """

    layer: int
    other: int
    of_a: bool

    @property
    def place(self) -> Place:
        """The call that only one side has."""
        return (self.layer, None) if self.of_a else (None, self.other)


@dataclass(frozen=True)
class Pairing:
    """Correspondence of two nets' calls.

    Attributes:
        pairs: the calls to compare.
        skips: those of them that are beside a call of the other side.
        alone: calls that only one side has.
        order: the place of each call in one order of both sides.
    """

    pairs: tuple[Pair, ...]
    skips: tuple[Skip, ...]
    alone: tuple[Place, ...]
    order: dict[Place, int]


def paired(a: Sequence[Event], b: Sequence[Event], places: Pairs) -> Pairing:
    """Return the calls to compare, from the alignment of two sequences."""
    of_a = {i: Pair(i, j, i, (j,)) for i, j in places if i is not None and j is not None}
    folded = set(_fold(a, b, of_a))
    of_b = {pair.other: pair for pair in of_a.values()}
    folded |= set(_fold_back(a, b, of_b))
    pairs = tuple(sorted(of_b.values(), key=lambda pair: pair.layer))
    done_a, done_b = {pair.layer for pair in pairs}, {j for pair in pairs for j in pair.chain}
    alone: list[Place] = [(i, None) for i in range(len(a)) if i not in done_a]
    alone += [(None, j) for j in range(len(b)) if j not in done_b]
    order: dict[Place, int] = {(i, None): place for place, (i, _) in enumerate(places) if i is not None}
    order.update({(None, j): place for place, (_, j) in enumerate(places) if j is not None})
    ours = _skipped(a, {pair.layer: pair.other for pair in pairs}, folded, b)
    theirs = _skipped(b, {pair.other: pair.layer for pair in pairs}, done_b, a)
    skips = [Skip(i, j, of_a=True) for i, j in ours] + [Skip(i, j, of_a=False) for j, i in theirs]
    return Pairing(pairs, tuple(skips), tuple(alone), order)


def _fold(a: Sequence[Event], b: Sequence[Event], of_a: dict[int, Pair]) -> Iterator[int]:
    """Fold layers of ``a`` that ``b`` does within the one before.

    They take that layer's place; its place in ``a`` is yielded.
    """
    for place, event in enumerate(a):
        own, source = of_a.get(place), event.source
        carrier = None if source is None else of_a.get(source)
        if carrier is None or source is None or not _idle(b[own.other] if own else None, event):
            continue
        if _does(b[carrier.chain[0]], a[source], event):
            more = (own.other,) if own else ()
            of_a[place] = Pair(place, (*carrier.chain, *more)[-1], carrier.start, (*carrier.chain, *more))
            del of_a[source]
            yield source


def _fold_back(a: Sequence[Event], b: Sequence[Event], of_b: dict[int, Pair]) -> Iterator[int]:
    """Fold layers of ``b`` that ``a`` does within the one before.

    Places in ``a`` are yielded.
    """
    for place, event in enumerate(b):
        own, source = of_b.get(place), event.source
        carrier = None if source is None else of_b.get(source)
        if carrier is None or source is None or not _idle(a[own.layer] if own else None, event):
            continue
        if _does(a[carrier.start], b[source], event):
            of_b[place] = Pair(
                own.layer if own else carrier.layer, place, carrier.start, (*carrier.chain, place)
            )
            del of_b[source]
            if own:
                yield carrier.layer


def _idle(other: Event | None, event: Event) -> bool:
    """Return whether the other net does nothing in this layer's place."""
    return other is None or (other.kind == IDLE and event.kind != IDLE)


def _does(whole: Event, part: Event, event: Event) -> bool:
    """Return whether ``whole`` can also do the layer that follows ``part``.

    ``whole`` stands for ``part`` in the other net.

    A fused layer's class names what it does, as ``ConvReLU2d`` does.
    """
    if _FOLDED in event.kind and whole.weights and part.weights:
        return True
    return bool(event.kind) and event.kind in whole.kind and event.kind not in part.kind


def _skipped(
    events: Sequence[Event], known: dict[int, int], folded: set[int], others: Sequence[Event]
) -> Iterator[tuple[int, int]]:
    """Yield innermost calls that only this side has, with their counterparts."""
    instead = dict(known)
    for place, event in enumerate(events):
        if place in instead or place in folded or event.source is None or event.begin != place:
            continue
        other = instead.get(event.source)
        if other is not None and others[other].shape == event.shape:
            instead[place] = other
            yield place, other
