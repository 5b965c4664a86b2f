"""Levels of a quiz, and the kinds of questions in each.

If none is chosen, the quiz goes from easy to hard.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

from ..request.look import Level
from .changes import which_edit
from .channels import which_channel
from .fates import which_fate
from .gates import which_gradient
from .layers import which_layer, which_shape
from .looking.depths import which_depth
from .looking.outlines import which_outlines
from .looking.outputs import which_output
from .looking.photos import which_photo
from .looking.values import what_pooling_makes, what_relu_makes
from .order import what_it_sees, which_fires
from .question import Question
from .scene import Scene

Maker = Callable[[random.Random, Scene], Question | None]
"""Makes a question about a net and a picture; None if they do not allow one that could be answered."""

EASY: dict[str, Maker] = {
    "photo": which_photo,
    "outlines": which_outlines,
    "relu": what_relu_makes,
    "depth": which_depth,
    "pool": what_pooling_makes,
    "output": which_output,
}
MIDDLE: dict[str, Maker] = {
    "layer": which_layer,
    "shape": which_shape,
    "channel": which_channel,
    "edit": which_edit,
}
HARD: dict[str, Maker] = {
    "fires": which_fires,
    "sees": what_it_sees,
    "fate": which_fate,
    "gate": which_gradient,
}
LEVELS = {"easy": EASY, "middle": MIDDLE, "hard": HARD}
MAKERS = EASY | MIDDLE | HARD
KINDS = tuple(MAKERS)
QUESTIONS = 8
CLIMB = {"easy": 3, "middle": 3, "hard": 2}  # how many questions of each level, in this order


class DueQuestion(NamedTuple):
    """Question that is due: its level, kind, and turn.

    The turn is 0 or 1, as a quiz has at most two questions of one kind.
    """

    level: str
    kind: str
    turn: int


def level_of(kind: str) -> str:
    """The level of a kind of questions."""
    return next(level for level, makers in LEVELS.items() if kind in makers)


def due(seed: int, level: Level) -> list[DueQuestion]:
    """Return the 8 questions of a quiz in order.

    No kind comes a third time.
    """
    chance = random.Random(f"{seed} {level}")  # noqa: S311  (a quiz, not a secret)
    if level == "climb":
        steps = [(each, chance.sample(list(LEVELS[each]), count)) for each, count in CLIMB.items()]
        return [DueQuestion(each, kind, 0) for each, kinds in steps for kind in kinds]
    kinds = list(LEVELS[level])
    firsts, seconds = chance.sample(kinds, len(kinds)), chance.sample(kinds, QUESTIONS - len(kinds))
    return [DueQuestion(level, kind, 0) for kind in firsts] + [
        DueQuestion(level, kind, 1) for kind in seconds
    ]
