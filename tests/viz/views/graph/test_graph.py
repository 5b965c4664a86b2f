"""The graph as an answer of an engine: once for equal requests, with the edits in force."""

from tests.machine import patience
from tests.viz.subjects import Shelf, photo, wanted
from viz.engine.engine import Engine
from viz.request.edit_request import EditRequest
from viz.views.graph.graph import GraphTask

PICTURE = photo(1)


def test_a_graph_is_made_once_whatever_layer_is_looked_at(engine: Engine, shelf: Shelf) -> None:
    """One sigmoid has two names and runs twice; the ReLU writes in place."""
    asked = [GraphTask(wanted(PICTURE, layer), PICTURE) for layer in ("first", "second")]
    first, second = (engine.do(task, visitor="v").result(patience(60)) for task in asked)
    assert first == second
    assert shelf.net.passes == 1 + 2 + 1  # the survey, two that see what looking changes, the graph
    layers = [(node.name, node.call) for node in first.nodes if node.type in {"Conv2d", "ReLU", "Sigmoid"}]
    assert layers == [("first", 0), ("relu", 0), ("second", 0), ("last", 0), ("last", 1)]


def test_edits_are_in_force(engine: Engine) -> None:
    """They may change which way a model takes, so that is another question; here the way is the same."""
    plain, edited = (
        GraphTask(wanted(PICTURE, "first", edits=edits), PICTURE) for edits in ((), (EditRequest("first"),))
    )
    assert plain.key != edited.key
    answers = [engine.do(task, visitor="v").result(patience(60)) for task in (plain, edited)]
    assert answers[0].nodes == answers[1].nodes
    assert answers[0].edges == answers[1].edges
