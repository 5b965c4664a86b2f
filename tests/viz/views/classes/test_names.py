"""Channels that are the classes, asked of an engine."""

from tests.viz.subjects import Shelf, photo, wanted
from viz.engine.engine import Engine
from viz.views.classes.names import Names


def test_the_layer_that_made_the_output_is_asked_for_once(engine: Engine, shelf: Shelf) -> None:
    """The second call of ``last``; the first one returns as many numbers. Its sigmoid makes no scores."""
    request = wanted(photo(1))
    task = Names(photo(1), request.model, request.weights)
    found = engine.do(task, visitor="v").result()
    assert [tuple(each) for each in found] == [("last", 1, False)]
    passes = shelf.net.passes
    assert engine.do(task, visitor="w").result() == found
    assert shelf.net.passes == passes
