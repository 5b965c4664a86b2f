"""Correspondence of two nets' calls: by name, class, weights, shape and order.

The two sequences of calls are aligned as texts are, so that a layer that only one net has moves no other out
of its place (Needleman and Wunsch, J. Mol. Biol. 48, 1970). Names are compared without the path at which one
net stands inside another module.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .events import Event

SAME_NAME, OTHER_OF_THAT_NAME, SAME_KIND, SAME_WEIGHTS, SAME_SHAPE = 3, 2, 3, 2, 1
A_WORD = 7  # more for a name without numbers, which no layer before it changes: as much as the rest together
_DEEPEST = 3  # steps of the path to a net inside another one
_DIMENSIONS = re.compile(r"\dd$")
_MODEL = ""  # the name of a model itself

Pairs = list[tuple[int | None, int | None]]


class Key(NamedTuple):
    """Facts of a call that are compared."""

    name: str
    call: int
    kind: str
    weights: tuple[tuple[int, ...], ...]
    shape: tuple[int, ...] | None


def aligned(a: Sequence[Event], b: Sequence[Event], by_hand: Mapping[str, str | None]) -> Pairs:
    """Return the places of calls that correspond, in one common order.

    Calls that only one side has are among them, beside None.

    Args:
        a: the calls of one side.
        b: the calls of the other side.
        by_hand: names of layers of ``a`` with the layer of ``b``, or None, that they belong to.
    """
    prefix_a, prefix_b = prefixes([each.name for each in a], [each.name for each in b])
    keys_a = [_key(event, plain_name(event.name, prefix_a)) for event in a]
    keys_b = [_key(event, plain_name(event.name, prefix_b)) for event in b]
    for side, keys, events, names in (
        ("a", keys_a, a, by_hand.keys()),
        ("b", keys_b, b, set(by_hand.values())),
    ):
        for place, event in enumerate(events):
            if event.name in names:
                keys[place] = Key(f"\0{side}{event.name}", -1, "", (), None)  # like no other
    pairs = _along(keys_a, keys_b)
    forced = [
        (place, other)
        for place, event in enumerate(a)
        for other, found in enumerate(b)
        if event.name in by_hand and by_hand[event.name] == found.name and event.call == found.call
    ]
    return _joined(pairs, [*forced, *_out_of_order(pairs, keys_a, keys_b)])


def by_name(a: Sequence[Event], b: Sequence[Event], by_hand: Mapping[str, str | None]) -> Pairs:
    """Return the places of values of equal names, ordered as in ``b``.

    Nothing but the names is known of values.
    """
    prefix_a, prefix_b = prefixes([each.name for each in a], [each.name for each in b])
    places: dict[tuple[str | None, int], int] = {}
    for hand in (False, True):  # a match by hand counts more than another layer of that name
        for place, event in enumerate(a):
            if (event.name in by_hand) is hand:
                places[_target(event, by_hand, prefix_a), event.call] = place
    pairs: Pairs = []
    for place, event in enumerate(b):
        own = (event.name, event.call)
        plain = (plain_name(event.name, prefix_b), event.call)
        hand = event.name in by_hand.values()
        pairs.append((places.get(own if hand else plain), place))
    found = {place for place, _ in pairs}
    return [*pairs, *((place, None) for place in range(len(a)) if place not in found)]


def _target(event: Event, by_hand: Mapping[str, str | None], prefix: str) -> str | None:
    return by_hand[event.name] if event.name in by_hand else plain_name(event.name, prefix)


def prefixes(a: Sequence[str], b: Sequence[str]) -> tuple[str, str]:
    """Return the paths in front of each side's names.

    Without them, most names are equal; one of the two is empty.
    """
    found = [("", "", len(set(a) & set(b) - {_MODEL}))]
    found += [("", path, len({path + name for name in a if name} & set(b))) for path in _paths(b)]
    found += [(path, "", len({path + name for name in b if name} & set(a))) for path in _paths(a)]
    prefix_a, prefix_b, _ = max(found, key=lambda each: each[2])
    return prefix_a, prefix_b


def plain_name(name: str, prefix: str) -> str:
    """Return a name without the path in front of it.

    A name that is not on the path becomes one like no other.
    """
    if not prefix:
        return name
    if name == prefix.removesuffix("."):
        return _MODEL
    return name.removeprefix(prefix) if name.startswith(prefix) else f"\0{name}"


def _paths(names: Sequence[str]) -> list[str]:
    parts = (name.split(".")[:-1] for name in names)
    found = {".".join(each[:depth]) for each in parts for depth in range(1, min(len(each), _DEEPEST) + 1)}
    return sorted((f"{path}." for path in found), key=len)


def _key(event: Event, name: str) -> Key:
    return Key(name, event.call, event.kind, event.weights, event.shape)


def _along(a: Sequence[Key], b: Sequence[Key]) -> Pairs:
    """Return the best alignment.

    Equal calls at both ends need no search.
    """
    start = _equal(a, b)
    end = _equal(a[start:][::-1], b[start:][::-1])
    inner_a, inner_b = range(start, len(a) - end), range(start, len(b) - end)
    best = _best(_scores([a[i] for i in inner_a], [b[j] for j in inner_b]))
    inner = [
        (None if i is None else i + start, None if j is None else j + start)
        for i, j in best
    ]  # fmt: skip
    ends = zip(range(len(a) - end, len(a)), range(len(b) - end, len(b)), strict=True)
    return [*((place, place) for place in range(start)), *inner, *ends]


def _equal(a: Sequence[Key], b: Sequence[Key]) -> int:
    """Return how many keys from the beginning are equal."""
    return next(
        (place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def _scores(a: Sequence[Key], b: Sequence[Key]) -> NDArray[np.int32]:
    """Return each pair's score, (a, b); 0 if the two cannot correspond."""
    name, kind, weights, shape = (
        _same([part(key) for key in a], [part(key) for key in b]) for part in (_name, _kind, _weights, _shape)
    )
    allowed = name | (kind & (shape | weights))
    words = np.array([not any(part.isdigit() for part in key.name.split(".")) for key in a], bool)
    named = np.where(kind, SAME_NAME + A_WORD * words[:, None], OTHER_OF_THAT_NAME)
    found: NDArray[np.int32] = np.where(
        allowed,
        name * named + kind * SAME_KIND + weights * SAME_WEIGHTS + shape * SAME_SHAPE,
        0,
    ).astype(np.int32)
    return found


