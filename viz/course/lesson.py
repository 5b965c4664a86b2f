"""A lesson of the course as plain values, in one language."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One answer for a student to choose.

    Attributes:
        value: what it means, as Python writes it: ``(1, 32, 112, 112)``, ``True``.
        words: how it is shown; the value itself if nothing else is said.
        why: what is said to a student who chose it; empty for nothing.
    """

    value: str
    words: str
    why: str = ""


@dataclass(frozen=True)
class Guess:
    """A number to guess, between bounds and with a tolerance."""

    least: float
    most: float
    within: float
    unit: str = ""


@dataclass(frozen=True)
class StepPicture:
    """A picture of a step: its expression and the line below it.

    The expression is over the step's own names.
    """

    expression: str
    caption: str


@dataclass(frozen=True)
class Step:
    """One step of a lesson: its look, text, code and question.

    Attributes:
        title: its heading.
        text: paragraphs, in our Markdown; likewise ``question`` and ``after``.
        look: the query string of a view of the lesson's net; empty if none shows what the step is about.
        code: plain PyTorch; empty for a step that only shows something.
        lit: the numbers of the lines that the step is about, from 1.
        draw: the pictures that the run makes; without any, the look's layer is drawn.
        question: what the student commits to before the run; empty for nothing.
        choices: the answers to choose among, of a question that has them.
        maps: pictures to choose among, of a question that has those; what they show is said after the run.
        guess: the number to guess, of a question that wants one.
        answer: the expression that is the right answer; empty for the last line that the code prints.
        holds: expressions that are true of a run on any picture; what a step says of all pictures.
        line: where it begins in its file, from 1.
    """

    title: str
    text: tuple[str, ...]
    look: str = ""
    code: str = ""
    lit: tuple[int, ...] = ()
    draw: tuple[StepPicture, ...] = ()
    question: str = ""
    choices: tuple[Choice, ...] = ()
    maps: tuple[StepPicture, ...] = ()
    guess: Guess | None = None
    answer: str = ""
    after: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    line: int = 1

    @property
    def asks(self) -> bool:
        """True if the student has to commit to something before the run."""
        return bool(self.choices or self.maps or self.guess)


@dataclass(frozen=True)
class Lesson:
    """One lesson in one language.

    Attributes:
        id: its name in addresses: ``what-is-a-hook``.
        title: its heading.
        about: one sentence about it.
        net: the model that its steps run, by its name in the catalogue.
        minutes: about how long it takes.
        exercises: ids of exercises that go with it.
        steps: its steps, in order.
        path: its file, as errors name it.
    """

    id: str
    title: str
    about: str
    net: str
    minutes: int
    exercises: tuple[str, ...]
    steps: tuple[Step, ...]
    path: str
