"""Calls of layers in an ONNX graph, from its scopes.

PyTorch's exporters write the scopes into it.

The exporter of ``torch.export`` puts them into a node's metadata, the one before it into the node's name, as
``/layer1/layer1.0/conv1/Conv``. In a graph without them each node is a call, named after what it computes.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_SCOPES = "pkg.torch.onnx.name_scopes"
_AGAIN = re.compile(r"(.+)_(\d+)")  # the exporter before writes relu_1 for the second call of relu
_KINDS = {"Gemm": "Linear", "MatMul": "Linear", "BatchNormalization": "BatchNorm", "Relu": "ReLU"}


@dataclass(frozen=True)
class NodeRun:
    """Nodes that follow each other and are one call of a layer.

    Attributes:
        name: the layer's.
        call: which of its calls, from 0.
        first: the first node's place.
        last: the last node's.
        own: the place of the last node with the layer's scope; those after it have none.
        outputs: the values that leave the call, in the order of its nodes.
    """

    name: str
    call: int
    first: int
    last: int
    own: int
    outputs: tuple[str, ...]


def node_runs(graph: Any) -> list[NodeRun]:
    """Return all calls of layers in the order of their ends.

    The model's own call is the last.
    """
    nodes, results = list(graph.node), [value.name for value in graph.output]
    fixed = constants(graph)
    scopes = _scopes(nodes, fixed)
    users = _last_users(nodes, results, fixed)
    found = [
        (name, first, last, own, leaving)
        for name, first, last, own in _runs(scopes)
        if (leaving := tuple(_leaving(nodes[first : last + 1], first, (own, last), users)))
    ]
    found.sort(key=lambda each: (each[2], -each[1]))
    calls = Counter[str]()
    runs = []
    for name, first, last, own, leaving in found:
        runs.append(NodeRun(name, calls[name], first, last, own, leaving))
        calls[name] += 1
    return [*runs, NodeRun("", 0, 0, len(nodes) - 1, len(nodes) - 1, tuple(results))]


def constants(graph: Any) -> set[str]:
    """Return the names of values that do not depend on the input.

    They are the weights, and values made of them alone.
    """
    found = {each.name for each in graph.initializer}
    for node in graph.node:
        if all(name in found for name in node.input if name):
            found.update(node.output)
    return found


def kind(node: Any) -> str:
    """Return the class of layers that does a node's work.

    It is guessed by the name of the node's type.
    """
    name: str = node.op_type
    return _KINDS.get(name, name)


def _scopes(nodes: Sequence[Any], fixed: set[str]) -> list[tuple[str, ...] | None]:
    """Return the names of the layers around each node, outermost first.

    None stands for a node that belongs to the layer around it whatever that is: the exporter has added it
    without saying where, or it does not depend on the input.
    """
    found = [None if node.output[0] in fixed else _around(node) for node in nodes]
    if not any(found):
        return [None if node.output[0] in fixed else tuple(node.output[:1]) for node in nodes]
    known = {name for scopes in found for name in scopes or ()}
    return [scopes and tuple(_plain(name, known) for name in scopes) for scopes in found]


def _around(node: Any) -> tuple[str, ...] | None:
    said = _said(node)
    return _named(node.name) if said is None else said


def _said(node: Any) -> tuple[str, ...] | None:
    """Return the scopes of layers in a node's metadata.

    The model's own is the outermost there, and the operation's the innermost: both are left out.
    """
    said = next((each.value for each in node.metadata_props if each.key == _SCOPES), "")
    try:
        scopes = ast.literal_eval(said)
    except (ValueError, SyntaxError):
        return None
    return tuple(map(str, scopes[1:-1])) if isinstance(scopes, list) else None


def _named(name: str) -> tuple[str, ...] | None:
    """Return the scopes in a node's name as whole names.

    Those of ``layer1.0`` and ``conv1`` are ``layer1.0`` and ``layer1.0.conv1``.

    What lies in a Sequential has its name in front, as in ``/layer1/layer1.0/conv1``.
    """
    if not name.startswith("/"):
        return None
    whole: list[str] = []
    parts = name.split("/")[1:-1]
    for before, part in zip(["", *parts], parts, strict=False):
        own = part.removeprefix(f"{before}.") if before else part
        whole.append(f"{whole[-1]}.{own}" if whole else own)
    return tuple(whole)


def _plain(name: str, known: set[str]) -> str:
    """Return a layer's name without the number of its call."""
    again = _AGAIN.fullmatch(name)
    return again[1] if again and again[1] in known else name


def _runs(scopes: Sequence[tuple[str, ...] | None]) -> Iterator[tuple[str, int, int, int]]:
    """Yield each layer's runs of nodes: (name, first, last, own)."""
    begun: dict[str, int] = {}
    own = 0
    for place, around in enumerate([*scopes, ()]):
        if around is None:
            continue
        for name in [each for each in reversed(begun) if each not in around]:
            yield name, begun.pop(name), place - 1, own
        for name in around:
            begun.setdefault(name, place)
        own = place


def _last_users(nodes: Sequence[Any], results: Sequence[str], fixed: set[str]) -> dict[str, int]:
    """Return the place of the last node that takes each value.

    A value that the model returns has the place after the last node.

    Values that do not depend on the input are no layer's output, and left out.
    """
    users = {value: place for place, node in enumerate(nodes) for value in node.input if value not in fixed}
    return users | dict.fromkeys(results, len(nodes))


def _leaving(nodes: Sequence[Any], first: int, ends: tuple[int, int], users: dict[str, int]) -> Iterator[str]:
    """Yield the values of a layer's nodes that are used after them.

    The layer may end before nodes without a scope, or after them.
    """
    own, last = ends
    for place, node in enumerate(nodes, first):
        end = own if place <= own else last
        yield from (value for value in node.output if value and users.get(value, -1) > end)
