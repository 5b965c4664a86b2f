"""Questions about the layer of maps, and about a layer's shape.

For both, it is enough to read sizes.

The wrong answers have other sizes: those of other layers, or those that result from the usual slips.
"""

import random
from math import prod

import numpy as np

from ..maps.layout import arrange
from ..profile.rows import LayerRow
from ..request.arrangement import Arrangement, first_known
from .question import CHOICES, Question
from .scene import Scene, drawn, shown, sizes

DRAWABLE = 3  # a map smaller than this on a side shows nothing
Lengths = tuple[int, ...]
WHY = {
    **dict.fromkeys(("Conv2d", "Conv1d", "MaxPool2d", "MaxPool1d"), "window"),
    "Linear": "linear",
    "Flatten": "flatten",
    **dict.fromkeys(("AdaptiveAvgPool2d", "AdaptiveAvgPool1d"), "average"),
}
ROLES = {"signals": "signals", "attention": "attention"}  # pictures with other proportions than maps


def which_layer(chance: random.Random, scene: Scene) -> Question | None:
    """Maps, and four layers whose maps differ in number or size."""
    size = scene.runs.values(scene.wanted(scene.rows[0].name)).image_size
    known = scene.runs.known(scene.model, scene.image)
    by_shape: dict[Lengths, list[LayerRow]] = {}
    for row in scene.rows:
        shape = _shape_of_maps(row, size, first_known(known, row.name, 0))
        if shape:
            by_shape.setdefault(shape, []).append(row)
    if len(by_shape) < CHOICES:
        return None
    some = chance.sample(list(by_shape), CHOICES)  # shapes first: most layers of a transformer share one
    rows = [chance.choice(by_shape[shape]) for shape in some]
    row, layout = rows[0], scene.layout(rows[0].name)
    signals = layout.kind == "signals"  # one picture, whose rows are the channels
    texts = {row.name: sizes(shape[signals:]) for row, shape in zip(rows, some, strict=True)}
    chance.shuffle(rows)
    others = "; ".join(f"{other.name}: {texts[other.name]}" for other in rows if other != row)
    names = [other.name for other in rows]
    return scene.question(
        "layer",
        row,
        names,
        names.index(row.name),
        ask="layer" if layout.kind == "maps" else f"layer_{layout.kind}",
        pictures=(drawn(layout.maps, ROLES.get(layout.kind, "maps")),),
        facts=shown(layout.maps) | {"shape": texts[row.name], "others": others},
    )


def _shape_of_maps(
    row: LayerRow, size: tuple[int, int] | None, arrangement: Arrangement | None
) -> Lengths | None:
    """The shape of a layer's maps; None if they cannot be used.

    Too small maps show nothing, and some kinds hide their channels.
    """
    shape = row.shapes[0]
    if shape is None or len(shape) <= 2 or not prod(shape):  # noqa: PLR2004  vectors are not maps
        return None
    zeros = np.broadcast_to(np.float32(0), shape)
    layout = arrange(zeros, layer_type=row.type, image_size=size, arrangement=arrangement)
    one_dimensional = size is not None and size[0] == 1
    if layout.kind not in (("signals",) if one_dimensional else ("maps", "tokens", "attention")):
        return None
    return layout.maps.shape if min(layout.maps.shape[1:]) >= DRAWABLE else None


def which_shape(chance: random.Random, scene: Scene) -> Question | None:
    """Question about a layer's output shape, from its settings and input."""
    kinds = sorted({row.type for row in scene.rows} & set(WHY))
    kind = chance.choice(kinds)
    row = chance.choice([row for row in scene.rows if row.type == kind])
    given = scene.array(row.name, leaf="inputs").shape[1:]
    right = scene.array(row.name).shape[1:]
    wrong = [shape for shape in dict.fromkeys(_slips(WHY[kind], right, given)) if shape != right]
    if len(wrong) < CHOICES - 1:
        return None
    choices = [right, *chance.sample(wrong, CHOICES - 1)]
    chance.shuffle(choices)
    facts = {"given": sizes(given), "shape": sizes(right)}
    return scene.question(
        "shape",
        row,
        [sizes(shape) for shape in choices],
        choices.index(right),
        why=f"shape_{WHY[kind]}",
        facts=facts,
    )


def _slips(why: str, right: Lengths, given: Lengths) -> list[Lengths]:
    """Shapes from the usual slips, maybe with the right one."""
    match why:
        case "linear":  # the features instead of the rest, or added to it
            ins, outs = given[-1], right[-1]
            sums = (*given[:-1], ins + outs)
            return [given, sums, (ins, outs), (*given[:-1], outs + 1), (outs, *given[:-1]), (2 * outs,)]
        case "flatten":  # an axis kept, an axis lost, sums instead of products
            return [(given[0], prod(given[1:])), (prod(given[1:]),), (given[0],), (sum(given),), given]
        case "average":  # over the wrong axes, halved once, the axes lost
            sides = right[1:]
            halved = tuple(side // 2 for side in given[1:])
            return [(1, *given[1:]), (given[0], *halved), (given[0],), (1, *sides), given]
    channels, sides = right[0], right[1:]  # one border too many, a stride forgotten, wrong channels
    return [
        (channels, *(side + 2 for side in sides)),
        (channels, *(max(1, side - 2) for side in sides)),
        (channels, *(max(1, side // 2) for side in sides)),
        (channels, *(side * 2 for side in sides)),
        (given[0], *sides),
        (given[0] + channels, *sides),
    ]
