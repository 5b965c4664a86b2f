"""The graph of a run: nets with one hazard each, and their edges written by hand from their code."""

import copy
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import torch
from torch import nn

from tests.viz.dataflow.flows import Coded, arrows, graph_of, label, parents
from tests.viz.dataflow.hazards import CASES, linear, residual
from viz.dataflow.tracing import model_graph
from viz.errors import EditError
from viz.hooks.activations import LayerActivations


def parted(net: Any, x: torch.Tensor) -> torch.Tensor:
    """Join two halves the other way round."""
    left, right = net.halves(x)
    return net.a(torch.cat([right, left], 1))


class Halves(nn.Module):
    """A layer without layers inside that returns two views of what it is given."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the two halves, by a function that is no operation."""
        return tuple(x.unsqueeze(0).view(2, 2, 2).unbind(1))


@pytest.mark.parametrize(("code", "layers"), CASES, ids=[code.__name__ for code, _ in CASES])
def test_an_edge_is_a_value_that_one_returned_and_another_took_in(
    code: Callable[..., Any], layers: dict[str, nn.Module]
) -> None:
    """The docstring of the code has its edges, which were read off it."""
    edges = " ".join(str(code.__doc__).removeprefix("Edges.").split())
    assert arrows(graph_of(Coded(code, **layers))) == set(edges.split("; "))


@pytest.mark.parametrize(("code", "layers"), CASES, ids=[code.__name__ for code, _ in CASES])
def test_looking_leaves_what_the_model_computes(
    code: Callable[..., Any], layers: dict[str, nn.Module]
) -> None:
    """Also where layers hand on what they were given, and where the model writes in place."""
    net, image = Coded(code, **layers).eval(), torch.randn(2, 4)
    before = copy.deepcopy(net)
    seen: list[Any] = []
    activations = LayerActivations(net, "cpu")
    with activations.watch(lambda _, output: seen.append(output)):
        model_graph(activations, image)
    expected: list[Any] = []
    other = LayerActivations(before, "cpu")
    with other.watch(lambda _, output: expected.append(output)):
        other.run(image)
    torch.testing.assert_close(seen, expected, rtol=0, atol=0)


def test_containers_hold_what_runs_inside_them_and_have_no_edges() -> None:
    """Two levels, of which the inner one has an operation of its own; edges pass through both."""
    inner = Coded(residual, a=linear())
    net = nn.Sequential(nn.Sequential(inner, nn.ReLU()), linear())
    found = graph_of(net)
    assert parents(found) == {
        "input": None,
        "0": None,
        "0.0": "0",
        "0.0.a": "0.0",
        "0.0 › add": "0.0",
        "0.1": "0",
        "1": None,
        "output": None,
    }
    assert [label(node) for node in found.nodes] == list(parents(found))  # a container before its contents
    assert arrows(found) == {
        "input -> 0.0.a",
        "input -> 0.0 › add",
        "0.0.a -> 0.0 › add",
        "0.0 › add -> 0.1",
        "0.1 -> 1",
        "1 -> output",
    }
    assert {node.name: node.type for node in found.nodes} == {
        "input": "input",
        "0": "Sequential",
        "0.0": "Coded",
        "0.0.a": "Linear",
        "0.0 › add": "add",
        "0.1": "ReLU",
        "1": "Linear",
        "output": "output",
    }


def test_a_tuple_has_edges_from_each_of_its_tensors() -> None:
    """A layer that returns two tensors has no one shape; what it does inside are nodes of their own."""
    found = graph_of(Coded(parted, a=linear(), halves=Halves()), torch.randn(2, 4))
    shapes = {node.name: node.shape for node in found.nodes}
    assert shapes["halves"] is None
    assert shapes["halves › view"] == (2, 2, 2)
    assert {"halves › view -> › cat", "› cat -> a", "a -> output"} <= arrows(found)
    lstm = graph_of(nn.Sequential(nn.LSTM(4, 4)), torch.randn(2, 3, 4))
    assert arrows(lstm) == {
        "input -> 0",
        "0 -> output[0]",
        "0 -> output[1][0]",
        "0 -> output[1][1]",
    }


