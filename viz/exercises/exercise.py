"""An exercise as values: its goal, start, help and solution."""

from dataclasses import dataclass
from typing import Literal

DEFAULT_NET = "efficientnet_lite0"
YOURS = "yours"  # the picture on the page
HINTS = 3
Guess = Literal["changed", "same"]


@dataclass(frozen=True)
class Goal:
    """Goal of an answer, beside the values of the solution.

    Every value that the answer is compared with is the solution's own.

    Attributes:
        same: names that must have the same values as in the solution.
        draw: names whose values are shown beside the solution's.
        hooks: the number of hooks that may be left at the end.
        uses: functions that must be called.
        guess: a name with scores, and the net's guess by them, changed or the same.
        runs: the number of times that the net may run; 0 for any number.
    """

    same: tuple[str, ...] = ()
    draw: tuple[str, ...] = ()
    hooks: int = 0
    uses: tuple[str, ...] = ()
    guess: tuple[str, Guess] | None = None
    runs: int = 0


@dataclass(frozen=True)
class Mistake:
    """A common wrong answer, with help, and its line in the file."""

    text: str
    code: str
    line: int = 0


@dataclass(frozen=True)
class Exercise:
    """One exercise in one language.

    Attributes:
        id: its name, the same in every language.
        title: its heading.
        about: which lesson it belongs to, in words.
        net: the catalogue's name of the net that it is about.
        picture: a sample's name, or ``yours``.
        gradients: whether the net can be run backward.
        goal: what an answer must reach.
        task: its paragraphs.
        start: the code to begin with.
        hints: three, each says more than the one before it.
        mistakes: answers that are known to be wrong.
        solution: the code of a right answer.
        why: what there is to learn from it.
        path: its file, as errors name it.
    """

    id: str
    title: str
    about: str
    net: str
    picture: str
    gradients: bool
    goal: Goal
    task: tuple[str, ...]
    start: str
    hints: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    solution: str
    why: str
    path: str
