"""A timeline of bounded length, with a bar for each call.

A large model fires thousands of hooks. Then one layer is shown with everything around it, and beyond that
only the outer layers: the layers inside those are folded, and the answer says how many events are hidden.
"""

from collections.abc import Sequence

from ..answers.hooks import HookBar, HookEvent, TimelineFacts
from ..profile.event import Event
from .hook_code import HookCode, hook_code

MOST_EVENTS = 260
FORWARD = ("pre-hook", "forward hook")
BACKWARD = ("full backward pre-hook", "full backward hook")


def shown(events: Sequence[Event], layer: str, most: int = MOST_EVENTS) -> tuple[Event, ...]:
    """Return the events to show; if too many, those of outer layers.

    The layer itself, what is around it and what is directly inside it are always among them, and its siblings
    if there is room.
    """
    deepest = max((event.layer.count(".") for event in events), default=0)
    parent = layer.rpartition(".")[0]
    for beside in (True, False):
        for depth in range(deepest, -2, -1):
            found = [
                event
                for event in events
                if event.layer.count(".") <= depth
                or _is_near(event.layer, layer)
                or (beside and event.layer.rpartition(".")[0] == parent)
            ]
            if len(found) <= most:
                return tuple(found)
    return tuple(found[:most])


def bars(events: Sequence[Event]) -> tuple[HookBar, ...]:
    """Return a bar for each call in each direction.

    Hooks that never closed are left out.
    """
    places: dict[tuple[str, str, int], int] = {
        (event.kind, event.layer, event.call): place for place, event in enumerate(events)
    }
    names = {event.layer for event in events}
    found = []
    for place, event in enumerate(events):
        for backward, (opening, closing) in enumerate((FORWARD, BACKWARD)):
            last = places.get((closing, event.layer, event.call))
            if event.kind == opening and last is not None:
                depth = sum(event.layer.startswith(f"{name}.") for name in names)
                found.append(HookBar(event.layer, event.call, bool(backward), place, last, depth))
    return tuple(found)


def hook_bar_facts(
    events: Sequence[Event], layer: str, most: int = MOST_EVENTS, target: int | None = None
) -> TimelineFacts:
    """Return a timeline's facts for the browser.

    It goes back from the class ``target``, if one is given.
    """
    some = shown(events, layer, most)
    layers = {event.layer for event in events} - {event.layer for event in some}
    places: dict[str, int] = {}
    return TimelineFacts(
        events=tuple(_told(event, hook_code(event, target), places) for event in some),
        bars=bars(some),
        lines=tuple(places),
        total=len(events),
        left_out=len(events) - len(some),
        folded=len(layers),
    )


def _told(event: Event, code: HookCode, places: dict[str, int]) -> HookEvent:
    """Return an event with its code, whose new lines get places."""
    known = {field: value for field, value in vars(event).items() if field in HookEvent.__struct_fields__}
    lines = tuple(places.setdefault(line, len(places)) for line in code.lines)
    return HookEvent(**known, code=lines, lit=code.lit, caller=code.caller)


def _is_near(name: str, layer: str) -> bool:
    """Return whether a layer is this one, its ancestor or child."""
    return name == layer or layer.startswith(f"{name}.") or name.rpartition(".")[0] == layer
