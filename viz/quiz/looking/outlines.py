"""Questions about the map that shows the picture's outlines.

It is that of a filter that answers to edges.

It is measured: the map's strength at each place, against the Sobel gradient of the net's input there.
"""

import random

import numpy as np
from numpy.typing import NDArray

from ...maps.colour.tables import SIGNED_DEFAULT
from ...maps.mosaic import render_mosaic
from ..question import CHOICES, Picture, Question
from ..scene import Maps, Scene, has_maps, shown

FITS, STRAYS = 0.75, 0.3  # correlations: what the right map has at least, and any other at most
LIVELY = 0.1  # the least standard deviation of a map as a share of its largest value
BRIGHTEST = 98  # per cent of the values are on the scale of a map
FIRST = 2  # the convolution may have a layer that pads in front of it
BORDER = 8  # how many places a convolution without padding may leave out
Plane = NDArray[np.float64]


def which_outlines(chance: random.Random, scene: Scene) -> Question | None:
    """Four channels of the first convolution, one of which follows the outlines."""
    row = next((row for row in scene.rows[:FIRST] if row.type == "Conv2d" and has_maps(row)), None)
    if row is None:
        return None
    maps, given = scene.maps(row.name), scene.array(scene.rows[0].name, leaf="inputs")[0]
    expected = at_places(sobel(given.mean(axis=0)), maps.shape[1:])
    if expected is None:
        return None
    likeness = [_likeness(channel, expected) for channel in maps]
    fitting = [place for place, like in enumerate(likeness) if like >= FITS]
    others = [place for place, like in enumerate(likeness) if like <= STRAYS and _is_lively(maps[place])]
    if not fitting or len(others) < CHOICES - 1:
        return None
    right = chance.choice(fitting)
    channels = [right, *chance.sample(others, CHOICES - 1)]
    chance.shuffle(channels)
    facts = {"channel": str(right)}
    pictures = (Picture(scene.seen, "seen"), *_options(maps, channels))
    numbers = [str(place + 1) for place in range(CHOICES)]
    return scene.question("outlines", row, numbers, channels.index(right), pictures=pictures, facts=facts)


def _options(maps: Maps, channels: list[int]) -> list[Picture]:
    return [_option(maps, channel, place + 1) for place, channel in enumerate(channels)]


def _option(maps: Maps, channel: int, number: int) -> Picture:
    """A channel on its own scale, which clips the largest values.

    Outlines are thin, so only few values are on them.
    """
    one = maps[channel : channel + 1]
    reach = float(np.percentile(np.abs(one), BRIGHTEST)) or 1.0
    png = render_mosaic(one, colormap=SIGNED_DEFAULT, scale=(-reach, reach)).png
    facts = {"number": str(number), "channel": str(channel)}
    return Picture(png, "option", small=True, facts=shown(one) | facts)


def sobel(picture: NDArray[np.floating]) -> Plane:
    """Return the size of a picture's gradient, (height, width).

    Beyond its border the picture goes on as at the border.

    Source: Sobel and Feldman, "A 3x3 isotropic gradient operator for image processing", 1968.
    """
    wide = np.pad(picture.astype(np.float64), 1, mode="edge")
    rows = wide[:-2] + 2 * wide[1:-1] + wide[2:]
    columns = wide[:, :-2] + 2 * wide[:, 1:-1] + wide[:, 2:]
    return np.hypot(rows[:, 2:] - rows[:, :-2], columns[2:] - columns[:-2])


def at_places(plane: Plane, size: tuple[int, ...]) -> Plane | None:
    """A plane at the size of maps; None if neither way fits.

    It has the means of blocks, or lacks the border that was not padded.
    """
    (height, width), (down, right) = plane.shape, size
    step = height // down
    if (height, width) == (down * step, right * step):
        means: Plane = plane.reshape(down, step, right, step).mean(axis=(1, 3))
        return means
    cut = (height - down) // 2
    if 0 < height - down <= BORDER and height - down == width - right:
        return plane[cut : cut + down, cut : cut + right]
    return None


def _likeness(channel: Maps, expected: Plane) -> float:
    """The correlation, −1 to 1, of a map's strength with the outlines.

    Both are a little blurred.
    """
    strength = np.abs(channel.astype(np.float64))
    blurred = _blurred(strength), _blurred(expected)
    if not all(np.ptp(each) for each in blurred):
        return 0.0
    return float(np.corrcoef(blurred[0].ravel(), blurred[1].ravel())[0, 1])


def _blurred(plane: Plane) -> Plane:
    """The mean of each value and its eight neighbours.

    An edge may lie beside its place.
    """
    wide = np.pad(plane, 1, mode="edge")
    height, width = plane.shape
    parts = [wide[down : down + height, right : right + width] for down in range(3) for right in range(3)]
    mean: Plane = np.mean(parts, axis=0)
    return mean


def _is_lively(channel: Maps) -> bool:
    return bool(channel.std() >= LIVELY * np.abs(channel).max() > 0)
