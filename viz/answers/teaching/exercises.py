"""Exercises: which there are, one of them, help with it, and what becomes of an answer."""

from ..message import Answer, Markup, Message, Png


class ExerciseName(Message, frozen=True, kw_only=True):
    """An exercise in a list."""

    id: str
    title: str


class ExerciseGroup(Message, frozen=True, kw_only=True):
    """The exercises of one lesson, and what that is about."""

    about: str
    exercises: tuple[ExerciseName, ...]


class ExerciseList(Answer, frozen=True, kw_only=True):
    """exercises.json: all of them, in their order."""

    groups: tuple[ExerciseGroup, ...]


class ExerciseFacts(Answer, frozen=True, kw_only=True):
    """exercise.json: one of them.

    Attributes:
        task: its paragraphs.
        start: the code to begin with.
        hints: how many there are.
        longest: characters that an answer may have.
        whole: whether an answer may be whole Python, because the operator said so and the visitor is here.
    """

    id: str
    title: str
    task: tuple[Markup, ...]
    start: str
    hints: int
    longest: int
    whole: bool


class ExerciseHelp(Answer, frozen=True, kw_only=True):
    """exercise_help.json: a hint, or after the last one the solution with its code; else the code is null."""

    text: Markup
    code: str | None


class AnswerProblem(Message, frozen=True, kw_only=True):
    """What is wrong with an answer, and at which line, counted from 1; 0 if at none."""

    text: Markup
    line: int


class ValueShown(Message, frozen=True, kw_only=True):
    """A value as maps with their size in pixels, or as text: one of the two is empty."""

    png: Png
    width: int
    height: int
    text: str


class ValuePair(Message, frozen=True, kw_only=True):
    """What an answer made under a name, and what was asked for; null where there is nothing.

    Attributes:
        vmin: the value that one end of the colours stands for; null without maps, and if each picture has a
            scale of its own. Likewise ``vmax``.
        maps: how many maps are drawn.
        all: of how many.
    """

    name: str
    yours: ValueShown | None
    wanted: ValueShown | None
    vmin: float | None
    vmax: float | None
    maps: int
    all: int


class AnswerFound(Answer, frozen=True, kw_only=True):
    """answer.json: what became of an answer.

    Attributes:
        right: whether it does what was asked for.
        problems: what is wrong.
        advice: what to say to a mistake that many make; empty for none.
        why: what there is to learn from it, once it is right; else empty.
        printed: the lines that it printed.
        pairs: values to show beside each other.
        guesses: the net's guess without hooks and with them; empty if the exercise is not about it.
    """

    right: bool
    problems: tuple[AnswerProblem, ...]
    advice: Markup
    why: Markup
    printed: tuple[str, ...]
    pairs: tuple[ValuePair, ...]
    guesses: tuple[str, ...]
