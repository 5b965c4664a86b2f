"""Facts of a lesson about the visitor's own layer."""

from dataclasses import replace

from viz.answers.teaching.learning import GivenHook
from viz.pictures.photo import Photo
from viz.profile.event import Event
from viz.request.inspection import Inspection
from viz.ui.learning.live_facts import events_of, kept_facts, live_facts
from viz.ui.visit.service import engine
from viz.views.hook_tasks import MemoryTask, TimelineTask


def events(wanted: Inspection, photo: Photo) -> tuple[Event, ...]:
    """All events of a pass through LeNet."""
    return engine().do(TimelineTask(wanted, photo), visitor="test").result()


def test_the_hooks_of_the_layer_are_listed_as_they_fired(wanted: Inspection, photo: Photo) -> None:
    """A convolution: what its pre-hook and its forward hook are given, by LeNet's own shapes."""
    mine = replace(wanted, layer="conv2")
    found = live_facts(events_of(events(mine, photo), mine), mine, "en")
    assert found.hooks == (
        GivenHook(hook="pre-hook", given="(1, 6, 14, 14)"),
        GivenHook(hook="forward hook", given="(1, 6, 14, 14) · (1, 16, 10, 10)"),
    )
    assert "<code>conv2</code> in <strong>lenet</strong>" in found.text


def test_another_call_and_another_layer_are_left_out(wanted: Inspection, photo: Photo) -> None:
    """LeNet calls each layer once, so a second call has no events, and a sentence says so."""
    second = replace(wanted, call=1)
    assert events_of(events(second, photo), second) == []
    found = live_facts([], second, "en")
    assert found.hooks == ()
    assert found.text.startswith("None of this layer's hooks fires: ")


def test_ways_to_keep_a_value_are_named_as_code(wanted: Inspection, photo: Photo) -> None:
    """No layer of LeNet writes into another's memory, so nothing is wrong after the pass."""
    found = kept_facts(engine().do(MemoryTask(wanted, photo), visitor="test").result())
    assert [each.way for each in found] == [
        "output",
        "output.detach()",
        "output.cpu()",
        "output.clone()",
    ]
    assert {each.wrong for each in found} == {"0 %"}
