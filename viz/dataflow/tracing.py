"""The graph of a model from one pass: calls, operations and edges."""

import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import torch
from msgspec import UNSET
from torch import Tensor, nn

from ..answers.views.graph import GraphEdge, GraphFacts, GraphNode
from ..errors import VizError
from ..hooks.activations import LayerActivations
from ..hooks.functional import Operation, Place, is_one_operation
from ..hooks.taps import Tap
from ..hooks.values.gradients import recomputing
from ..hooks.values.structure import leaves, map_tensors, tensors_in
from ..layer_names import called_function, is_operation
from .origins import Nodes, Origins, union

INPUT, OUTPUT = "input", "output"  # types of nodes, and what the path of a single one is called


def model_graph(layers: LayerActivations, *inputs: Any) -> GraphFacts:
    """Return the graph of a model, from one pass on these inputs.

    A pass that fails gives the graph up to there, with the error at the node that raised it, or at the output
    if the model's own code did.

    Raises:
        VizError: an open block, such as an edit, refused the pass.
    """

    def tap(by_layer: Mapping[Place, str]) -> Flow:
        return Flow(layers.model, by_layer)

    with layers.trace(tap) as flow:
        try:
            layers.run(*inputs)
        except VizError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever the model raises belongs to its graph
            flow.fail(error)
    return flow.graph()


@dataclass
class _Node:
    """A node while the model runs."""

    number: int
    name: str
    type: str
    call: int
    parent: int | None
    shape: tuple[int, ...] | None = None
    error: str = ""
    silent: bool = False  # a function that returned no tensor


@dataclass
class _Frame:
    """A call that has not ended.

    Attributes:
        node: None for the model itself.
        taken: the nodes whose values it took in.
        given: the tensors that it was given, held so that no other takes their place.
        writes: how many writes in place there had been when it began.
        one: whether all that it does itself is the node's work: an operation, or one of torch's layers.
        full: whether other nodes are inside it.
    """

    name: str
    node: int | None
    taken: Nodes
    given: list[Tensor]
    writes: int
    one: bool
    full: bool = False


