"""Questions about the map of the deepest or the first layer.

The deeper the layer, the fewer and larger the squares.
"""

import random

import numpy as np

from ...profile.rows import LayerRow
from ..question import CHOICES, Picture, Question
from ..scene import Scene, drawn, has_maps

TYPES = ("Conv2d", "ReLU", "ReLU6", "BatchNorm2d", "MaxPool2d")
SMALLEST = 4  # values on a side
COARSER = 1.5  # how many times fewer values the right map has along a side than the next, or more
LOUDEST = 0.25  # the share of the channels that one is drawn from


def which_depth(chance: random.Random, scene: Scene) -> Question | None:
    """Question about the depth of layers, from a map of each.

    All four maps are drawn at the same size.
    """
    by_side: dict[int, list[LayerRow]] = {}
    for row in scene.rows:
        if row.type in TYPES and has_maps(row) and (side := _side(row)) >= SMALLEST:
            by_side.setdefault(side, []).append(row)
    if len(by_side) < CHOICES:
        return None
    sides = chance.sample(sorted(by_side), CHOICES)
    rows = sorted((chance.choice(by_side[side]) for side in sides), key=lambda row: row.order or 0)
    asked = chance.choice(["deepest", "first"])
    right = rows[-1] if asked == "deepest" else rows[0]
    if not _tells([_side(row) for row in rows]):
        return None
    order = ", ".join(row.name for row in rows)
    listed = "; ".join(f"{row.name}: {_side(row)} × {_side(row)}" for row in rows)
    chance.shuffle(rows)
    pictures = tuple(_picture(chance, scene, row, place + 1) for place, row in enumerate(rows))
    numbers = [str(place + 1) for place in range(CHOICES)]
    facts = {"order": order, "others": listed}
    about = {"ask": f"depth_{asked}", "pictures": pictures, "facts": facts}
    return scene.question("depth", right, numbers, rows.index(right), **about)


def _side(row: LayerRow) -> int:
    return min((row.shapes[0] or (0,))[2:])


def _tells(sides: list[int]) -> bool:
    """Return whether maps shrink, with a clear first and last one."""
    shrinks = sides == sorted(sides, reverse=True)
    return shrinks and sides[0] >= COARSER * sides[1] and sides[-2] >= COARSER * sides[-1]


def _picture(chance: random.Random, scene: Scene, row: LayerRow, number: int) -> Picture:
    maps = scene.maps(row.name)
    loudest = np.argsort(maps.std(axis=(1, 2)))[-max(1, int(LOUDEST * len(maps))) :]
    channel = int(chance.choice(loudest.tolist()))
    one = drawn(maps[channel : channel + 1], "depth")
    facts = {"number": str(number), "layer": row.name, "channel": str(channel)}
    return Picture(one.png, "depth", small=True, facts={**one.facts, **facts})
