"""Questions about the picture behind maps of an early layer.

Early layers keep the picture's places, so that it shows through.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...profile.rows import LayerRow
from ..question import CHOICES, Facts, Picture, Question
from ..scene import Maps, Scene, drawn, has_maps
from .outlines import at_places

EARLY = 8  # how many layers from the first one count as early
SMALLEST = 14  # values on a side
TILES = 4
ALIKE, APART = 0.6, 0.25  # the right picture's correlation at least, and how far the others stay below it
Plane = NDArray[np.float64]


def which_photo(chance: random.Random, scene: Scene) -> Question | None:
    """Question about the picture behind four maps of an early layer."""
    others = sorted(set(scene.photos) - {scene.sample})
    rows = [row for row in scene.rows[:EARLY] if has_maps(row) and min((row.shapes[0] or ())[2:]) >= SMALLEST]
    if not rows or len(others) < CHOICES - 1:
        return None
    row = chance.choice(rows)
    names = [scene.sample, *chance.sample(others, CHOICES - 1)]
    maps, size = scene.maps(row.name), tuple((row.shapes[0] or ())[2:])
    planes = [at_places(_brightness(scene, name), size) for name in names]
    given = [plane for plane in planes if plane is not None]
    if len(given) < CHOICES:
        return None
    channels = _telling(maps, given[0])
    fits = [max(abs(_likeness(channel, plane)) for channel in maps[channels]) for plane in given]
    if fits[0] < ALIKE or max(fits[1:]) > fits[0] - APART:
        return None
    facts = {"channels": str(len(maps)), "shown": str(TILES), "traces": ", ".join(map(str, channels))}
    return _asked(chance, scene, row, names, maps[channels], facts)


def _asked(
    chance: random.Random, scene: Scene, row: LayerRow, names: list[str], maps: Maps, facts: Facts
) -> Question:
    right = names[0]
    chance.shuffle(names)
    traces = drawn(maps, "traces", in_row=2, channels=facts["channels"])
    pictures = (traces, *(_photo(scene, name) for name in names))
    return scene.question("photo", row, names, names.index(right), pictures=pictures, facts=facts)


def _photo(scene: Scene, sample: str) -> Picture:
    return Picture(_with(scene, sample).seen, "photo", small=True, facts={"photo": sample})


def _with(scene: Scene, sample: str) -> Scene:
    """The same net on another picture."""
    return replace(scene, sample=sample, image=scene.photos[sample])


def _brightness(scene: Scene, sample: str) -> Plane:
    """Return the brightness (height, width) of a picture as the net's input."""
    first = scene.rows[0].name
    given: Plane = _with(scene, sample).array(first, leaf="inputs")[0].mean(axis=0).astype(np.float64)
    return given


def _telling(maps: Maps, plane: Plane) -> Sequence[int]:
    """The channels in which the picture shows most, in their own order."""
    likeness = [abs(_likeness(channel, plane)) for channel in maps]
    return sorted(np.argsort(likeness)[-TILES:].tolist())


def _likeness(channel: Maps, plane: Plane) -> float:
    """The correlation, −1 to 1, of a map with a picture."""
    values = channel.astype(np.float64)
    if not (np.ptp(values) and np.ptp(plane)):
        return 0.0
    return float(np.corrcoef(values.ravel(), plane.ravel())[0, 1])
