"""Places of a graph's boxes in layers, so that few edges cross.

Source: Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical System Structures"
(1981): layers by the longest path, an order within each by barycentres, then places. An edge that passes a
layer has a point in it, which takes part in the order as a box does.
"""

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

SWEEPS = 8  # down and up again, each
GAP, BETWEEN = 18.0, 34.0  # pixels between boxes of a layer, and between layers
POINT = 10.0  # pixels that an edge takes in a layer that it passes
STRAIGHT, FREE = 8.0, 0.1  # the weights of a point that follows another, and of a box that follows none

Size = tuple[float, float]
Place = tuple[float, float]
Edge = tuple[int, int]


@dataclass(frozen=True)
class Layout:
    """Places in pixels.

    Attributes:
        places: the upper left corner of each box.
        routes: for each edge the points that it passes, its ends on the boxes included.
        size: width and height of all.
    """

    places: tuple[Place, ...]
    routes: Mapping[Edge, tuple[Place, ...]]
    size: Size


def layered(sizes: Sequence[Size], edges: Iterable[Edge]) -> Layout:
    """Return the layout of boxes with these widths and heights, in pixels.

    Args:
        sizes: of each box.
        edges: pairs of boxes; each goes from one to a later one.
    """
    ordered = sorted(edges)
    layer_of = layers(len(sizes), ordered)
    chains = _with_points(ordered, layer_of)
    links = sorted({link for chain in chains.values() for link in pairwise(chain)})
    rows = _ordered(layer_of, links)
    widths = [size[0] + GAP for size in sizes] + [POINT] * (len(layer_of) - len(sizes))
    middles = _middles(rows, links, widths, len(sizes))
    return _layout(sizes, rows, middles, chains, layer_of)


def layers(count: int, edges: Sequence[Edge]) -> list[int]:
    """Return each box's layer: one below the lowest that it takes from.

    What takes nothing stands right above its first reader, but for the first box of all.
    """
    before, behind = _neighbours(edges)
    found = [0] * count
    for box in range(count):
        found[box] = max((found[each] + 1 for each in before[box]), default=0)
    for box in range(count):
        if not before[box] and behind[box] and box:
            found[box] = max(0, min(found[each] for each in behind[box]) - 1)
    return found


