"""The graph of a model: one pass's calls, operations and values."""

from msgspec import UNSET, UnsetType, field

from ..message import Answer, Message, Shape


class GraphNode(Message, frozen=True, kw_only=True):
    """A call of a layer, an operation, or an input or output.

    An operation has no layer of its own; inputs and outputs are the model's.

    Attributes:
        id: its place in execution order; a layer comes before what runs inside it.
        name: the layer's or the operation's, as in tree.json; of an input or output its path, ``output[0]``.
        type: the layer's class, the operation's function, ``input`` or ``output``.
        call: which of the calls of this name, counted from 0.
        shape: of what it returned; null if that is not one tensor.
        parent: the call of the layer in whose code it ran; null for the model's own.
        error: what was raised there; left out if nothing was.
    """

    id: int
    name: str
    type: str
    call: int
    shape: Shape | None
    parent: int | None
    error: str | UnsetType = UNSET


class GraphEdge(Message, frozen=True, kw_only=True):
    """A value that one node returned and another took in.

    Neither node has nodes inside it.
    """

    source: int = field(name="from")
    target: int = field(name="to")


class GraphFacts(Answer, frozen=True, kw_only=True):
    """graph.json: the model as a graph, from one pass.

    If the pass failed, it is the graph up to there.

    Attributes:
        nodes: in execution order, the model's inputs first and its outputs last.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
