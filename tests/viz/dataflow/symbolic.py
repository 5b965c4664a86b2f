"""The data flow of a model by another way: torch.fx traces its code with proxies, and no value flows at all.

What fx cannot know is added by running its graph: which of its nodes return tensors, and not sizes.
"""

from collections import defaultdict
from collections.abc import Iterable
from operator import getitem
from typing import Any, NamedTuple

import torch
from torch import fx, nn

# fx takes these for functions of one piece, so that their code is a node; ours has the operations in it.
WRAPPED = {"ShiftedWindowAttention", "ShiftedWindowAttentionV2", "PatchMerging", "PatchMergingV2"}
# They hand on what they are given, or a copy.
PASSING = {"getattr", "contiguous", "to", "expand_as", "clone", "detach", "type_as", "unbind"}


class Traced(NamedTuple):
    """Labels of all nodes with a value, edges between them, and the layers that have nothing inside."""

    nodes: list[str]
    edges: set[tuple[str, str]]
    leaves: set[str]


class Tracer(fx.Tracer):
    """Looks into every layer but torch's own, those without layers inside, and those with wrapped code."""

    proxy_buffer_attributes = True  # else it computes what depends on buffers alone, and has no node for it

    def __init__(self) -> None:
        super().__init__()
        self.leaves: set[str] = set()

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        """Return whether fx is not to look inside."""
        one = type(m).__name__ in WRAPPED or next(m.children(), None) is None
        leaf = one or super().is_leaf_module(m, module_qualified_name)
        self.leaves |= {module_qualified_name} if leaf else set()
        return leaf


class Kinds(fx.Interpreter):
    """Runs the graph, and notes which nodes return tensors, and which take from a tuple."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module, garbage_collect_values=False)
        self.tensors: set[fx.Node] = set()
        self.parts: set[fx.Node] = set()

    def run_node(self, n: fx.Node) -> Any:
        """Run one node."""
        value = super().run_node(n)
        if any(isinstance(each, torch.Tensor) for each in _flat(value)):
            self.tensors.add(n)
        first = n.args[0] if n.args else None
        if n.target is getitem and isinstance(first, fx.Node) and isinstance(self.env[first], tuple | list):
            self.parts.add(n)
        return value


def traced(model: nn.Module, image: torch.Tensor) -> Traced:
    """Return the data flow of a model's code."""
    tracer = Tracer()
    graph = tracer.trace(model)
    kinds = Kinds(fx.GraphModule(model, graph))
    with torch.no_grad():
        kinds.run(image)
    labels = _labels(graph.nodes, kinds)
    edges = {(source, labels[node]) for node in labels for source in _sources(node, labels, kinds)}
    return Traced(list(labels.values()), edges, tracer.leaves)


def _labels(nodes: Iterable[fx.Node], kinds: Kinds) -> dict[fx.Node, str]:
    calls: dict[str, int] = defaultdict(int)
    labels = {}
    for node in nodes:
        name = _name(node)
        if name and (node in kinds.tensors or node.op == "output") and node not in kinds.parts:
            labels[node] = f"{name}#{calls[name]}"
            calls[name] += 1
    return labels


def _name(node: fx.Node) -> str:
    """Return a layer's name, or the layer in whose code a function is called, and the function's name."""
    if node.op in {"placeholder", "output"}:
        return {"placeholder": "input"}.get(node.op, node.op)
    if node.op == "call_module":
        return str(node.target)
    if node.op == "get_attr":
        return ""
    function = str(getattr(node.target, "__name__", node.target)).strip("_")
    function = {"iadd": "add", "imul": "mul", "truediv": "div"}.get(function, function)
    around = [name for name, _ in node.meta.get("nn_module_stack", {}).values()]
    return "" if function in PASSING else f"{around[-1] if around else ''} › {function}".strip()


def _sources(node: fx.Node, labels: dict[fx.Node, str], kinds: Kinds) -> set[str]:
    found: set[str] = set()
    for given in node.all_input_nodes:
        if given in labels:
            found.add(labels[given])
        elif given in kinds.tensors:
            found |= _sources(given, labels, kinds)
    return found


def _flat(value: Any) -> Iterable[Any]:
    if isinstance(value, tuple | list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _flat(part)
    else:
        yield value