def _name(key: Key) -> object:
    return key.name, key.call


def _kind(key: Key) -> object:
    return _DIMENSIONS.sub("", key.kind).lower() or None  # ONNX has Conv, where PyTorch has Conv2d


def _weights(key: Key) -> object:
    return key.weights or None


def _shape(key: Key) -> object:
    return key.shape


def _same(a: Sequence[Any], b: Sequence[Any]) -> NDArray[np.bool_]:
    """Return for each pair whether the two are equal, and known."""
    numbers = {each: number for number, each in enumerate(dict.fromkeys((*a, *b)), 1) if each is not None}
    of_a = np.array([numbers.get(each, 0) for each in a], np.int32)
    of_b = np.array([numbers.get(each, -1) for each in b], np.int32)
    found: NDArray[np.bool_] = of_a[:, None] == of_b[None, :]
    return found


def _best(scores: NDArray[np.int32]) -> Pairs:
    """Return the pairs, in order, with the largest sum of scores.

    A gap costs nothing.
    """
    total = np.zeros((scores.shape[0] + 1, scores.shape[1] + 1), np.int32)
    for row, score in enumerate(scores, 1):
        total[row, 1:] = np.maximum.accumulate(np.maximum(total[row - 1, :-1] + score, total[row - 1, 1:]))
    pairs: Pairs = []
    i, j = scores.shape
    while i or j:
        if i and j and scores[i - 1, j - 1] and total[i, j] == total[i - 1, j - 1] + scores[i - 1, j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif j and total[i, j] == total[i, j - 1]:
            j -= 1
            pairs.append((None, j))
        else:
            i -= 1
            pairs.append((i, None))
    return pairs[::-1]


def _out_of_order(pairs: Pairs, a: Sequence[Key], b: Sequence[Key]) -> list[tuple[int, int]]:
    """Return unmatched calls that agree in name and class.

    Branches may run in another order.
    """
    left_a = {(a[i].name, a[i].call, a[i].kind): i for i, j in pairs if i is not None and j is None}
    left_b = {(b[j].name, b[j].call, b[j].kind): j for i, j in pairs if j is not None and i is None}
    return [(left_a[key], left_b[key]) for key in left_a if key in left_b and key[1] >= 0]


def _joined(pairs: Pairs, more: Sequence[tuple[int, int]]) -> Pairs:
    """Return the pairs with more of the unmatched calls joined.

    A joined pair is at the place of the first side's call.
    """
    others, gone = dict(more), Counter(other for _, other in more)
    return [
        (i, others.get(i, j) if i is not None else j) for i, j in pairs if i is not None or not gone[j or 0]
    ]
