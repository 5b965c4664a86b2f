"""One net on one picture, as the questions see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..layer_names import is_operation
from ..maps.colour.tables import SIGNED_DEFAULT
from ..maps.layout import Layout
from ..maps.mosaic import render_mosaic
from ..profile.rows import LayerRow
from ..request.inspection import Inspection
from ..views.drawing import arranged
from .question import Picture, Question, Runs

Maps = NDArray[Any]
MOST_TILES = 16


@dataclass(frozen=True)
class Scene:
    """A net on a picture, with its layers' outputs and gradients.

    ``photos`` are all pictures by name, with their content addresses, for questions that show others too.
    """

    model: str
    sample: str
    image: str
    runs: Runs
    photos: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def rows(self) -> list[LayerRow]:
        """The layers that ran once and contain none, in running order."""
        found = [row for row in self.runs.rows(self.model) if row.calls == 1 and not row.children]
        return sorted((row for row in found if not is_operation(row.name)), key=lambda row: row.order or 0)

    @cached_property
    def seen(self) -> bytes:
        """Picture as the net sees it, as PNG."""
        return self.runs.seen(self.model, self.image)

    @cached_property
    def likeliest(self) -> int:
        """The class with the largest score, counted from 0."""
        return int(np.argmax(self.array(self.rows[-1].name)))

    def wanted(self, layer: str, **how: Any) -> Inspection:
        """The request for a layer, with these fields."""
        return Inspection(self.image, self.model, "pretrained", layer, **how)

    def layout(self, layer: str, **how: Any) -> Layout:
        """Return a layer's first output, gradient or change as maps."""
        wanted = self.wanted(layer, **how)
        return arranged(self.runs.values(wanted), wanted)

    def maps(self, layer: str, **how: Any) -> Maps:
        """The same, but only the maps: (channels, height, width)."""
        return self.layout(layer, **how).maps

    def array(self, layer: str, *, leaf: str = "output") -> Maps:
        """The first tensor of a layer's first call, in its own shape.

        The leaf names its output or its inputs.
        """
        call = self.runs.values(self.wanted(layer, leaf="inputs" if leaf == "inputs" else "")).call(0)
        return next(values.array for path, values in call.items() if path.startswith(leaf))

    def pairs(self, *behind: str) -> list[tuple[LayerRow, LayerRow]]:
        """Neighbours in running order, the second of one of these types.

        The first has maps.

        Their values say whether the second is given what the first returns: see ``follows``.
        """
        neighbours = zip(self.rows, self.rows[1:], strict=False)
        return [(row, after) for row, after in neighbours if after.type in behind and has_maps(row)]

    def follows(self, row: LayerRow, after: LayerRow) -> bool:
        """Return whether the input of ``after`` is exactly the output of ``row``."""
        return np.array_equal(self.array(row.name), self.array(after.name, leaf="inputs"))

    def question(self, kind: str, row: LayerRow, choices: Sequence[str], right: int, **more: Any) -> Question:
        """A question about a layer of this net.

        By default, ``ask`` and ``why`` are the kind's own.
        """
        about = f"{row.type} {row.detail}".strip()
        more = {"ask": kind, "why": kind, **more}
        return Question(kind, self.model, self.sample, row.name, about, tuple(choices), right, **more)


def reads_signals(rows: Sequence[LayerRow]) -> bool:
    """Return whether a net's convolutions slide along a signal."""
    return any(row.type == "Conv1d" for row in rows)


def has_maps(row: LayerRow) -> bool:
    """Return whether a layer's output is (1, channels, height, width)."""
    shape = row.shapes[0]
    return shape is not None and len(shape) == 4  # noqa: PLR2004  (N, C, H, W)


def drawn(
    maps: Maps, role: str, *, scale: tuple[float, float] | None = None, in_row: int = 4, **facts: str
) -> Picture:
    """The first maps as one picture, on this scale or their own."""
    tiles = maps[:MOST_TILES]
    png = render_mosaic(tiles, colormap="auto", scale=scale or "layer", columns=min(in_row, len(maps))).png
    return Picture(png, role, facts=shown(maps) | facts)


def signed(maps: Maps, role: str, *, small: bool = False, **facts: str) -> Picture:
    """The first maps as one picture in which zero has one colour."""
    png = render_mosaic(maps[:MOST_TILES], colormap=SIGNED_DEFAULT, columns=columns(maps)).png
    return Picture(png, role, small, facts=shown(maps) | facts)


def shown(maps: Maps) -> dict[str, str]:
    """Return facts of maps: sizes, counts, range and share of zeros."""
    return {
        "shape": sizes(maps.shape),
        "sides": sizes(maps.shape[1:]),
        "shown": str(min(len(maps), MOST_TILES)),
        "channels": str(len(maps)),
        "minimum": number(maps.min()),
        "maximum": number(maps.max()),
        "zeros": f"{np.mean(maps == 0):.0%}",
    }


def columns(maps: Maps) -> int:
    """Return the number of maps in a row."""
    return min(4, len(maps))


def sizes(lengths: Sequence[int]) -> str:
    """``6 × 28 × 28``."""
    return " × ".join(map(str, lengths))


def number(value: Any) -> str:
    """Three digits, with a real minus sign."""
    return f"{float(value):.3g}".replace("-", "−")
