"""Questions about the gradients that an edit of a gradient changes.

They come from backward passes with and without the edit.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.task import OnePicture
from ..findings.values import LayerValues
from ..request.edit_request import EditRequest
from .question import CHOICES, Fates, Question
from .scene import Scene

SAME, CHANGED, ZERO = "same", "changed", "zero"
# Differences as a share of the gradient's largest value; no question is asked about those in between.
EQUAL, UNEQUAL = 1e-6, 1e-2
Gradients = Mapping[str, LayerValues]


@dataclass(frozen=True)
class FatesTask(OnePicture[Fates]):
    """Fates of all layers' gradients under the request's edits."""

    done_by = "quiz.work:fates"

    @property
    def key(self) -> tuple[object, ...]:
        """See ``viz.engine.task.Task``: the layer does not matter."""
        return ("fates", *self.wanted.run, self.wanted.gradient)


def gradient_fates(before: Gradients, after: Gradients) -> Fates:
    """Return each layer's fate: ``"same"``, ``"changed"`` or ``"zero"``.

    A gradient that was zero before says nothing, and one that changed by a rounding error is left out too.
    """
    found = []
    for name, values in before.items():
        fate = _fate(_array(values), _array(after[name]))
        found += [(name, fate)] if fate else []
    return tuple(found)


def _fate(before: NDArray[Any], after: NDArray[Any]) -> str:
    if before.shape != after.shape or not before.any():
        return ""
    if not after.any():
        return ZERO
    change = np.abs(after - before).max() / np.abs(before).max()
    return SAME if change <= EQUAL else CHANGED if change >= UNEQUAL else ""


def _array(values: LayerValues) -> NDArray[Any]:
    """The gradient at the layer's first output."""
    return next((leaf.array for leaf in values.calls[0].values() if not leaf.problem), np.empty(0))


def which_fate(chance: random.Random, scene: Scene) -> Question | None:
    """Question about the one layer that keeps or loses its gradient.

    Exactly one of four layers keeps its gradient, or loses all of it.
    """
    row = chance.choice(scene.rows[1:-1])
    edit = EditRequest(row.name, side="gradient")
    fates = scene.runs.fates(scene.wanted(row.name, gradient=scene.likeliest, edits=(edit,)))
    names = {row.name for row in scene.rows} - {row.name}
    asked = chance.choice([SAME, ZERO])
    right = [name for name, fate in fates if name in names and fate == asked]
    wrong = [(name, fate) for name, fate in fates if name in names and fate != asked]
    if not right or len(wrong) < CHOICES - 1:
        return None
    choices = [(chance.choice(right), asked), *_mixed(chance, wrong)]
    chance.shuffle(choices)
    place = [fate for _, fate in choices].index(asked)
    named = {row.name, *(name for name, _ in choices)}
    order = [each.name for each in scene.rows if each.name in named]
    return scene.question(
        "fate",
        row,
        [name for name, _ in choices],
        place,
        ask=f"fate_{asked}",
        facts={"class": str(scene.likeliest), "edit": edit.text, "order": ", ".join(order)},
        steps=tuple(fate for _, fate in choices),
    )


def _mixed(chance: random.Random, wrong: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Wrong answers with every fate that occurs, to give nothing away."""
    shuffled = chance.sample(list(wrong), len(wrong))
    firsts = {fate: (name, fate) for name, fate in shuffled}
    rest = [each for each in shuffled if each not in firsts.values()]
    return [*firsts.values(), *rest][: CHOICES - 1]