def test_several_inputs_are_nodes_of_their_own() -> None:
    """Each with the path of its tensor."""
    net = Coded(lambda net, x, y: net.a(x) + y, a=linear())
    found = graph_of(net, torch.randn(2, 4), torch.randn(2, 4))
    assert arrows(found) == {"input[0] -> a", "a -> › add", "input[1] -> › add", "› add -> output"}


def test_a_layer_of_a_library_without_operations_passes_values_on() -> None:
    """A layer that returns what it was given, and one that copies it by a function that is no operation."""
    same, copied = Coded(lambda _, x: x), Coded(lambda _, x: x.clone())
    net = Coded(lambda net, x: (net.same(x), net.copied(x), net.a(x)), same=same, copied=copied, a=linear())
    assert arrows(graph_of(net)) == {
        "input -> same",
        "input -> copied",
        "input -> a",
        "same -> output[0]",
        "copied -> output[1]",
        "a -> output[2]",
    }


def test_a_pass_that_fails_half_way_gives_the_graph_up_to_there() -> None:
    """The error stands at the layer that raised it, with its edge; what is around and before has none."""
    net = nn.Sequential(linear(), nn.Sequential(nn.ReLU(), nn.Linear(5, 4)), linear())
    found = graph_of(net)
    assert arrows(found) == {"input -> 0", "0 -> 1.0", "1.0 -> 1.1"}
    errors = {node.name: node.error for node in found.nodes if node.error is not msgspec.UNSET}
    assert list(errors) == ["1.1"]
    assert "mat1 and mat2 shapes cannot be multiplied" in str(errors["1.1"])


def test_a_failing_operation_has_its_error_and_the_models_own_code_at_the_output() -> None:
    """An operation that does not fit, and an exception that the code raises itself."""

    def stop(net: Any, x: torch.Tensor) -> None:
        net.a(x)
        raise ValueError("no more")

    misfit = graph_of(Coded(lambda net, x: net.a(x) + torch.ones(3), a=linear()))
    assert [node.name for node in misfit.nodes if node.error] == ["› add"]
    assert arrows(misfit) == {"input -> a", "a -> › add", "› ones -> › add"}
    stopped = graph_of(Coded(stop, a=linear()))
    assert [(node.name, node.error) for node in stopped.nodes if node.error] == [
        ("output", "ValueError: no more")
    ]


def test_a_model_may_go_on_after_an_exception() -> None:
    """A layer inside a block raises, as does an operation; the model catches both, and goes on."""

    def tried(net: Any, x: torch.Tensor) -> torch.Tensor:
        try:
            return net.block(x)
        except RuntimeError:
            pass
        try:
            return x + torch.ones(3)
        except RuntimeError:
            return net.a(x)

    found = graph_of(Coded(tried, block=nn.Sequential(nn.ReLU(), nn.Linear(3, 3)), a=linear()))
    assert arrows(found) == {
        "input -> block.0",
        "block.0 -> block.1",
        "input -> › add",
        "› ones -> › add",
    } | {
        "input -> a",
        "a -> output",
    }
    assert parents(found)["a"] is None
    assert [node.name for node in found.nodes if node.error] == ["block.1", "› add"]


def test_an_edit_that_cannot_be_is_refused_as_elsewhere() -> None:
    """It is no failure of the model."""
    layers = LayerActivations(nn.Sequential(linear()), "cpu")
    with pytest.raises(EditError), layers.edit("0", output=lambda _: None):
        model_graph(layers, torch.randn(2, 4))


def test_nothing_is_left_behind() -> None:
    """No hook, and no mode that sees operations."""
    net = nn.Sequential(linear(), nn.Linear(5, 5))
    graph_of(net)
    for layer in net.modules():
        assert not layer._forward_hooks
        assert not layer._forward_pre_hooks
    assert not torch.utils._python_dispatch.is_in_torch_dispatch_mode()