class Flow(Tap):
    """Record of calls and operations, and the origins of their inputs."""

    inside_fused = False

    def __init__(self, model: nn.Module, layers: Mapping[Place, str]) -> None:
        super().__init__({**layers, model: "", Operation(model): ""})
        self._modules = {name: layer for layer, name in layers.items() if isinstance(layer, nn.Module)}
        self._nodes: list[_Node] = []
        self._edges: list[tuple[int, int]] = []
        self._open: list[_Frame] = []
        self._calls: Counter[str] = Counter()
        self._origins = Origins(self._running)
        self._ended = ""  # the layer whose call has just returned
        self._raised: BaseException | None = None

    def around(self) -> AbstractContextManager[Any]:
        """Follow tensors for one run."""
        return self._origins

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Note that a call begins, and where its inputs come from."""
        if not recomputing():
            with self._origins.unseen():
                self._begin(name, args, kwargs)
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Note the end of a call, and return its output.

        The tensors in it are known to be the call's own.
        """
        if recomputing():
            return output
        with self._origins.unseen():
            self._close(name)
            frame, self._ended = self._open.pop(), name
            return self._end(frame, output)

    def left(self, name: str) -> None:
        """Note a call that raised, even if the code goes on."""
        if name != self._ended:
            self._close(name)
            self._fail(self._open.pop(), sys.exc_info()[1])
        self._ended = ""

    def fail(self, error: BaseException) -> None:
        """Note that the model raised."""
        while self._open:
            self._fail(self._open.pop(), error)
        if error is not self._raised:
            self._add(OUTPUT, OUTPUT).error = _said(error)

    def graph(self) -> GraphFacts:
        """Return what was noted."""
        heard = [number for number, node in enumerate(self._nodes) if not node.silent]
        ids = {number: place for place, number in enumerate(heard)}
        edges = sorted({(ids[target], ids[source]) for source, target in self._edges})
        return GraphFacts(
            nodes=tuple(_told(self._nodes[number], ids) for number in heard),
            edges=tuple(GraphEdge(source=source, target=target) for target, source in edges),
        )

    def _running(self) -> int | None:
        return self._open[-1].node if self._open and self._open[-1].one else None

    def _begin(self, name: str, args: Any, kwargs: Any) -> None:
        given = tensors_in((args, kwargs))
        if not self._open:
            self._inputs(args, kwargs)
            node, one = None, False
        else:
            self._close_operation()
            node = self._begun(name)
            one = is_operation(name) or is_one_operation(self._modules[name])
        taken = union(map(self._origins.of, given))
        self._open.append(_Frame(name, node, taken, given, self._origins.writes, one))

    def _begun(self, name: str) -> int:
        kind = called_function(name).split()[0] if is_operation(name) else type(self._modules[name]).__name__
        self._open[-1].full = True
        self._add(name, kind, parent=self._open[-1].node)
        return len(self._nodes) - 1

    def _inputs(self, args: Any, kwargs: Any) -> None:
        given = args[0] if len(args) == 1 and not kwargs else (*args, *kwargs.values())
        for path, tensor in leaves(given, INPUT).items():
            self._add(path, INPUT, tensor)
            self._origins.come(tensor, len(self._nodes) - 1)

    def _end(self, frame: _Frame, output: Any) -> Any:
        found = list(leaves(output).values())
        if frame.node is None:
            for path, tensor in leaves(output, OUTPUT).items():
                self._add(path, OUTPUT, tensor)
                self._edges += [(source, len(self._nodes) - 1) for source in self._origins.of(tensor)]
            return output
        node = self._nodes[frame.node]
        if is_operation(frame.name) and not found:
            node.silent = True
            self._calls[frame.name] -= 1
            return output
        node.shape = tuple(found[0].shape) if len(found) == 1 else None
        if frame.full:
            return output
        self._take(frame, frame.node)
        return self._own(output, frame, frame.node)

    def _own(self, output: Any, frame: _Frame, node: int) -> Any:
        """Return the output with a new object for each unchanged input tensor.

        Whoever reads the old object reads what the node was given, not what it returned.
        """
        given = {id(tensor) for tensor in frame.given}
        new = {
            id(tensor): _alias(tensor)
            for tensor in tensors_in(output)
            if id(tensor) in given and not self._origins.changed(tensor, frame.writes)
        }
        if new:
            output = map_tensors(output, lambda tensor: new.get(id(tensor), tensor))
        for tensor in tensors_in(output):
            self._origins.come(tensor, node)
        return output

    def _take(self, frame: _Frame, node: int) -> None:
        self._edges += [(source, node) for source in frame.taken]

    def _close(self, name: str) -> None:
        """Give up what was begun inside a call, and raised unseen."""
        while self._open[-1].name != name:
            self._fail(self._open.pop(), sys.exc_info()[1])

    def _close_operation(self) -> None:
        """Give up an operation that raised, and whose caller caught that.

        No node begins inside an operation.
        """
        if is_operation(self._open[-1].name):
            self._fail(self._open.pop(), None)

    def _fail(self, frame: _Frame, error: BaseException | None) -> None:
        if frame.node is None:
            return
        if not frame.full:
            self._take(frame, frame.node)
        if error is None or error is not self._raised:
            self._nodes[frame.node].error = _said(error) if error else "raised"
            self._raised = error

    def _add(self, name: str, kind: str, tensor: Tensor | None = None, parent: int | None = None) -> _Node:
        shape = None if tensor is None else tuple(tensor.shape)
        self._nodes.append(node := _Node(len(self._nodes), name, kind, self._calls[name], parent, shape))
        self._calls[name] += 1
        return node


def _alias(tensor: Tensor) -> Tensor:
    """Return another object of the same values; special tensors stay themselves."""
    if type(tensor) is not Tensor:
        return tensor
    alias: Tensor = torch.ops.aten.alias.default(tensor)
    vars(alias).update(vars(tensor))
    return alias


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _told(node: _Node, ids: Mapping[int, int]) -> GraphNode:
    return GraphNode(
        id=ids[node.number],
        name=node.name,
        type=node.type,
        call=node.call,
        shape=node.shape,
        parent=None if node.parent is None else ids[node.parent],
        error=node.error or UNSET,
    )