def _neighbours(edges: Iterable[Edge]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    before, behind = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for source, target in edges:
        before[target].append(source)
        behind[source].append(target)
    return before, behind


def _with_points(edges: Sequence[Edge], layer_of: list[int]) -> dict[Edge, list[int]]:
    """Return each edge as a chain of items, one for each layer.

    Edges from one box share their points. The points are new items, whose layers are added to ``layer_of``.
    """
    points: dict[tuple[int, int], int] = {}
    chains: dict[Edge, list[int]] = {}
    for source, target in edges:
        chains[source, target] = [source]
        for layer in range(layer_of[source] + 1, layer_of[target]):
            if (source, layer) not in points:
                points[source, layer] = len(layer_of)
                layer_of.append(layer)
            chains[source, target].append(points[source, layer])
        chains[source, target].append(target)
    return chains


def _ordered(layer_of: Sequence[int], links: Sequence[Edge]) -> list[list[int]]:
    """Return each layer's items in the order with fewest crossings found."""
    rows: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    for item, layer in enumerate(layer_of):
        rows[layer].append(item)
    before, behind = _neighbours(links)
    best, fewest = [list(row) for row in rows], _crossings(rows, behind)
    for _ in range(SWEEPS):
        for above, row in pairwise(rows):
            _sort(row, before, above)
        for below, row in pairwise(reversed(rows)):
            _sort(row, behind, below)
        crossings = _crossings(rows, behind)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _sort(row: list[int], neighbours: Mapping[int, list[int]], beside: Sequence[int]) -> None:
    """Sort a layer by barycentres, the mean places of its items' neighbours."""
    at = {item: place for place, item in enumerate(beside)}
    found = {item: float(place) for place, item in enumerate(row)}
    for item in row:
        near = neighbours.get(item)
        found[item] = sum(at[each] for each in near) / len(near) if near else found[item]
    row.sort(key=found.__getitem__)


def _crossings(rows: Sequence[Sequence[int]], behind: Mapping[int, list[int]]) -> int:
    """Return how many pairs of edges cross between neighbouring layers."""
    total = 0
    for upper, lower in pairwise(rows):
        at = {item: place for place, item in enumerate(lower)}
        passed: list[int] = []
        for item in upper:
            ends = sorted(at[each] for each in behind.get(item, ()))
            total += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                insort(passed, end)
    return total


def _middles(
    rows: Sequence[Sequence[int]], links: Sequence[Edge], widths: Sequence[float], boxes: int
) -> list[float]:
    """Return each item's middle, near its neighbours' and in its layer's order."""
    middles = [0.0] * len(widths)
    for row in rows:
        left = -sum(widths[item] for item in row) / 2
        for item in row:
            middles[item] = left + widths[item] / 2
            left += widths[item]
    before, behind = _neighbours(links)
    for _ in range(SWEEPS):
        for row in reversed(rows):
            _place(row, behind, middles, widths, boxes)
        for row in rows:
            _place(row, before, middles, widths, boxes)
    return middles


def _place(
    row: Sequence[int],
    neighbours: Mapping[int, list[int]],
    middles: list[float],
    widths: Sequence[float],
    boxes: int,
) -> None:
    """Move a layer's items towards their neighbours' means, in the same order."""
    wished, weights, shifts = [], [], [0.0]
    shifts += accumulate((widths[one] + widths[other]) / 2 for one, other in pairwise(row))
    for item, shift in zip(row, shifts, strict=True):
        near = neighbours.get(item)
        wish = sum(middles[each] for each in near) / len(near) if near else middles[item]
        straight = near and item >= boxes and any(each >= boxes for each in near)
        wished.append(wish - shift)
        weights.append(STRAIGHT if straight else 1.0 if near else FREE)
    for item, new, shift in zip(row, rising(wished, weights), shifts, strict=True):
        middles[item] = new + shift


def rising(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the non-falling numbers nearest to the values, by weighted least squares.

    Source: Barlow et al., "Statistical Inference under Order Restrictions" (1972): pool adjacent violators.
    """
    pools: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        mean, whole, length = value, weight, 1
        while pools and pools[-1][0] > mean:
            other, more, count = pools.pop()
            mean = (mean * whole + other * more) / (whole + more)
            whole, length = whole + more, length + count
        pools.append((mean, whole, length))
    return [mean for mean, _, length in pools for _ in range(length)]


def _layout(
    sizes: Sequence[Size],
    rows: Sequence[Sequence[int]],
    middles: Sequence[float],
    chains: Mapping[Edge, Sequence[int]],
    layer_of: Sequence[int],
) -> Layout:
    heights = [max((sizes[item][1] for item in row if item < len(sizes)), default=0.0) for row in rows]
    tops = [0.0, *accumulate(height + BETWEEN for height in heights)]
    ends = [
        (middle - size[0] / 2, middle + size[0] / 2) for middle, size in zip(middles, sizes, strict=False)
    ]
    left = min((*(start for start, _ in ends), *middles), default=0.0)
    right = max((*(end for _, end in ends), *middles), default=0.0)

    def route(chain: Sequence[int]) -> tuple[Place, ...]:
        source, *passed, target = chain
        found = [(middles[source] - left, tops[layer_of[source]] + sizes[source][1])]
        for item in passed:
            x, top = middles[item] - left, tops[layer_of[item]]
            found += [(x, top), (x, top + heights[layer_of[item]])]
        return (*found, (middles[target] - left, tops[layer_of[target]]))

    return Layout(
        tuple((start - left, tops[layer_of[box]]) for box, (start, _) in enumerate(ends)),
        {edge: route(chain) for edge, chain in chains.items()},
        (right - left, tops[-1] - BETWEEN if rows else 0.0),
    )
