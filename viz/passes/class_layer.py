"""The last layer at whose places a class score's gradient arrives.

A class is looked for in it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import VizError
from ..findings.gradcam import check_spatial, weights_arrive
from ..hooks.activations import LayerActivations
from ..hooks.records import Call, to_array
from ..layer_names import is_operation
from ..maps.layout import Layout, arrange
from ..profile.cost import output_bytes
from ..profile.rows import LayerCall, LayerRow
from ..request.arrangement import Arrangement, Arrangements, first_known
from .attribution import class_score
from .forward import input_size

NOWHERE = LayerCall("", 0)


def class_layer(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    rows: Sequence[LayerRow],
    known: Arrangements,
    target: int,
    budget: int,
) -> LayerCall:
    """Find the last call whose places the class score's gradient reaches.

    Behind a layer that gathers all places in a class token, layers still have places, but no gradient there.
    Mostly the last layer with maps will do, so it is tried alone; then others in groups of up to ``budget``
    bytes, in a pass each. If the gradient arrives nowhere it is the last with maps; without any, ``NOWHERE``.

    Raises:
        RequestError: the model does not end in one score per class, or has no such class.
    """
    size = input_size(arguments)
    candidates = _with_maps(rows, known, size)
    for group in _groups(candidates, budget):
        with layers.capture(*(row.name for row in group), gradients=True) as record:
            score = class_score(layers.run(*arguments), target)
            if score.requires_grad:
                score.backward()
            reached = (row for row in group if _arrives(record[row.name], row, known, size))
            if row := next(reached, None):
                return _last_call(row)
    return _last_call(candidates[0]) if candidates else NOWHERE


def _with_maps(rows: Sequence[LayerRow], known: Arrangements, size: tuple[int, int]) -> list[LayerRow]:
    """Layers with places on the picture, the last to end first."""
    ran = [row for row in rows if row.ends and not is_operation(row.name) and _has_maps(row, known, size)]
    return sorted(ran, key=lambda row: -row.ends[-1])


def _has_maps(row: LayerRow, known: Arrangements, size: tuple[int, int]) -> bool:
    """Return whether the last call returned a vector for each place.

    Queries and keys by head are no such vectors: what is added to every key alike changes no attention, so
    the mean gradient at the keys, which weighs them in a Grad-CAM, says nothing.
    """
    shape, sits = row.shapes[-1], first_known(known, row.name, row.calls - 1)
    if not shape or "pool" in row.type.lower() or (sits is not None and len(sits.channels) > 1):
        return False
    try:
        nothing = np.broadcast_to(np.float32(0), shape)
        check_spatial(_laid_out(nothing, row, sits, size), row.name, row.type)
    except VizError:
        return False
    return True


def _groups(rows: Sequence[LayerRow], budget: int) -> Iterator[list[LayerRow]]:
    """Groups of rows: the first alone, then ``budget`` bytes at a time."""
    yield from ([row] for row in rows[:1])
    group: list[LayerRow] = []
    for row in rows[1:]:
        if group and sum(map(output_bytes, group)) + output_bytes(row) > budget:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _arrives(calls: Sequence[Call], row: LayerRow, known: Arrangements, size: tuple[int, int]) -> bool:
    """Return whether a gradient arrived at the last surveyed call's places."""
    if len(calls) < row.calls:
        return False
    gradient = (calls[row.calls - 1].arrived or {}).get(0)
    if gradient is None:
        return False
    sits = first_known(known, row.name, row.calls - 1)
    return weights_arrive(_laid_out(to_array(gradient), row, sits, size).maps)


def _laid_out(values: NDArray[Any], row: LayerRow, sits: Arrangement | None, size: tuple[int, int]) -> Layout:
    return arrange(values, layer_type=row.type, image_size=size, arrangement=sits)


def _last_call(row: LayerRow) -> LayerCall:
    return LayerCall(row.name, row.calls - 1)
