"""Divergence of two nets on one input: the first layer outside tolerance.

A pass of each lists the calls of layers, which are matched: see ``matching`` and ``pairs``. In further passes
outputs of ``a`` are kept and compared with those of ``b`` as they come.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from torch import nn

from ..errors import RequestError
from ..hooks.activations import LayerActivations
from ..hooks.records import Call
from ..sentences import Sentence
from .compiled_side import CompiledSide, has_compiled_parts
from .events import Event
from .matching import aligned, by_name
from .measure import Measure
from .onnx_side import OnnxSide
from .pairs import Pair, Pairing, Place, Skip, paired
from .rows import Divergence, DivergenceRow
from .sides import NetSide, Side, Values, ValuesSide
from .terms import DEFAULT, Tolerance, tolerance_of

Net: TypeAlias = nn.Module | LayerActivations | Values | str | Path
_BUDGET = 1 << 30
_SAME = object()


def divergence(
    a: Net,
    b: Net,
    inputs: Any = (),
    *,
    other_inputs: Any = _SAME,
    tolerance: float | tuple[float, float] = DEFAULT,
    matches: Mapping[str, str | None] | None = None,
    budget: int = _BUDGET,
) -> Divergence:
    """Compare two nets layer by layer, and find where they part.

    Each layer runs in the mode that it is in, those of a ``LayerActivations`` in eval mode; both nets draw
    the same random numbers. Compiled parts are compared by what they return, but a ``LayerActivations`` has
    unwrapped a compiled net. Values of ``a`` alone are kept, ``budget`` bytes at a time.

    Args:
        a: the net that is right, its layers' outputs by their names, or the path of an ONNX file.
        b: the net that may be wrong, likewise.
        inputs: a tensor, a tuple of positional arguments, or a mapping of keyword arguments.
        other_inputs: those of ``b``, if it has others.
        tolerance: (absolute, relative), or one number for both; see ``Tolerance``.
        matches: layers of ``a`` with the layers of ``b`` that they belong to, or None, where names mislead.
        budget: in bytes.

    Raises:
        RequestError: a tolerance below 0, a layer in ``matches`` that did not run, or no layers that match.
        UnsupportedModelError: a model cannot be hooked.

    >>> lg.divergence(model, lg.models.load("lenet", "random"), images).first.layer
    'conv1'
    """
    allowed, by_hand = tolerance_of(tolerance), dict(matches or {})
    given = inputs if other_inputs is _SAME else other_inputs
    sides = _side(a, inputs), _side(b, given)
    _check(by_hand, *sides)
    walk = _Walk(*sides, by_hand, allowed)
    for rows in _groups(walk, budget):
        _compare(walk, rows)
    return Divergence(tuple(_finished(walk)), allowed, _same_inputs(walk))


def _side(net: Net, inputs: Any) -> Side:
    if isinstance(net, str | Path):
        return OnnxSide(net, inputs)
    if isinstance(net, Mapping):
        return ValuesSide(net)
    return CompiledSide(net, inputs) if has_compiled_parts(net) else NetSide(net, inputs)


def _check(by_hand: Mapping[str, str | None], a: Side, b: Side) -> None:
    for side, names in ((a, by_hand.keys()), (b, by_hand.values())):
        known = {event.name for event in side.events}
        for name in names:
            if name is not None and name not in known:
                raise RequestError("no layer named {name} ran, so it corresponds to none.", name=repr(name))


def _pairing(a: Side, b: Side, by_hand: Mapping[str, str | None]) -> Pairing:
    values = isinstance(a, ValuesSide) or isinstance(b, ValuesSide)
    if values and not isinstance(a, ValuesSide):  # the order is that of the net
        turned = {other: layer for layer, other in by_hand.items() if other is not None}
        alone = {layer for layer, other in by_hand.items() if other is None}
        matched = [(j, i) for i, j in by_name(b.events, a.events, turned)]
        places = [each for pair in matched for each in _parted(pair, a, alone)]
    else:
        places = (by_name if values else aligned)(a.events, b.events, by_hand)
    found = paired(a.events, b.events, places)
    if not found.pairs:
        raise RequestError("no layer of the one corresponds to a layer of the other.")
    return found


def _parted(
    pair: tuple[int | None, int | None], a: Side, alone: Collection[str]
) -> list[tuple[int | None, int | None]]:
    """Return the pair, or its two halves if taken apart by hand."""
    place, other = pair
    if place is None or other is None or a.events[place].name not in alone:
        return [pair]
    return [(place, None), (None, other)]


@dataclass
class _Row:
    """A row that is being made, with its calls."""

    measure: Measure
    pairs: list[Pair] = field(default_factory=list)
    outside: Pair | None = None  # the first pair outside the tolerance
    made_here: bool | None = False

    @property
    def reported(self) -> Pair:
        """The calls that the row stands for.

        They are the first outside the tolerance, or else the first.
        """
        return self.outside or self.pairs[0]

    def add(self, pair: Pair, a: Any, b: Any) -> None:
        if self.measure.add(a, b) and (self.outside is None or pair.layer < self.outside.layer):
            self.outside = pair


class _Walk:
    """A comparison on its way."""

    def __init__(self, a: Side, b: Side, by_hand: Mapping[str, str | None], tolerance: Tolerance) -> None:
        self.a, self.b, self.by_hand, self.tolerance = a, b, by_hand, tolerance
        self.pairing = pairing = _pairing(a, b, by_hand)
        self.rows: dict[tuple[str, str], _Row] = {}
        for pair in sorted(pairing.pairs, key=lambda each: pairing.order[each.layer, None]):
            names = a.events[pair.layer].name, b.events[pair.other].name
            self.rows.setdefault(names, _Row(Measure(tolerance))).pairs.append(pair)

    def place(self, row: _Row) -> int:
        """Return a row's place in the common order."""
        return self.pairing.order[row.reported.layer, None]


