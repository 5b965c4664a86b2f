"""Blocks of a graph, folded at a depth and joined in rows.

What is deeper is inside one box, and equal blocks in a row are one.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from msgspec import UNSET

from ...answers.views.graph import GraphFacts, GraphNode

MOST = 64  # boxes that a drawing has, if nobody says how deep it is to go

Edges: TypeAlias = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Block:
    """A drawing's box: one node, or a call with everything inside it.

    Attributes:
        node: the node, or the call; of a row of equal ones the first.
        last: the last of the row.
        count: how many there are in the row.
        inside: how many nodes are inside; 0 for a single node.
        error: what was raised there or inside; empty if nothing was.
    """

    node: GraphNode
    last: GraphNode
    count: int = 1
    inside: int = 0
    error: str = ""


@dataclass(frozen=True)
class FoldedGraph:
    """Blocks in execution order, and the data flow between their places."""

    blocks: tuple[Block, ...]
    edges: Edges


def folded(graph: GraphFacts, depth: int | None = None) -> FoldedGraph:
    """Return a graph's blocks, at most so many calls deep.

    Depth 1 shows the outermost calls only. Without a ``depth``, it goes as deep as 64 blocks allow.
    """
    paths = _paths(graph.nodes)
    if depth is not None:
        return _folded(graph, paths, depth)
    deepest = max((len(path) for path in paths), default=1)
    found = (_folded(graph, paths, depth) for depth in range(deepest, 0, -1))
    return next((each for each in found if len(each.blocks) <= MOST), _folded(graph, paths, 1))


def _paths(nodes: Sequence[GraphNode]) -> list[tuple[int, ...]]:
    """Return each node's calls from the outermost in, and the node itself."""
    paths: list[tuple[int, ...]] = []
    for node in nodes:
        paths.append((node.id,) if node.parent is None else (*paths[node.parent], node.id))
    return paths


def _folded(graph: GraphFacts, paths: Sequence[tuple[int, ...]], depth: int) -> FoldedGraph:
    around = {path[-2] for path in paths if len(path) > 1}
    box_of = {path[-1]: path[:depth][-1] for path in paths if path[-1] not in around or len(path) >= depth}
    edges = {(box_of[edge.source], box_of[edge.target]) for edge in graph.edges}
    members: dict[int, list[int]] = {box: [] for box in sorted(set(box_of.values()))}
    for node, box in box_of.items():
        members[box].append(node)
    errors = _errors(graph, paths, box_of)
    blocks = {
        box: Block(graph.nodes[box], graph.nodes[box], 1, len(inside) - 1, errors.get(box, ""))
        for box, inside in members.items()
    }
    plain = {(source, target) for source, target in edges if source != target}
    return _in_rows(blocks, plain, _likenesses(graph, members))


def _errors(
    graph: GraphFacts, paths: Sequence[tuple[int, ...]], box_of: Mapping[int, int]
) -> Mapping[int, str]:
    """Return the error of each box.

    That of a call without a box stands at the last box inside it.
    """
    found: dict[int, str] = {}
    for node in graph.nodes:
        if node.error is not UNSET:
            last = max(path[-1] for path in paths if node.id in path and path[-1] in box_of)
            found.setdefault(box_of[last], str(node.error))
    return found


def _likenesses(graph: GraphFacts, members: Mapping[int, Sequence[int]]) -> Mapping[int, Hashable]:
    """Return the types, shapes and edges that equal blocks have in common."""
    behind = defaultdict[int, list[int]](list)
    for edge in graph.edges:
        behind[edge.source].append(edge.target)

    def likeness(box: int, inside: Sequence[int]) -> Hashable:
        nodes, within = [graph.nodes[each] for each in inside], set(inside)
        kinds = tuple((node.type, node.shape, node.id - box, _place(node, box)) for node in nodes)
        return kinds, tuple(
            (source - box, target - box) for source in inside for target in behind[source] if target in within
        )

    return {box: likeness(box, inside) for box, inside in members.items()}


def _place(node: GraphNode, box: int) -> int:
    """Return the place in a box of the call around a node.

    It is 0 for the box itself.
    """
    return 0 if node.id == box or node.parent is None else node.parent - box


def _in_rows(
    blocks: Mapping[int, Block], edges: set[tuple[int, int]], likeness: Mapping[int, Hashable]
) -> FoldedGraph:
    """Join alike blocks that each hand their value to the next alone."""
    before, behind = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for source, target in edges:
        before[target].add(source)
        behind[source].add(target)
    row_of: dict[int, int] = {}
    rows: list[Block] = []
    for box, block in blocks.items():
        previous = min(before[box], default=box)
        alone = before[box] == {previous} and behind[previous] == {box}
        if alone and block.inside and likeness[box] == likeness[previous] and not blocks[previous].error:
            row_of[box] = row_of[previous]
            first = rows[row_of[box]]
            rows[row_of[box]] = replace(first, last=block.node, count=first.count + 1, error=block.error)
        else:
            row_of[box] = len(rows)
            rows.append(block)
    between = {(row_of[source], row_of[target]) for source, target in edges}
    return FoldedGraph(
        tuple(rows), frozenset((source, target) for source, target in between if source != target)
    )
