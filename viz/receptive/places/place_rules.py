"""Rules by which places on the picture pass through operations.

A place is where a value sits, not all that it sees. A place is a box as well, and is carried as boxes are. It
differs where boxes widen: a window sits at its middle, attention where its query sits, and ``x + f(x)`` where
the part sits whose place says most. So places outlive what makes every box the whole picture.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import floor

import torch
from torch import Tensor

from ..boxes import EMPTY, Boxes, compact
from ..mixture_rules import factors
from ..move_rules import chosen, move_rule, pointwise
from ..operations import Operation, Rule, anything
from ..window_rules import by_group, dimensions, each_axis, resampling_step, slides, window_rule
from ..windows import adaptive_places, centre, resampled_centre, transposed_centre

PAIRS = "pairs"
"""The cause of a matrix of queries and keys, such as attention: each of its values has two places."""

_ENOUGH = 1000  # boxes to know how large all are
_PRODUCTS = frozenset({"mm", "bmm", "addmm", "baddbmm"})
_STAYING = frozenset(
    {"_softmax", "_safe_softmax", "_log_softmax", "cumsum", "native_layer_norm", "native_group_norm"}
)


def place_rule(ran: Operation) -> Rule | None:
    """Return the rule for places, if it differs from that for boxes."""
    rule = move_rule(ran.function, ran.name)
    if rule is not None:
        # What is chosen of the picture sits elsewhere in the next; other values sit where their index does.
        astray = rule is chosen and 0 < len(ran.others()) < len(ran.read())
        return _narrowest if rule is pointwise else anything if astray else None
    if window_rule(ran.name):
        return _centred
    if ran.name in _STAYING or "batch_norm" in ran.name:
        return _staying
    if ran.name.startswith(("_scaled_dot_product", "scaled_dot_product")):
        return _attention if ran.known(ran.arguments["query"]) else None
    return _product if ran.name in _PRODUCTS else None


def _staying(ran: Operation) -> Boxes:
    return ran.boxes("self" if "self" in ran.arguments else "input")


def _narrowest(ran: Operation) -> Boxes:
    read = ran.read()
    if len(read) == 1 and read[0].shape == ran.shape:
        return read[0]
    first, *others = sorted(read, key=_extent)
    for other in others:
        first = _filled(first, other)
    return first.each(lambda plane: compact(plane).expand(ran.shape))


def _extent(boxes: Boxes) -> float:
    """Return the boxes' mean height plus width; infinite without any."""
    return sum(_mean(boxes.planes[side], boxes.planes[side + 2]) for side in (0, 1))