def _groups(walk: _Walk, budget: int) -> Iterator[list[_Row]]:
    """Yield the rows in parts, each of at most ``budget`` bytes.

    A part of a single row may take more.
    """
    group: list[_Row] = []
    taken = 0
    for row in walk.rows.values():
        events = [walk.a.events[place] for pair in row.pairs for place in {pair.layer, pair.start}]
        size = sum(event.size for event in events)
        if group and taken + size > budget:
            yield group
            group, taken = [], 0
        group.append(row)
        taken += size
    yield group


def _compare(walk: _Walk, rows: Sequence[_Row]) -> None:
    """Compare some rows in one pass of each side.

    It also finds out where their differences are made.
    """
    pairs = [pair for row in rows for pair in row.pairs]
    kept = walk.a.keep({walk.a.events[place].name for each in pairs for place in (each.layer, each.start)})
    waiting: dict[tuple[str, int], list[tuple[_Row, Pair]]] = {}
    for row in rows:
        for pair in row.pairs:
            waiting.setdefault(_call(walk.b.events[pair.other]), []).append((row, pair))

    def see(name: str, call: int, output: Any) -> None:
        for row, pair in waiting.get((name, call), ()):
            if (found := kept.get(_call(walk.a.events[pair.layer]))) is not None:
                row.add(pair, found.output, output)

    walk.b.show({name for name, _ in waiting}, see)
    for row in rows:
        if row.outside:
            row.made_here = _made_here(walk, row.outside, kept)


def _call(event: Event) -> tuple[str, int]:
    return event.name, event.call


def _made_here(walk: _Walk, pair: Pair, kept: Mapping[tuple[str, int], Call]) -> bool | None:
    """Return whether a difference begins in these layers of ``b``.

    They are given the inputs of the layers of ``a``; None if this cannot be tried.
    """
    given = kept.get(_call(walk.a.events[pair.start]))
    if given is None or given.inputs is None or isinstance(walk.b, ValuesSide):
        return None
    begin = walk.a.events[pair.layer].begin
    made = (each.layer for row in walk.rows.values() if row.made_here for each in row.pairs)
    if any(begin <= place < pair.layer for place in made):
        return False
    try:
        output = walk.b.again([walk.b.events[place].name for place in pair.chain], given)
    except Exception:  # noqa: BLE001  # a layer for inputs of another shape may raise anything
        return None
    return Measure(walk.tolerance).add(kept[_call(walk.a.events[pair.layer])].output, output)


def _same_inputs(walk: _Walk) -> bool | None:
    if walk.a.arguments is None or walk.b.arguments is None:
        return None
    return not Measure(walk.tolerance).add(walk.a.arguments, walk.b.arguments)


