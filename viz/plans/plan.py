"""A lesson plan as plain values, in one language."""

from dataclasses import dataclass
from typing import Literal

from ..course.lesson import Choice, Guess

Asking = Literal["choice", "number", "map", "shape"]


@dataclass(frozen=True)
class PlanQuestion:
    """A step's question for the class.

    Attributes:
        kind: whether they choose, guess a number, click a map of the look's layer, or say a shape.
        text: the question, in our Markdown.
        choices: the answers to choose among.
        guess: bounds, tolerance and unit of a number.
        answer: the right one: a choice's value, a number, channels from 0 with commas, a shape in brackets.
        why: paragraphs that explain it.
    """

    kind: Asking
    text: str
    answer: str
    why: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    guess: Guess | None = None


@dataclass(frozen=True)
class PlanStep:
    """One step: the screen, texts for the class and for the teacher.

    Attributes:
        title: its heading.
        look: a query string.
        minutes: how long it should take.
        net: the model of the look if it is not the plan's; likewise ``picture``, a sample's name.
        text: paragraphs for the class, in our Markdown.
        note: paragraphs for the teacher.
        question: at most one.
        code: plain PyTorch whose last printed line is the right answer; nobody sees it but the checker.
        line: where the step begins in its file, from 1.
    """

    title: str
    minutes: int
    look: str = ""
    net: str = ""
    picture: str = ""
    text: tuple[str, ...] = ()
    note: tuple[str, ...] = ()
    question: PlanQuestion | None = None
    code: str = ""
    line: int = 1


@dataclass(frozen=True)
class Plan:
    """A plan in one language.

    Attributes:
        id: its name in addresses: ``what-a-convolution-sees``.
        title: its heading.
        about: one sentence about it; empty for none.
        net: the model of its looks; empty for the one on screen. Likewise ``picture``, a sample's name.
        steps: in order.
        path: its file, as errors name it.
    """

    id: str
    title: str
    about: str
    net: str
    picture: str
    steps: tuple[PlanStep, ...]
    path: str

    @property
    def minutes(self) -> int:
        """The plan's length in minutes."""
        return sum(step.minutes for step in self.steps)
