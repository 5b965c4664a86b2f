"""Effects of edits: one layer's values and the predictions, before and after."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..answers.model import PredictionChange
from .values import LayerValues, Leaf


def difference(after: LayerValues, before: LayerValues) -> LayerValues:
    """Return after − before for each call and tensor that both have."""
    calls = tuple(
        {path: _minus(leaf, old[path]) for path, leaf in new.items() if path in old}
        for new, old in zip(after.calls, before.calls, strict=False)
    )
    return replace(after, calls=calls, cams=())


def prediction_changes(
    before: NDArray[np.floating[Any]],
    after: NDArray[np.floating[Any]],
    classes: tuple[str, ...],
    count: int = 5,
) -> tuple[PredictionChange, ...]:
    """Return the best predictions with the edits and the best without.

    They stand in the order of their probabilities with the edits.

    Args:
        before: probabilities (classes,) without the edits.
        after: probabilities (classes,) with them.
        classes: their names.
        count: how many of the best predictions with the edits.
    """
    best = [int(place) for place in np.argsort(-after, kind="stable")[:count]]
    first = int(np.argmax(before))
    chosen = best if first in best else [*best, first]
    return tuple(
        PredictionChange(classes[place], float(before[place]), float(after[place])) for place in chosen
    )


def _minus(after: Leaf, before: Leaf) -> Leaf:
    problem = after.problem or before.problem
    if not problem and after.array.shape != before.array.shape:
        problem = f"the edits changed its shape from {before.array.shape} to {after.array.shape}."
    if problem:
        return Leaf(np.empty(0, np.float32), after.dtype, problem)
    with np.errstate(invalid="ignore"):  # infinity minus infinity is NaN, which is right here
        array = _number(after.array) - _number(before.array)
    array.flags.writeable = False
    return Leaf(array, after.dtype, arrangement=after.arrangement)


def _number(array: NDArray[Any]) -> NDArray[Any]:
    """Signed numbers: booleans and unsigned ones in double precision."""
    return array if array.dtype.kind in "fc" else array.astype(np.float64)
