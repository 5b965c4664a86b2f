"""Questions about the gradient that came through a ReLU.

Where the ReLU let nothing through, no gradient comes back.

The picture shows the sign of the gradient at the output of the layer in front; exact zeros have a colour
of their own.
"""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..maps.mosaic import render_mosaic
from ..profile.rows import LayerRow
from .question import CHOICES, Picture, Question
from .scene import Maps, Scene, has_maps, shown, signed

SMALLEST = 8  # values on a side
CLOSED = (0.2, 0.85)  # the share of a channel's places at which the ReLU is shut
ALIVE = 0.08  # the least share of places that a gradient reaches
WRONG = 0.35  # the least share of a wrong gradient at places where this ReLU was shut
LETTERS = "ABCD"


def which_gradient(chance: random.Random, scene: Scene) -> Question | None:
    """Question about the gradient that belongs to a ReLU's channel."""
    pairs = [pair for pair in scene.pairs("ReLU") if _roomy(pair[0])]
    if not pairs:
        return None
    row, relu = chance.choice(pairs)
    if not scene.follows(row, relu):
        return None
    maps, target = scene.maps(relu.name), scene.likeliest
    signs = np.sign(scene.maps(row.name, gradient=target))
    shut = (maps <= 0).mean(axis=(1, 2))
    alive = np.flatnonzero((signs != 0).mean(axis=(1, 2)) >= ALIVE)
    telling = [int(channel) for channel in alive if CLOSED[0] <= shut[channel] <= CLOSED[1]]
    chance.shuffle(telling)
    for channel in telling:
        others = [int(other) for other in alive if _strays(signs[other], maps[channel])]
        if len(others) >= CHOICES - 1:
            return _asked(
                chance, scene, (row, relu), [channel, *chance.sample(others, CHOICES - 1)], (maps, signs)
            )
    return None


def _roomy(row: LayerRow) -> bool:
    return has_maps(row) and min((row.shapes[0] or (0,))[2:]) >= SMALLEST


def _strays(sign: NDArray[Any], through: NDArray[Any]) -> bool:
    """Return whether much of a gradient is at the ReLU's shut places.

    Then it cannot be this ReLU's.
    """
    there = sign != 0
    return float((there & (through <= 0)).sum()) >= WRONG * float(there.sum())


def _asked(
    chance: random.Random,
    scene: Scene,
    pair: tuple[LayerRow, LayerRow],
    channels: list[int],
    maps: tuple[Maps, Maps],
) -> Question:
    (row, relu), (through, signs), channel = pair, maps, channels[0]
    chance.shuffle(channels)
    pictures = [_through(through, channel)]
    for letter, each in zip(LETTERS, channels, strict=True):
        pictures.append(signed(signs[each : each + 1], "gradient", small=True, letter=letter))
    listed = "; ".join(f"{letter}: {each}" for letter, each in zip(LETTERS, channels, strict=True))
    facts = {
        "relu": relu.name,
        "channel": str(channel),
        "channels": listed,
        "class": str(scene.likeliest),
        "sides": shown(through)["sides"],
    }
    right = channels.index(channel)
    return scene.question("gate", row, LETTERS, right, pictures=tuple(pictures), facts=facts)


def _through(maps: Maps, channel: int) -> Picture:
    """One channel of a ReLU's output, drawn brightly.

    The scale ends at the lower quartile of its values above 0.

    This makes open places easy to tell from shut ones.
    """
    one = maps[channel : channel + 1]
    bright = float(np.percentile(one[one > 0], 25, method="inverted_cdf"))
    png = render_mosaic(one, scale=(0.0, bright)).png
    return Picture(png, "through", facts=shown(one) | {"channel": str(channel)})
