"""Question to a process about an answer, without PyTorch."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from .exercise import Exercise, Goal, Guess, Mistake


@dataclass(frozen=True)
class RunRequest:
    """Question to a process: an exercise, and an answer to run.

    Attributes:
        net: the catalogue's name of the net.
        gradients: whether the net can be run backward.
        goal: the goal of the answer.
        start: the code to begin with.
        solution: the code of a right answer.
        mistakes: answers that are known to be wrong.
        code: the answer.
        whole: whether that is whole Python.
    """

    net: str
    gradients: bool
    goal: Goal
    start: str
    solution: str
    mistakes: tuple[Mistake, ...]
    code: str
    whole: bool = False

    @classmethod
    def of(cls, exercise: Exercise, code: str, *, whole: bool = False) -> Self:
        """Return the question about an answer to an exercise."""
        about = exercise.net, exercise.gradients, exercise.goal, exercise.start, exercise.solution
        return cls(*about, exercise.mistakes, code, whole)

    def to_plain(self) -> dict[str, Any]:
        """Return it as values that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Return the question that ``to_plain`` made plain, after it was JSON."""
        goal = dict(plain["goal"])
        guess: tuple[str, Guess] | None = tuple(goal["guess"]) if goal["guess"] else None
        lists = {name: tuple(goal[name]) for name in ("same", "draw", "uses")}
        mistakes = tuple(Mistake(**each) for each in plain["mistakes"])
        return cls(**{**plain, "goal": Goal(**{**goal, **lists, "guess": guess}), "mistakes": mistakes})
