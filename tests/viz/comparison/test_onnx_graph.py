"""Calls of layers in graphs made by hand, as each of PyTorch's exporters writes them."""

from types import SimpleNamespace
from typing import Any

from viz.comparison.onnx_graph import NodeRun, constants, node_runs


def node(name: str, taken: str, returned: str, scopes: list[str] | None = None) -> SimpleNamespace:
    """One node; values are words."""
    said = [SimpleNamespace(key="pkg.torch.onnx.name_scopes", value=repr(scopes))] if scopes else []
    return SimpleNamespace(
        name=name, op_type="Op", input=taken.split(), output=returned.split(), metadata_props=said
    )


def graph(*nodes: SimpleNamespace, returned: str) -> Any:
    """A graph of these nodes."""
    results = [SimpleNamespace(name=each) for each in returned.split()]
    return SimpleNamespace(node=nodes, output=results, initializer=[SimpleNamespace(name="w")])


def names(runs: list[NodeRun]) -> list[tuple[str, int, tuple[str, ...]]]:
    """The name, the call and the values of each."""
    return [(run.name, run.call, run.outputs) for run in runs]


def test_scopes_in_metadata_name_layers_and_blocks() -> None:
    """A block comes after its layers, its value is the one that others use; the second call is one more."""
    made = graph(
        node("n1", "x w", "a", ["", "block", "block.conv", "conv2d"]),
        node("n2", "a", "b", ["", "block", "block.act", "relu"]),
        node("n3", "b x", "c", ["", "block", "add"]),
        node("n4", "c", "d", ["", "block", "block.act", "relu_1"]),
        node("n5", "d", "e", ["", "flatten"]),
        returned="e",
    )
    assert names(node_runs(made)) == [
        ("block.conv", 0, ("a",)),
        ("block.act", 0, ("b",)),
        ("block.act", 1, ("d",)),
        ("block", 0, ("d",)),
        ("", 0, ("e",)),
    ]


def test_scopes_in_names_are_made_whole() -> None:
    """In a Sequential the name of the outer layer stands in front; the second call has a number."""
    made = graph(
        node("/layer1/layer1.0/conv/Conv", "x w", "a"),
        node("/layer1/layer1.0/relu/Relu", "a", "b"),
        node("/layer1/layer1.0/down/down.0/Conv", "b w", "c"),
        node("/layer1/layer1.0/Add", "c x", "d"),
        node("/layer1/layer1.0/relu_1/Relu", "d", "e"),
        returned="e",
    )
    assert names(node_runs(made)) == [
        ("layer1.0.conv", 0, ("a",)),
        ("layer1.0.relu", 0, ("b",)),
        ("layer1.0.down.0", 0, ("c",)),
        ("layer1.0.down", 0, ("c",)),
        ("layer1.0.relu", 1, ("e",)),
        ("layer1.0", 0, ("e",)),
        ("layer1", 0, ("e",)),
        ("", 0, ("e",)),
    ]


def test_several_nodes_of_one_layer_are_one_call() -> None:
    """Its value is the last that is used elsewhere, not what it computes on the way."""
    made = graph(
        node("n1", "x", "a", ["", "norm", "mean"]),
        node("n2", "x a", "b c", ["", "norm", "sub"]),
        node("n3", "b", "d", ["", "fc", "linear"]),
        returned="d",
    )
    assert names(node_runs(made)) == [("norm", 0, ("b",)), ("fc", 0, ("d",)), ("", 0, ("d",))]


def test_nodes_without_scopes_are_named_after_their_values() -> None:
    """As other tools' graphs have them."""
    made = graph(node("", "x", "first"), node("", "first", "second"), returned="second")
    assert [run.name for run in node_runs(made)] == ["first", "second", ""]


def test_nodes_that_say_nothing_do_not_end_a_call() -> None:
    """One that the exporter has added, and one that depends on weights alone, whose value is no output."""
    made = graph(
        node("/attn/Mul", "x w", "a"),
        node("Concat_7", "a", "b"),
        node("/attn/Add", "b", "c"),
        node("/attn/Constant", "w", "d"),
        node("/fc/Gemm", "c d", "e"),
        returned="e",
    )
    assert constants(made) == {"w", "d"}
    assert names(node_runs(made)) == [("attn", 0, ("c",)), ("fc", 0, ("e",)), ("", 0, ("e",))]


def test_a_layer_may_end_before_nodes_without_a_scope() -> None:
    """Nobody knows whose they are: its own value is kept beside theirs, each with all values of a node."""
    made = graph(
        node("n1", "x", "a", ["", "act", "tanh"]),
        node("n2", "a", "b c"),
        node("n3", "b", "d e", ["", "pick", "topk"]),
        returned="c d e",
    )
    runs = node_runs(made)
    assert names(runs) == [("act", 0, ("a", "b", "c")), ("pick", 0, ("d", "e")), ("", 0, ("c", "d", "e"))]
    assert [(run.own, run.last) for run in runs] == [(0, 1), (2, 2), (2, 2)]
