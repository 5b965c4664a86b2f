"""A timeline to look at: everything is shown if it fits, the chosen layer always; bars nest."""

import json

import pytest
import torch
from torch import nn

from viz.answers.hooks import HookBar
from viz.answers.message import as_json
from viz.hooks.activations import LayerActivations
from viz.profile.event import Event
from viz.profile.events import timeline
from viz.views.hook_bars import bars, hook_bar_facts, shown
from viz.views.hook_code import hook_code


@pytest.fixture
def events() -> tuple[Event, ...]:
    """A net of two blocks of two layers each, forward and backward."""
    torch.manual_seed(0)
    blocks = (nn.Sequential(nn.Linear(4, 4), nn.Tanh()) for _ in range(2))
    return timeline(LayerActivations(nn.Sequential(*blocks), device="cpu"), torch.ones(1, 4), target=1)


def test_what_fits_is_shown_whole(events: tuple[Event, ...]) -> None:
    """Six layers with five hooks each."""
    facts = hook_bar_facts(events, "0.1")
    assert (facts.total, facts.left_out, facts.folded) == (30, 0, 0)
    assert [event.layer for event in facts.events] == [event.layer for event in events]
    assert len(json.loads(as_json(facts))["bars"]) == len(facts.bars)


def test_of_more_than_fits_the_outer_layers_and_the_chosen_one_remain(events: tuple[Event, ...]) -> None:
    """Both blocks and what is inside the chosen one's; the rest is counted."""
    facts = hook_bar_facts(events, "1.0", most=20)
    assert {event.layer for event in facts.events} == {"0", "1", "1.0", "1.1"}
    assert (facts.left_out, facts.folded) == (10, 2)
    inside = hook_bar_facts(events, "1", most=20)
    assert {event.layer for event in inside.events} == {"0", "1", "1.0", "1.1"}
    tight = hook_bar_facts(events, "1.0", most=15)
    assert {event.layer for event in tight.events} == {"1", "1.0", "1.1"}
    assert {event.layer for event in hook_bar_facts(events, "1.0", most=10).events} == {"1", "1.0"}


def test_each_event_has_its_code_and_its_number_in_the_whole_pass(events: tuple[Event, ...]) -> None:
    """Lines are sent once, however many hooks share them; numbers count those that are not shown, too."""
    facts = hook_bar_facts(events, "1.0", most=15, target=1)
    assert [events[event.number].layer for event in facts.events] == [event.layer for event in facts.events]
    assert len(set(facts.lines)) == len(facts.lines)
    shown_here = [event for event in events if event.layer in {"1", "1.0", "1.1"}]
    for told, event in zip(facts.events, shown_here, strict=True):
        code = hook_code(event, 1)
        assert tuple(facts.lines[line] for line in told.code) == code.lines
        assert (told.lit, told.caller, told.number) == (code.lit, code.caller, event.number)


def test_there_is_always_a_bound(events: tuple[Event, ...]) -> None:
    """There is one even if the chosen layer has too many hooks by itself."""
    assert len(shown(events, "1.0", most=7)) == 7
    assert {event.layer for event in shown(events, "1.0", most=7)} == {"1", "1.0"}


def test_a_bar_reaches_from_the_first_hook_to_the_last(events: tuple[Event, ...]) -> None:
    """Worked out by hand for the first block: pre-hooks 0, 1, 3 and forward hooks 2, 4, 5; then back."""
    found = bars(events)
    there = [bar for bar in found if not bar.backward]
    assert there[:3] == [
        HookBar("0", 0, backward=False, first=0, last=5, depth=0),
        HookBar("0.0", 0, backward=False, first=1, last=2, depth=1),
        HookBar("0.1", 0, backward=False, first=3, last=4, depth=1),
    ]
    back = {bar.layer: bar for bar in found if bar.backward}
    assert set(back) == {"0", "0.0", "0.1", "1", "1.0", "1.1"}
    assert back["1"].first < back["1.1"].first < back["1.1"].last < back["1.0"].first
    for bar in found:
        assert (events[bar.first].layer, events[bar.last].layer) == (bar.layer, bar.layer)


def test_calls_of_one_layer_have_a_bar_each() -> None:
    """A layer that runs twice."""
    twice = nn.Tanh()
    net = LayerActivations(nn.Sequential(twice, nn.Linear(2, 2), twice), device="cpu")
    found = [(bar.layer, bar.call) for bar in bars(timeline(net, torch.ones(1, 2)))]
    assert found == [("0", 0), ("1", 0), ("0", 1)]