def _mean(low: Tensor, high: Tensor) -> float:
    sides = (compact(low) + compact(high)).flatten()
    sides = sides[:: max(1, len(sides) // _ENOUGH)]
    there = sides[torch.isfinite(sides)]
    return float(there.mean()) if there.numel() else float("inf")


def _filled(boxes: Boxes, others: Boxes) -> Boxes:
    """Return the boxes, with those of ``others`` where there are none."""
    thin = [compact(plane) for plane in boxes.planes]
    if not any(bool((plane == EMPTY).any()) for plane in thin):
        return boxes
    pairs = zip(thin, others.planes, strict=True)
    return replace(
        boxes, planes=tuple(torch.where(own == EMPTY, compact(other), own) for own, other in pairs)
    )


def _product(ran: Operation) -> Boxes:
    """Place the values of a matrix product by rows or columns.

    Each value sits where its row of the left factor does, or its column of the right. If rows and columns
    both differ in place, as with queries and keys, the row counts, and the matrix is one of pairs. What such
    a matrix is multiplied by later takes the places of its queries.
    """
    left, right = factors(list(ran.arguments))
    known = [(ran.known(ran.arguments[name]), mixed) for name, mixed in ((left, -1), (right, -2))]
    found = [(_mixed(boxes, axis), -3 - axis) for boxes, axis in known if boxes]
    if len(found) < len(known):
        return _expanded(found[0][0], ran.shape) if found else ran.union(ran.read(), ran.shape)
    paired = [boxes for boxes, _ in found if boxes.cause == PAIRS]
    telling = [boxes for boxes, axis in found if _differ(boxes, axis)]
    best = min(paired or telling[:1] or [boxes for boxes, _ in found], key=_extent)
    return replace(_expanded(best, ran.shape), cause=PAIRS if not paired and len(telling) > 1 else "")


def _mixed(boxes: Boxes, axis: int) -> Boxes:
    return boxes.each(lambda plane: compact(plane).amax(axis, keepdim=True))


def _differ(boxes: Boxes, axis: int) -> bool:
    """Return whether the boxes differ along an axis."""
    thin = (compact(plane) for plane in boxes.planes)
    return any(bool((plane != plane.narrow(axis, 0, 1)).any()) for plane in thin if plane.shape[axis] > 1)


def _attention(ran: Operation) -> Boxes:
    query = ran.boxes("query")
    return _expanded(query.each(lambda plane: compact(plane).amax(-1, keepdim=True)), ran.shape)


def _expanded(boxes: Boxes, shape: Sequence[int]) -> Boxes:
    return boxes.each(lambda plane: plane.expand(tuple(shape)))


def _centred(ran: Operation) -> Boxes:
    """Windows: each sits at its middle, which may lie between two places."""
    boxes = ran.boxes("input" if "input" in ran.arguments else "self")
    if "convolution" in ran.name:
        groups, channels = ran.arguments["groups"], ran.shape[1]
        boxes = boxes.each(lambda plane: by_group(plane, groups, channels))
    axes = dict(_middles(ran, boxes.shape))

    def through(plane: Tensor) -> Tensor:
        for axis, places in axes.items():
            plane = _sampled(plane, axis, places)
        return plane.expand(ran.shape)

    return boxes.each(through)


def _middles(ran: Operation, shape: Sequence[int]) -> Iterable[tuple[int, list[float]]]:
    """Yield each axis of windows, with the middles of its windows."""
    if "convolution" in ran.name:
        windows = slides(ran, ran.arguments["weight"].shape[2:])
        middle = transposed_centre if ran.get("transposed") else centre
        yield from (
            (2 + axis, [middle(out, slide) for out in range(ran.shape[2 + axis])])
            for axis, slide in enumerate(windows)
        )
        return
    count = dimensions(ran.name)
    first = len(ran.shape) - count
    pooled = not ran.name.startswith("upsample_") and not ran.name.lstrip("_").startswith("adaptive_")
    windows = slides(ran, each_axis(ran.arguments["kernel_size"], count)) if pooled else []
    for axis in range(count):
        length, outputs = shape[first + axis], ran.shape[first + axis]
        if pooled:
            yield first + axis, [centre(out, windows[axis]) for out in range(outputs)]
        else:
            yield first + axis, _changed_length(ran, axis, length, outputs)


def _changed_length(ran: Operation, axis: int, length: int, outputs: int) -> list[float]:
    """Return the middles where an axis gets another length: adaptive pooling, resampling."""
    if ran.name.startswith("upsample_"):
        step, corners = resampling_step(ran, axis, length, outputs), bool(ran.get("align_corners"))
        if "nearest" in ran.name and step.is_integer():
            return [out * step for out in range(outputs)]  # the first of so many is kept as it is
        return [resampled_centre(out, step, corners=corners) for out in range(outputs)]
    windows = (adaptive_places(out, length, outputs) for out in range(outputs))
    return [(places[0] + places[-1]) / 2 for places in windows]


def _sampled(plane: Tensor, axis: int, middles: Sequence[float]) -> Tensor:
    """Return the plane, interpolated linearly at places along ``axis``.

    Beyond the ends it goes on in a line. A single window over several places has them all: nothing is left to
    tell them apart.
    """
    thin = compact(plane)
    length = thin.shape[axis]
    if length == 1 or len(middles) == 1:
        one = thin.amax(axis, keepdim=True)
        return one.expand([*thin.shape[:axis], len(middles), *thin.shape[axis + 1 :]])
    first = [min(max(floor(middle), 0), length - 2) for middle in middles]
    low, high = (thin.index_select(axis, torch.tensor(first) + step) for step in (0, 1))
    share = torch.tensor([middle - place for middle, place in zip(middles, first, strict=True)])
    share = share.reshape([-1] + [1] * (thin.ndim - 1 - axis))
    nearer = torch.where(share == 1 / 2, torch.maximum(low, high), torch.where(share < 1 / 2, low, high))
    return torch.where(torch.isfinite(low + high), low + share * (high - low), nearer)
