"""A store's numbers in arrays, of as many pictures as fit."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....exemplars.finished.card import Call
from ....lens.capture import Numbers, innermost, of_signature, starts_of
from ....lens.similarity import LEAST
from ...folders.store import Number, Store

MOST_BYTES = 128_000_000
"""Of the numbers that are looked at together; of more of them, pictures drawn at random."""
LEAST_PICTURES = LEAST  # as many as layers are compared on
_SEED = 0


def calls_of(store: Store) -> list[Call]:
    """Return all calls of a store, in the lens's form."""
    return [Call(each.layer, "", each.call, each.channels) for each in store.calls]


def innermost_of(store: Store) -> list[Call]:
    """Return the calls of layers that have no other one inside."""
    calls = calls_of(store)
    return [calls[number] for number in innermost(calls)]


def drawn(count: int, bytes_each: int) -> NDArray[np.int64]:
    """Return indices of pictures, in order: all, or random ones that fit."""
    most = max(LEAST_PICTURES, MOST_BYTES // bytes_each)
    if most >= count:
        return np.arange(count)
    return np.sort(np.random.default_rng(_SEED).permutation(count)[:most])


def rows_of(store: Store, calls: Sequence[Call]) -> NDArray[np.int64]:
    """Return the pictures that some calls' numbers are taken of."""
    return drawn(len(store.pictures), 8 * sum(each.channels for each in calls))


def signature_of(store: Store, calls: Sequence[Call], rows: NDArray[np.int64]) -> Numbers:
    """Return means of some channels of all calls, as ``Capture.signature``."""
    starts, parts = starts_of(calls), []
    chosen = of_signature(starts[-1])
    for each, start in zip(calls, starts, strict=False):
        columns = chosen[(chosen >= start) & (chosen < start + each.channels)] - start
        values = store.numbers("mean", each.layer, each.call)
        if len(columns) and values is not None:
            parts.append(values[np.ix_(rows, columns)])
    return np.concatenate(parts, axis=1)


def numbers_of(store: Store, number: Number, calls: Sequence[Call], rows: NDArray[np.int64]) -> Numbers:
    """Return one number per channel of some calls: (pictures, channels)."""
    parts = [store.numbers(number, each.layer, each.call) for each in calls]
    return np.concatenate([values[rows] for values in parts if values is not None], axis=1)