def _finished(walk: _Walk) -> list[DivergenceRow]:
    """Return all rows in order, with the first difference marked."""
    found = {walk.pairing.order[place]: row for place, row in _alone(walk)}
    first = min((row for row in walk.rows.values() if row.outside), key=walk.place, default=None)
    blamed = first and _blamed(walk, first)
    if blamed:
        _hand_down(walk, blamed[0])
        found[walk.pairing.order[blamed[0].place]] = _skip_row(walk, *blamed)
    for names, row in walk.rows.items():
        shape, numbers = walk.a.events[row.reported.layer].shape, row.measure.numbers()
        found[walk.place(row)] = DivergenceRow(*names, shape, *numbers, row.made_here)
    start = walk.pairing.order[blamed[0].place] if blamed else first and walk.place(first)
    return [replace(found[place], first=place == start) for place in sorted(found)]


def _alone(walk: _Walk) -> Iterator[tuple[Place, DivergenceRow]]:
    """Yield a row for each layer that only one side has.

    It comes with the place of the layer's first call.
    """
    seen = ({name for name, _ in walk.rows}, {name for _, name in walk.rows})
    for place in walk.pairing.alone:
        event = walk.a.events[place[0]] if place[0] is not None else walk.b.events[place[1]]
        of_b = place[0] is None
        if event.name not in seen[of_b]:
            seen[of_b].add(event.name)
            names = (None, event.name) if of_b else (event.name, None)
            row = DivergenceRow(names[0], names[1], event.shape, None, None, None, None, None)
            yield place, replace(row, reason=_reason(walk, place))


def _reason(walk: _Walk, place: Place) -> Sentence:
    """Return why a call of one side has no counterpart."""
    side, other = (walk.b, walk.a) if place[0] is None else (walk.a, walk.b)
    name = side.events[place[1] if place[0] is None else place[0]].name
    whole = [each.layer for each in walk.pairing.pairs if each.start == place[0] != each.layer]
    if whole:
        return Sentence("compared together with {layer}", layer=walk.a.events[whole[0]].name)
    if side is walk.a and walk.by_hand.get(name, name) is None:
        return Sentence("matched with no layer by hand")
    return other.lack(name)


def _blamed(walk: _Walk, first: _Row) -> tuple[Skip, Measure] | None:
    """Return the unmatched layer that makes the first difference, and its effect.

    This is so if the first layer outside the tolerance was handed its difference, all layers before agree,
    and the one in question changes what goes through it.
    """
    if first.made_here is not False:
        return None
    order, end = walk.pairing.order, walk.place(first)
    matched = (order[pair.layer, None] for pair in walk.pairing.pairs)
    begin = max((place for place in matched if place < end), default=-1)
    for skip in walk.pairing.skips:
        if begin < order[skip.place] < end and (measure := _measured(walk, skip)).outside:
            return skip, measure
    return None


def _measured(walk: _Walk, skip: Skip) -> Measure:
    """Compare two calls in a pass of their own."""
    of_a, of_b, measure = walk.a.events[skip.layer], walk.b.events[skip.other], Measure(walk.tolerance)
    output = walk.a.keep([of_a.name])[_call(of_a)].output

    def see(name: str, call: int, seen: Any) -> None:
        if (name, call) == _call(of_b):
            measure.add(output, seen)

    walk.b.show([of_b.name], see)
    return measure


def _skip_row(walk: _Walk, skip: Skip, measure: Measure) -> DivergenceRow:
    of_a, of_b = walk.a.events[skip.layer], walk.b.events[skip.other]
    names = (of_a.name, None) if skip.of_a else (None, of_b.name)
    row = DivergenceRow(names[0], names[1], of_a.shape, *measure.numbers(), made_here=True)
    return replace(row, reason=_reason(walk, skip.place))


def _hand_down(walk: _Walk, skip: Skip) -> None:
    """Clear ``made_here`` of the blocks around a layer of one side.

    They make no other difference than that layer.
    """
    for row in walk.rows.values():
        pair = row.reported
        of_a, of_b = walk.a.events[pair.layer], walk.b.events[pair.other]
        inside = of_a.begin <= skip.layer < pair.layer if skip.of_a else of_b.begin <= skip.other < pair.other
        row.made_here = row.made_here and not inside
