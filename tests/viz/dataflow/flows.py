"""Nets with one hazard each for who follows values, and graphs as text that one can write by hand."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from viz.answers.views.graph import GraphFacts, GraphNode
from viz.dataflow.tracing import model_graph
from viz.hooks.activations import LayerActivations


class Coded(nn.Module):
    """Layers by name, and a function for the code that calls them."""

    def __init__(self, code: Callable[..., Any], **layers: nn.Module) -> None:
        super().__init__()
        self.code = code
        for name, layer in layers.items():
            self.add_module(name, layer)

    def forward(self, *args: Any) -> Any:
        """Run the code with the layers at hand."""
        return self.code(self, *args)


def graph_of(model: nn.Module, *inputs: Any) -> GraphFacts:
    """Return the graph of a net; without inputs for a tensor (2, 4)."""
    return model_graph(LayerActivations(model, "cpu"), *(inputs or (torch.randn(2, 4),)))


def label(node: GraphNode) -> str:
    """Return the name of a node, from its second call on with its number: ``relu#1``."""
    return f"{node.name}#{node.call}" if node.call else node.name


def arrows(graph: GraphFacts) -> set[str]:
    """Return the edges, such as ``conv -> relu``."""
    return {f"{label(graph.nodes[e.source])} -> {label(graph.nodes[e.target])}" for e in graph.edges}


def parents(graph: GraphFacts) -> Mapping[str, str | None]:
    """Return for each node the call that contains it."""
    return {
        label(node): None if node.parent is None else label(graph.nodes[node.parent]) for node in graph.nodes
    }
