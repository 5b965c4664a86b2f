"""Answers of an engine about hooks: with edits in force, once for equal requests, within its limits."""

import numpy as np
import pytest
from torch import nn

from tests.machine import patience
from tests.viz.subjects import Shelf, by_hand, photo, subject, wanted
from viz.engine.engine import Engine, LocalEngine
from viz.engine.limits import Limits
from viz.errors import CallError, RequestError, TooLargeError, UnknownLayerError
from viz.request.edit_request import EditRequest
from viz.views.hook_tasks import MemoryTask, TimelineTask, WrittenTask

PICTURE = photo(1)
ZEROED = (EditRequest("first"),)
THERE = ("pre-hook", "forward hook")


def test_a_timeline_is_made_once_whatever_layer_is_looked_at(engine: Engine, shelf: Shelf) -> None:
    """Five calls have two forward hooks each; with a class, the backward pass is another task."""
    asked = [TimelineTask(wanted(PICTURE, layer), PICTURE) for layer in ("first", "second")]
    first, second = (engine.do(task, visitor="v").result(patience(60)) for task in asked)
    assert first == second
    assert shelf.net.passes == 1 + 2 + 1  # the survey, two that see what looking changes, the timeline
    calls = [("first", 0), ("relu", 0), ("second", 0), ("last", 0), ("last", 1)]
    assert [(e.layer, e.call, e.kind) for e in first] == [(*call, kind) for call in calls for kind in THERE]
    back = engine.do(TimelineTask(wanted(PICTURE, "first", gradient=1), PICTURE), visitor="v").result(
        patience(60)
    )
    assert {event.kind for event in back} > set(THERE)


def test_a_score_without_the_axis_of_classes_has_a_way_back_too() -> None:
    """A net that returns one number for each picture (N,)."""
    net = nn.Sequential(nn.Conv2d(3, 1, 8), nn.Flatten(0))
    engine = LocalEngine(lambda *_: subject(net), device="cpu")
    try:
        events = engine.do(TimelineTask(wanted(PICTURE, "0", gradient=0), PICTURE), visitor="v")
        assert {event.kind for event in events.result(patience(60))} > set(THERE)
    finally:
        engine.close()


def test_memory_is_that_of_the_request_with_its_edits(engine: Engine) -> None:
    """The ReLU overwrites negative values; a layer that is zero everywhere has none."""
    value = by_hand(PICTURE)["first"][0]
    found = engine.do(MemoryTask(wanted(PICTURE, "first"), PICTURE), visitor="v").result(patience(60))
    assert found.changed == pytest.approx(float((value < 0).mean()))
    assert (found.writes, found.shape) == (1, (1, 4, 6, 6))
    edited = MemoryTask(wanted(PICTURE, "first", edits=ZEROED), PICTURE)
    assert engine.do(edited, visitor="v").result(patience(60)).changed == 0.0
    assert np.any(value < 0)


def test_the_layers_that_are_written_to_are_named(engine: Engine) -> None:
    """In this net that is only the first convolution."""
    task = WrittenTask(wanted(PICTURE, "second"), PICTURE)
    assert engine.do(task, visitor="v").result(patience(60)) == ("first",)


def test_what_takes_too_much_memory_is_refused_before_it_is_done(local_shelf: Shelf) -> None:
    """The timeline of a backward pass and a layer's memory; the list of layers is left empty instead."""
    engine = LocalEngine(local_shelf, device="cpu", limits=Limits(capture=100, whole_pass=100))
    request = wanted(PICTURE, "first", gradient=0)
    try:
        for task in (TimelineTask(request, PICTURE), MemoryTask(request, PICTURE)):
            with pytest.raises(TooLargeError, match="more than the"):
                engine.do(task, visitor="v").result(patience(60))
        assert engine.do(WrittenTask(request, PICTURE), visitor="v").result(patience(60)) == ()
        assert local_shelf.net.passes == 1 + 2  # only the survey's, and two that see what looking changes
    finally:
        engine.close()


@pytest.mark.parametrize("task", [TimelineTask, MemoryTask, WrittenTask])
def test_a_request_under_another_pictures_name_is_refused(engine: Engine, task: type) -> None:
    """Otherwise its answer would be served for that picture."""
    with pytest.raises(RequestError, match="a different picture"):
        engine.do(task(wanted(PICTURE), photo(2)), visitor="v")


def test_what_is_not_there_is_a_clear_error_and_the_next_request_works(engine: Engine) -> None:
    """No such call, layer or class."""
    for task, error in (
        (MemoryTask(wanted(PICTURE, "first", call=3), PICTURE), CallError),
        (MemoryTask(wanted(PICTURE, "frist"), PICTURE), UnknownLayerError),
        (TimelineTask(wanted(PICTURE, "first", gradient=9), PICTURE), RequestError),
    ):
        with pytest.raises(error):
            engine.do(task, visitor="v").result(patience(60))
    assert engine.do(WrittenTask(wanted(PICTURE), PICTURE), visitor="v").result(patience(60)) == ("first",)
