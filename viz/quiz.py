"""Questions for a class, made from real captures: the same seed asks the same questions everywhere.

A question is made of plain values; what is true in it comes from the capture itself. The wrong answers are
chosen so that they are wrong for a reason that can be seen: another size, another sign, another shape.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np
from numpy.typing import NDArray

from viz.colour import AUTO, SEQUENTIAL, SIGNED_DEFAULT
from viz.edit_request import EditRequest
from viz.errors import RequestError
from viz.inspection import Inspection
from viz.mosaic import render_mosaic
from viz.tree import LayerRow

KINDS = ("layer", "shape", "channel")
QUESTIONS = 6
CHOICES = 4
MOST_TILES = 16
SEEDS = 1_000_000
DRAWABLE = 3  # a map smaller than this on a side shows nothing
Maps = NDArray[np.generic]
Rows = Mapping[str, Sequence[LayerRow]]
Ask = Callable[[Inspection], Maps]
"""Answers a request with the maps (channels, height, width) of its layer."""


@dataclass(frozen=True)
class Question:
    """One question with its answers.

    Attributes:
        kind: ``"layer"``, ``"shape"`` or ``"channel"``.
        model: of which net.
        sample: on which picture.
        layer: what it is about.
        type: that layer's class and settings: ``Conv2d 6→16, 5×5``.
        choices: the answers to choose from; layers, shapes or channel numbers.
        right: the place of the right one.
        pictures: PNG, one pixel per value: the maps; before and after, where a channel was removed.
        facts: numbers that the question and its explanation are filled in with.
    """

    kind: str
    model: str
    sample: str
    layer: str
    type: str
    choices: tuple[str, ...]
    right: int
    pictures: tuple[bytes, ...] = field(default=(), repr=False)
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Subjects:
    """What a quiz is about: nets with their surveys, pictures by name with their content addresses."""

    rows: Rows
    photos: Mapping[str, str]


def question(seed: int, number: int, about: Subjects, ask: Ask) -> Question:
    """Return one question of the quiz with this seed; it depends on nothing else.

    Args:
        seed: 0 to 999,999.
        number: which question, 0 to 5.
        about: nets and pictures.
        ask: gives the maps behind a request; called once or twice.

    Raises:
        RequestError: there is no such seed, or no such question.
    """
    if not (0 <= seed < SEEDS and 0 <= number < QUESTIONS):
        raise RequestError(f"a quiz has a seed from 0 to {SEEDS - 1} and {QUESTIONS} questions.")
    chance = random.Random(f"{seed} {number}")  # noqa: S311  (a quiz, not a secret)
    kinds = [*KINDS] * (QUESTIONS // len(KINDS))
    random.Random(seed).shuffle(kinds)  # noqa: S311  (likewise)
    kind = kinds[number]
    model, sample = chance.choice(sorted(about.rows)), chance.choice(sorted(about.photos))
    rows = [row for row in about.rows[model] if _drawable(row)]
    place = Inspection(about.photos[sample], model, "pretrained", "")
    make = {"layer": _which_layer, "shape": _which_shape, "channel": _which_channel}[kind]
    return make(chance, _Scene(model, sample, rows, place, ask))


@dataclass(frozen=True)
class _Scene:
    """A net on a picture, and a way to see what its layers return."""

    model: str
    sample: str
    rows: Sequence[LayerRow]
    place: Inspection
    ask: Ask

    def maps(self, layer: str, *edits: EditRequest) -> Maps:
        """The maps of a layer's first call, with these edits in force."""
        return self.ask(
            Inspection(self.place.image, self.model, self.place.weights, layer, edits=tuple(edits))
        )


# --- Which layer made these maps? ------------------------------------------------------------------------


def _which_layer(chance: random.Random, scene: _Scene) -> Question:
    """Maps, and four layers; their sizes differ, or where those are equal, the ReLU shows by its sign."""
    row = chance.choice(scene.rows)
    maps = scene.maps(row.name)
    wrong = _unlike(chance, row, scene.rows)
    choices = [row.name, *wrong]
    chance.shuffle(choices)
    shapes = {other.name: other.shapes[0] or () for other in scene.rows}
    facts = {
        "minimum": _number(maps.min()),
        "maximum": _number(maps.max()),
        "others": "; ".join(f"{name}: {_shape(shapes[name][1:])}" for name in choices if name != row.name),
    } | _shown(maps)
    pictures = (render_mosaic(maps[:MOST_TILES], colormap=AUTO, columns=_columns(maps)).png,)
    return _question("layer", scene, row, choices, choices.index(row.name), pictures, facts)


def _unlike(chance: random.Random, row: LayerRow, rows: Sequence[LayerRow]) -> list[str]:
    """Three layers of three other shapes: whoever reads the shape can tell them from the right one."""
    others = [other for other in rows if other.shapes[0] != row.shapes[0]]
    chance.shuffle(others)
    found: dict[object, str] = {}
    for other in others:
        found.setdefault(other.shapes[0], other.name)
    return list(found.values())[: CHOICES - 1]


