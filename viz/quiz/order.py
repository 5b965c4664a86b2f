"""Questions about the order and the arguments of hooks.

They come from the timeline of a real pass.
"""

import random
from collections.abc import Sequence

from ..profile.event import Event, Shapes
from ..profile.rows import LayerRow
from .question import CHOICES, Question
from .scene import Scene, sizes

HOOKS = ("pre-hook", "forward hook", "full backward pre-hook", "full backward hook")
NEAR = 5  # how far the wrong hooks may be from the right one, in firing order
LAYERS = 3
Events = dict[tuple[str, str], Event]


def which_fires(chance: random.Random, scene: Scene) -> Question | None:
    """Question about the hook that fires next on one of three layers.

    One of the layers is around the others if the net has such.
    """
    events = [event for event in _events(scene) if event.kind in HOOKS]
    names = _three(chance, scene)
    order = [event for event in events if event.layer in names]
    place = chance.randrange(1, len(order))
    near = [each for each in range(place - NEAR, place + NEAR + 1) if each not in (place - 1, place)]
    others = chance.sample([order[each] for each in near if 0 <= each < len(order)], CHOICES - 1)
    choices = [order[place], *others]
    chance.shuffle(choices)
    row = next(row for row in scene.runs.rows(scene.model) if row.name == names[0])
    return scene.question(
        "fires",
        row,
        [_said(event) for event in choices],
        choices.index(order[place]),
        facts={
            "layers": ", ".join(names),
            "fired": _said(order[place - 1]),
            "class": str(scene.likeliest),
        },
        steps=tuple(_said(event) for event in order),
    )


def _three(chance: random.Random, scene: Scene) -> list[str]:
    """A layer with two inside it, or else three in a row.

    The layer that the picture goes into is left out: torch fires its full backward hook early unless the
    picture, too, has a gradient.
    """
    first, rows = scene.rows[0].name, scene.runs.rows(scene.model)
    around = [row.name for row in rows if row.children and row.calls == 1]
    around = [name for name in around if not first.startswith(f"{name}.")]
    if around:
        outer = chance.choice(around)
        inside = [row.name for row in scene.rows if row.name.startswith(f"{outer}.")]
        return [outer, inside[0], inside[-1]]
    start = chance.randrange(1, len(scene.rows) - LAYERS + 1)
    return [row.name for row in scene.rows[start : start + LAYERS]]


def what_it_sees(chance: random.Random, scene: Scene) -> Question | None:
    """Question about the shape that one hook is given.

    Wrong shapes are the layer's other side, the net's two ends, and other layers' outputs.
    """
    events: Events = {(event.kind, event.layer): event for event in _events(scene)}
    inner = scene.rows[1:]  # the first layer's input has no gradient, unless the picture has one
    row = chance.choice([row for row in inner if _turns(events, row)])
    hook = chance.choice(HOOKS)
    right = _given(events[hook, row.name])
    sides = {_given(events[kind, row.name]) for kind in HOOKS}
    ends = [
        _given(events["pre-hook", scene.rows[0].name]),
        _given(events["forward hook", scene.rows[-1].name]),
    ]
    neighbours = {_given(events["forward hook", other.name]) for other in inner}
    wrong = [shape for shape in dict.fromkeys([*sorted(sides), *ends]) if shape != right]
    more = [shape for shape in sorted(neighbours) if shape not in (*wrong, right)]
    chance.shuffle(more)
    choices = [right, *[*wrong, *more][: CHOICES - 1]]
    if len(choices) < CHOICES:
        return None
    chance.shuffle(choices)
    texts = [sizes(shape) for shape in choices]
    facts = {
        "inputs": sizes(_given(events["pre-hook", row.name])),
        "output": sizes(_given(events["forward hook", row.name])),
        "class": str(scene.likeliest),
    }
    name = hook.replace(" ", "_").replace("-", "_")
    return scene.question("sees", row, texts, choices.index(right), ask=f"sees_{name}", facts=facts)


def _turns(events: Events, row: LayerRow) -> bool:
    """Return whether a layer has one input and another output shape."""
    found = events["pre-hook", row.name].inputs, events["forward hook", row.name].outputs
    return all(len(shapes) == 1 for shapes in found) and found[0] != found[1]


def _given(event: Event) -> tuple[int, ...]:
    """The shape in question, by the kind of hook."""
    given: dict[str, Shapes] = {
        "pre-hook": event.inputs,
        "forward hook": event.outputs,
        "full backward pre-hook": event.output_gradients,
        "full backward hook": event.input_gradients,
    }
    return given[event.kind][0] or ()


def _events(scene: Scene) -> Sequence[Event]:
    """The hooks of a forward and backward pass, from the likeliest class."""
    return scene.runs.events(scene.wanted(scene.rows[-1].name, gradient=scene.likeliest))


def _said(event: Event) -> str:
    return f"{event.kind} {event.layer}"
