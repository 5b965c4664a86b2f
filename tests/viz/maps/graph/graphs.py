"""Graphs as plain values, written by hand."""

from collections.abc import Sequence

from msgspec import UNSET

from viz.answers.views.graph import GraphEdge, GraphFacts, GraphNode

Row = tuple[str, str, int | None]


def graph_of(rows: Sequence[Row], edges: Sequence[tuple[int, int]], error: int | None = None) -> GraphFacts:
    """Return a graph of nodes (name, type, parent); one may have raised."""
    return GraphFacts(
        nodes=tuple(
            GraphNode(
                id=number,
                name=name,
                type=kind,
                call=0,
                shape=(1, 4),
                parent=parent,
                error="ValueError: <no> & \x00" if number == error else UNSET,
            )
            for number, (name, kind, parent) in enumerate(rows)
        ),
        edges=tuple(GraphEdge(source=source, target=target) for source, target in edges),
    )


def chain_of_blocks(count: int, *, error: int | None = None) -> GraphFacts:
    """Return a net of equal residual blocks: in each a layer and the sum of its output and the input."""
    rows: list[Row] = [("input", "input", None)]
    edges, value = [], 0
    for block in range(count):
        around = len(rows)
        name = f"block{block}"
        rows += [(name, "Block", None), (f"{name}.fc", "Linear", around), (f"{name} › add", "add", around)]
        edges += [(value, around + 1), (value, around + 2), (around + 1, around + 2)]
        value = around + 2
    rows.append(("output", "output", None))
    return graph_of(rows, [*edges, (value, len(rows) - 1)], error)