# --- Which shape does this layer return? -----------------------------------------------------------------


def _which_shape(chance: random.Random, scene: _Scene) -> Question:
    """A layer's settings and what goes into it; the wrong shapes are those of the usual slips."""
    telling = [row for row in scene.rows if row.type in {"Conv2d", "MaxPool2d"}]
    row = chance.choice(telling)
    given = _given(row, scene)
    right = tuple(int(side) for side in row.shapes[0] or ())
    wrong = [shape for shape in _slips(right, given) if shape != right]
    chance.shuffle(wrong)
    choices = [right, *wrong[: CHOICES - 1]]
    chance.shuffle(choices)
    facts = {"given": _shape(given[1:]), "shape": _shape(right[1:])}
    texts = [_shape(shape[1:]) for shape in choices]
    return _question("shape", scene, row, texts, choices.index(right), (), facts)


def _given(row: LayerRow, scene: _Scene) -> tuple[int, ...]:
    """The shape of the layer's input: its first axis is the one picture."""
    wanted = Inspection(scene.place.image, scene.model, scene.place.weights, row.name, leaf="inputs")
    return (1, *scene.ask(wanted).shape)


def _slips(right: tuple[int, ...], given: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Shapes that come of usual slips: a border too many, a stride forgotten, channels taken for others."""
    _, channels, height, width = right
    found = [
        (1, channels, height + 2, width + 2),
        (1, channels, max(1, height - 2), max(1, width - 2)),
        (1, channels, max(1, height // 2), max(1, width // 2)),
        (1, channels, height * 2, width * 2),
        (1, given[1], height, width),
        (1, given[1] + channels, height, width),
    ]
    return list(dict.fromkeys(found))


# --- Which channel was removed? --------------------------------------------------------------------------


def _which_channel(chance: random.Random, scene: _Scene) -> Question:
    """A layer's maps before and after one channel was set to zero while the model ran."""
    row = chance.choice([row for row in scene.rows if _tiles(row) >= CHOICES])
    before = scene.maps(row.name)
    loud = [channel for channel in range(min(len(before), MOST_TILES)) if before[channel].any()]
    if len(loud) < CHOICES:  # nearly all of it is silent for this picture
        return _which_shape(chance, scene)
    numbers = chance.sample(loud, CHOICES)
    removed = numbers[0]
    after = scene.maps(row.name, EditRequest(row.name, channels=(removed,)))
    numbers.sort()
    columns = _columns(before)
    facts = {
        "columns": str(columns),
        "row": str(removed // columns + 1),
        "column": str(removed % columns + 1),
        "channel": str(removed),
    } | _shown(before)
    texts = [str(number) for number in numbers]
    pictures = _side_by_side(before, after)
    return _question("channel", scene, row, texts, numbers.index(removed), pictures, facts)


def _side_by_side(before: Maps, after: Maps) -> tuple[bytes, ...]:
    """Two mosaics on one scale, that of the first, in which zero has one colour."""
    low, high = float(before.min()), float(before.max())
    signed = low < 0 < high
    reach = max(-low, high)
    scale, colormap = ((-reach, reach), SIGNED_DEFAULT) if signed else ((low, high), SEQUENTIAL[0])
    return tuple(
        render_mosaic(maps[:MOST_TILES], scale=scale, colormap=colormap, columns=_columns(before)).png
        for maps in (before, after)
    )


def _shown(maps: Maps) -> dict[str, str]:
    """How many of the maps are on the picture, and how large they are."""
    return {
        "shape": _shape(maps.shape),
        "sides": _shape(maps.shape[1:]),
        "shown": str(min(len(maps), MOST_TILES)),
        "channels": str(len(maps)),
    }


def _columns(maps: Maps) -> int:
    return min(4, len(maps))


def _tiles(row: LayerRow) -> int:
    return (row.shapes[0] or (0, 0))[1]


def _drawable(row: LayerRow) -> bool:
    """Whether a layer ran once and returned maps that show something; containers repeat their last layer."""
    shape = row.shapes[0] if row.calls == 1 and not row.children else None
    return shape is not None and len(shape) == 4 and min(shape[2:]) >= DRAWABLE and prod(shape) > 0  # noqa: PLR2004  (N, C, H, W)


def _number(value: np.generic) -> str:
    return f"{float(value):.3g}".replace("-", "−")


def _question(
    kind: str,
    scene: _Scene,
    row: LayerRow,
    choices: Sequence[str],
    right: int,
    pictures: tuple[bytes, ...],
    facts: Mapping[str, str],
) -> Question:
    about = f"{row.type} {row.detail}".strip()
    return Question(kind, scene.model, scene.sample, row.name, about, tuple(choices), right, pictures, facts)


def _shape(lengths: Sequence[int]) -> str:
    return " × ".join(map(str, lengths))
