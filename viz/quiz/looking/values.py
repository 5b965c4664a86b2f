"""Questions about a ReLU or a pooling on numbers of real layers.

The numbers have one decimal.

The wrong answers are results of related operations on the same numbers; they differ in two places at least.
"""

import random
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...profile.rows import LayerRow
from ..question import CHOICES, Grid, Question
from ..scene import Maps, Scene, has_maps

SIDE, POOLED = 3, 4  # values on a side of what is shown: of a ReLU, of a pooling
PATCHES = 60  # how many places are tried
BOTH_SIGNS = (3, 6)  # how many of the values may be below zero
LARGEST = 20.0
POOLING = "2×2, stride 2"
ROWS, VALUES = " / ", " "  # what an answer's rows, and the values of a row, have between them
Values = NDArray[np.float64]
Ways = Mapping[str, Callable[[Values], Values]]

RELU: Ways = {
    "right": lambda values: np.maximum(values, 0),
    "absolute": np.abs,
    "below": lambda values: np.minimum(values, 0),
    "flipped": np.negative,
    "ones": lambda values: (values > 0).astype(float),
}


def _blocks(values: Values) -> Values:
    """(2n, 2n) → the four values of each block, (n, n, 4)."""
    half = len(values) // 2
    return values.reshape(half, 2, half, 2).swapaxes(1, 2).reshape(half, half, 4)


POOL: Ways = {
    "right": lambda values: _blocks(values).max(axis=-1),
    "mean": lambda values: _blocks(values).mean(axis=-1),
    "least": lambda values: _blocks(values).min(axis=-1),
    "corner": lambda values: _blocks(values)[..., 0],
}


def what_relu_makes(chance: random.Random, scene: Scene) -> Question | None:
    """Question about a ReLU's result on three by three values.

    Some of them are below zero.
    """
    rows = [row for row in scene.rows if row.type == "ReLU" and has_maps(row) and _side(row) >= SIDE]
    return _made(chance, scene, rows, "relu", RELU)


def what_pooling_makes(chance: random.Random, scene: Scene) -> Question | None:
    """Question about a pooling's result on four by four values.

    The pooling keeps the largest of each 2 × 2.
    """
    rows = [row for row in scene.rows if row.type == "MaxPool2d" and row.detail == POOLING and has_maps(row)]
    return _made(chance, scene, rows, "pool", POOL)


def _made(
    chance: random.Random, scene: Scene, rows: Sequence[LayerRow], kind: str, ways: Ways
) -> Question | None:
    if not rows:
        return None
    row = chance.choice(rows)
    maps = scene.array(row.name, leaf="inputs")[0]
    for _ in range(PATCHES):
        place = _place(chance, maps, kind)
        values = rounded(maps[place].astype(np.float64))
        if np.abs(values).max() > LARGEST or (kind == "relu" and not _has_both_signs(values)):
            continue
        choices = _choices(chance, values, ways)
        if choices is not None:
            texts = [_text(choice) for choice in choices]
            chance.shuffle(texts)
            right = texts.index(_text(choices[0]))
            return scene.question(kind, row, texts, right, numbers=grid(_text(values)), facts=_facts(place))
    return None


def _place(chance: random.Random, maps: Maps, kind: str) -> tuple[int, slice, slice]:
    """A square of one channel, at a window's start for a pooling."""
    side, step = (SIDE, 1) if kind == "relu" else (POOLED, 2)
    top, left = (step * chance.randrange((length - side) // step + 1) for length in maps.shape[1:])
    return chance.randrange(len(maps)), slice(top, top + side), slice(left, left + side)


def _has_both_signs(values: Values) -> bool:
    """Return whether several values have either sign, and none is zero."""
    return bool(values.all()) and BOTH_SIGNS[0] <= int((values < 0).sum()) <= BOTH_SIGNS[1]


def _choices(chance: random.Random, values: Values, ways: Ways) -> list[Values] | None:
    """The right result and three others, or None if too similar."""
    made = [rounded(way(values)) for way in ways.values()]
    others = chance.sample(made[1:], CHOICES - 1)
    choices = [made[0], *others]
    pairs = [(one, other) for at, one in enumerate(choices) for other in choices[at + 1 :]]
    return choices if all((one != other).sum() >= 2 for one, other in pairs) else None  # noqa: PLR2004


def _facts(place: tuple[int, slice, slice]) -> dict[str, str]:
    channel, rows, columns = place
    return {
        "channel": str(channel),
        "rows": f"{rows.start}–{rows.stop - 1}",
        "columns": f"{columns.start}–{columns.stop - 1}",
    }


def rounded(values: Values) -> Values:
    """With one decimal; there is no negative zero."""
    return np.round(values, 1) + 0.0


def grid(text: str) -> Grid:
    """An answer's text as rows of values: ``"1.0 0.0 / 0.0 2.0"``."""
    return tuple(tuple(row.split(VALUES)) for row in text.split(ROWS))


def _text(values: Values) -> str:
    rows = (VALUES.join(f"{value:.1f}".replace("-", "−") for value in row) for row in values)
    return ROWS.join(rows)


def _side(row: LayerRow) -> int:
    return min((row.shapes[0] or (0,))[2:])
