"""The graph of a model, from one pass on the task's picture."""

from ...answers.views.graph import GraphFacts
from ...dataflow.tracing import model_graph
from ...engine.task import Bench
from ..graph.graph import GraphTask


def graph_of(task: GraphTask, bench: Bench) -> GraphFacts:
    """Return the graph, with the edits in force.

    They may change which way the model takes.
    """
    loaded = bench.loaded(task.wanted.model, task.wanted.weights)
    with loaded.as_wanted(task.wanted.forward, task.photo):
        return model_graph(loaded.layers, *loaded.inputs.of(task.photo))
