"""Blocks of a graph at each depth, against nets whose blocks one can count."""

from tests.viz.maps.graph.graphs import chain_of_blocks, graph_of
from viz.maps.graph.folding import MOST, folded


def test_a_depth_says_how_many_levels_are_shown() -> None:
    """Three equal blocks in a row are one box at depth 1; at depth 2 all that is in them is shown."""
    graph = chain_of_blocks(3)
    flat = folded(graph, 1)
    assert [(block.node.name, block.last.name, block.count, block.inside) for block in flat.blocks] == [
        ("input", "input", 1, 0),
        ("block0", "block2", 3, 2),
        ("output", "output", 1, 0),
    ]
    assert flat.edges == {(0, 1), (1, 2)}
    deep = folded(graph, 2)
    assert [block.node.name for block in deep.blocks][:4] == [
        "input",
        "block0.fc",
        "block0 › add",
        "block1.fc",
    ]
    assert len(deep.blocks) == 2 + 3 * 2
    assert {(0, 1), (0, 2), (1, 2), (2, 3)} < deep.edges


def test_blocks_are_joined_only_if_each_feeds_the_next_alone() -> None:
    """The second block's value is read twice here, so that it stands for itself."""
    rows = [("input", "input", None)]
    for name in "abc":
        rows += [(name, "Block", None), (f"{name}.fc", "Linear", len(rows))]
    rows += [("› add", "add", None)]
    edges = [(0, 2), (2, 4), (4, 6), (4, 7), (6, 7)]
    found = folded(graph_of(rows, edges), 1)
    assert [(block.node.name, block.count) for block in found.blocks] == [
        ("input", 1),
        ("a", 2),
        ("c", 1),
        ("› add", 1),
    ]
    assert found.edges == {(0, 1), (1, 2), (1, 3), (2, 3)}


def test_blocks_that_differ_inside_are_not_joined() -> None:
    """Same type and shape, and another layer inside; single layers are never joined."""
    rows = [("a", "Block", None), ("a.fc", "Linear", 0), ("b", "Block", None), ("b.fc", "Conv", 2)]
    assert [block.count for block in folded(graph_of(rows, [(1, 3)]), 1).blocks] == [1, 1]
    alike = [("a", "Linear", None), ("b", "Linear", None)]
    assert [block.count for block in folded(graph_of(alike, [(0, 1)]), 1).blocks] == [1, 1]


def test_without_a_depth_it_goes_as_deep_as_there_is_room() -> None:
    """Two boxes for each block, and two ends: thirty-one blocks fill the room, and one more folds all."""
    assert len(folded(chain_of_blocks((MOST - 2) // 2)).blocks) == MOST
    assert [block.count for block in folded(chain_of_blocks(MOST // 2)).blocks] == [1, MOST // 2, 1]


def test_an_error_stays_with_what_is_shown_of_its_node() -> None:
    """The failing layer itself, the block around it, or the last that ran in a call that is not shown."""
    graph = chain_of_blocks(3, error=5)
    assert [block.node.name for block in folded(graph, 2).blocks if block.error] == ["block1.fc"]
    closed = [(block.node.name, block.count) for block in folded(graph, 1).blocks if block.error]
    assert closed == [("block0", 2)]
    opened = folded(chain_of_blocks(3, error=4), 2)
    assert [block.node.name for block in opened.blocks if block.error] == ["block1 › add"]


def test_a_graph_without_nodes_has_no_blocks() -> None:
    """A model that took and returned nothing."""
    assert folded(graph_of([], [])).blocks == ()
