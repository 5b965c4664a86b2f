"""Sheet of a few channels, with parts of pictures that excite them."""

import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from ..pictures.images import read_image
from ..pictures.subject import Subject
from .asking import Row, strongest
from .finished.card import card_of
from .listing import Place
from .reading import bytes_of

TWELVE = 12  # channels on a usual sheet
SIDE, GAP = 112, 6  # pixels of a crop, and between two
BESIDE = 2  # channels
_INCHES = (7.4, 0.98)  # of one channel's strip, with its name
_TITLE = 0.25  # inches above them all


class OneChannel(NamedTuple):
    """A channel of a call, counted from 0."""

    layer: str
    call: int
    channel: int


def drawn_by_lot(out: Path, count: int, seed: int = 0) -> list[OneChannel]:
    """Return channels drawn by lot, spread over the layers' calls.

    Each is a random channel of a random call, from one of so many parts of the net.

    Args:
        out: the folder of the results.
        count: how many; at most one for each call of a layer.
        seed: of the draw.

    Raises:
        RequestError: there is no capture in the folder.
    """
    calls = [call for call in card_of(out).channels if call.channels]
    draw = random.Random(seed)  # noqa: S311  # no secret
    edges = np.linspace(0, len(calls), min(count, len(calls)) + 1).astype(int).tolist()
    drawn = [calls[draw.randrange(*part)] for part in pairwise(edges)]
    return [OneChannel(each.layer, each.call, draw.randrange(each.channels)) for each in drawn]


def sheet_figure(out: Path, folder: Place, subject: Subject, channels: Sequence[OneChannel]) -> Figure:
    """Return a figure with a strip of kept pictures for each channel.

    Each picture is cut to its cell's field.

    Args:
        out: the folder of the results.
        folder: with the pictures.
        subject: how the model takes pictures.
        channels: the ones to show.

    Raises:
        RequestError: the capture has nothing about a channel.
        ImageError: a picture is no longer what it was.
    """
    lines = -(-len(channels) // BESIDE)
    size = (_INCHES[0] * BESIDE, _INCHES[1] * lines + _TITLE)
    figure = Figure(figsize=size, dpi=100, layout="constrained")
    card = card_of(out)
    figure.suptitle(f"{card.model}, {card.weights}", fontsize=9, parse_math=False)
    grid = figure.subplots(lines, BESIDE, squeeze=False)
    for number, axes in enumerate(grid.T.flat):
        axes.set_axis_off()
        if number < len(channels):
            _draw(axes, out, folder, subject, channels[number])
    return figure


def crop(folder: Place, subject: Subject, row: Row) -> Image.Image:
    """Return the part of a prepared picture that its strongest cell sees.

    Args:
        folder: with the pictures.
        subject: how the model takes them.
        row: of ``exemplars.parquet``.
    """
    image = read_image(bytes_of(folder, row["picture"]))
    seen = subject.as_seen(subject.prepare(image)).convert("RGB")
    left, top, right, bottom = row["box"]
    return seen.crop((max(left, 0), max(top, 0), min(right, seen.width), min(bottom, seen.height)))


def _draw(axes: Axes, out: Path, folder: Place, subject: Subject, which: OneChannel) -> None:
    rows = strongest(out, which.layer, which.channel, which.call)
    axes.imshow(_strip([crop(folder, subject, row) for row in rows]), interpolation="none")
    call = f", call {which.call + 1}" if which.call else ""
    values = f"{rows[0]['value']:.3g} to {rows[-1]['value']:.3g}"
    axes.set_title(f"{which.layer}{call}, channel {which.channel}: {values}", fontsize=9, loc="left", pad=2)


def _strip(crops: Sequence[Image.Image]) -> NDArray[np.uint8]:
    """Return crops beside one another on white, each enlarged to its square.

    The square of an empty one stays white: its cell sees only padding.
    """
    strip = Image.new("RGB", (len(crops) * (SIDE + GAP) - GAP, SIDE), "white")
    for number, each in enumerate(crops):
        if not min(each.size):
            continue
        scale = SIDE / max(each.size)
        size = (max(1, round(each.width * scale)), max(1, round(each.height * scale)))
        kind = Image.Resampling.NEAREST if scale > 4 else Image.Resampling.LANCZOS  # noqa: PLR2004
        place = (number * (SIDE + GAP) + (SIDE - size[0]) // 2, (SIDE - size[1]) // 2)
        strip.paste(each.resize(size, kind), place)
    return np.asarray(strip)
