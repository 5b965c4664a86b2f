"""Questions about a removed channel, from the loss in the next convolution.

A convolution adds up what it makes of each channel. Without one of them exactly that part is missing, where
the channel was not zero: the difference has the shape of the removed map.
"""

import random

import numpy as np
from numpy.typing import NDArray

from ..maps.mosaic import render_mosaic
from ..profile.rows import LayerRow
from ..request.edit_request import EditRequest
from .question import CHOICES, Picture, Question
from .scene import Maps, Scene, shown, signed

SMALLEST = 8  # values on a side, for a map whose shape can be recognised
LOUD = 0.15  # the share of the layer's largest value that a candidate must reach
ALIKE, APART = 0.65, 0.3  # how well the removed map must fit the difference, and how much better than others


def which_channel(chance: random.Random, scene: Scene) -> Question | None:
    """Question about the channel whose removal changed the next layer."""
    pairs = [pair for pair in scene.pairs("Conv2d") if min((pair[0].shapes[0] or (0,))[2:]) >= SMALLEST]
    if not pairs:
        return None
    row, after = chance.choice(pairs)
    if not scene.follows(row, after):
        return None
    maps = scene.maps(row.name)
    loud = [channel for channel in range(len(maps)) if maps[channel].max() >= LOUD * maps.max()]
    if len(loud) < CHOICES:
        return None
    removed = chance.choice(loud)
    lost = scene.maps(after.name, edits=(EditRequest(row.name, channels=(removed,)),), show="difference")
    likeness = {channel: _likeness(maps[channel], lost) for channel in loud}
    others = [channel for channel in loud if likeness[channel] <= likeness[removed] - APART]
    if likeness[removed] < ALIKE or len(others) < CHOICES - 1:
        return None
    numbers = sorted([removed, *chance.sample(others, CHOICES - 1)])
    facts = {"after": after.name, "channel": str(removed)}
    pictures = (signed(lost, "lost"), *(_candidate(maps, channel) for channel in numbers))
    return _asked(scene, row, numbers, removed, pictures, facts)


def _asked(
    scene: Scene,
    row: LayerRow,
    numbers: list[int],
    removed: int,
    pictures: tuple[Picture, ...],
    facts: dict[str, str],
) -> Question:
    facts |= {name: pictures[0].facts[name] for name in ("shown", "channels", "sides")}
    texts, right = [str(number) for number in numbers], numbers.index(removed)
    return scene.question("channel", row, texts, right, pictures=pictures, facts=facts)


def _candidate(maps: Maps, channel: int) -> Picture:
    """One channel's map, on a scale of its own.

    Its shape counts, not its size.
    """
    one = maps[channel : channel + 1]
    png = render_mosaic(one).png
    return Picture(png, "candidate", small=True, facts=shown(one) | {"channel": str(channel)})


def _likeness(one: Maps, lost: Maps) -> float:
    """The correlation, −1 to 1, of a map's magnitude with the loss.

    The loss at each place is summed over all maps.
    """
    energy = np.abs(lost.astype(np.float64)).sum(axis=0)
    cut = [(side - other) // 2 for side, other in zip(one.shape, energy.shape, strict=True)]
    inner = np.abs(one.astype(np.float64))[
        cut[0] : cut[0] + energy.shape[0], cut[1] : cut[1] + energy.shape[1]
    ]
    if not (inner.std() and energy.std()):
        return 0.0
    return float(np.corrcoef(_smoothed(inner).ravel(), energy.ravel())[0, 1])


def _smoothed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of each value and its eight neighbours.

    A 3×3 convolution reaches that far.
    """
    wide = np.pad(values, 1)
    height, width = values.shape
    return sum(
        (wide[down : down + height, right : right + width] for down in range(3) for right in range(3)),
        np.zeros_like(values),
    )
