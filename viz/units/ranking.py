"""Ranking of a unit's neighbours, and their messages for the browser."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np

from ..answers.views.units import Neighbour, UnitName
from ..maps.colour.tables import weights_colormap
from ..maps.mosaic import render_mosaic
from .sight import Doubles

MOST = 8  # of each order


@dataclass(frozen=True, eq=False)
class Candidate:
    """A neighbour, before it is known whether it is shown: see ``viz.answers.views.units.Neighbour``.

    ``kernel`` holds the weights between the two; ``limit`` is the largest among which they are drawn. What is
    ``given`` to a layer is drawn as it was given; else the unit's own map is.
    """

    place: int
    units: tuple[UnitName, ...]
    steps: tuple[str, ...]
    weight: float | None
    effect: float
    lifts: float
    kernel: Doubles | None = None
    limit: float = 0.0
    given: bool = False


def best(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates with the largest effects or weights, largest effect first."""
    by_effect = sorted(candidates, key=lambda each: -each.effect)
    weighed = [each for each in candidates if each.weight is not None]
    by_weight = sorted(weighed, key=lambda each: -(each.weight or 0.0))
    chosen = {id(each) for each in (*by_effect[:MOST], *by_weight[:MOST])}
    return [each for each in by_effect if id(each) in chosen]


def told(found: Candidate, png: bytes, colormap: str) -> Neighbour:
    """Return a neighbour for the browser, with its map and weights.

    The colours of its weights fit maps of this colormap.
    """
    return Neighbour(
        place=found.place,
        unit=found.units[0] if found.units else None,
        others=found.units[1:],
        steps=found.steps,
        png=text_of(png),
        kernel=text_of(kernel_png(found, colormap)),
        weight=None if found.weight is None else rounded(found.weight),
        effect=rounded(found.effect),
        lifts=rounded(found.lifts),
    )


def kernel_png(found: Candidate, colormap: str) -> bytes:
    """Return weights as a PNG, blue below zero and red above.

    It is empty if there are none.
    """
    if found.kernel is None or not found.kernel.size:
        return b""
    limit = found.limit or 1.0
    kernel = as_map(found.kernel)[None]
    return render_mosaic(kernel, colormap=weights_colormap(colormap), scale=(-limit, limit)).png


def as_map(kernel: Doubles) -> Doubles:
    """Return weights as one map (height, width).

    A volume's depth is part of the height. A row whose length is a square number is a square. A linear layer
    that looks at flattened maps has such rows, and nothing says how wide the maps were.
    """
    if kernel.ndim > 1:
        return kernel.reshape(-1, kernel.shape[-1])
    side = isqrt(kernel.size)
    return kernel.reshape((side, side) if side * side == kernel.size else (1, -1))


def text_of(png: bytes) -> str:
    """A picture as base64."""
    return base64.b64encode(png).decode()


def rounded(number: float) -> float:
    """A number with five digits; 0 if it is none."""
    return float(f"{number:.5g}") if np.isfinite(number) else 0.0
