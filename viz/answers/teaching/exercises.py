"""Exercises: their list, their help, and the results of answers."""

from ..message import Answer, Markup, Message, Png


class ExerciseName(Message, frozen=True, kw_only=True):
    """An exercise in a list."""

    id: str
    title: str


class ExerciseGroup(Message, frozen=True, kw_only=True):
    """The exercises of one lesson, and its topic."""

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
    """exercise_help.json: a hint, or after the last one the solution.

    ``code`` is the solution's; it is null for a hint.
    """

    text: Markup
    code: str | None


class AnswerProblem(Message, frozen=True, kw_only=True):
    """Mistake in an answer, and its line.

    Lines count from 1; 0 stands for none.
    """

    text: Markup
    line: int


class ShownValue(Message, frozen=True, kw_only=True):
    """A value as maps, or as text.

    One of ``png`` and ``text`` is empty; the size is in pixels.
    """

    png: Png
    width: int
    height: int
    text: str


class ValuePair(Message, frozen=True, kw_only=True):
    """An answer's value under a name, beside the wanted one.

    A side is null where there is none.

    Attributes:
        vmin: the value at one end of the colours; null without maps, and if each picture has a
            scale of its own. Likewise ``vmax``.
        maps: the number of maps that are drawn.
        all: the number of all maps.
    """

    name: str
    yours: ShownValue | None
    wanted: ShownValue | None
    vmin: float | None
    vmax: float | None
    maps: int
    all: int


class AnswerFacts(Answer, frozen=True, kw_only=True):
    """answer.json: the result of an answer.

    Attributes:
        right: whether it does what was asked for.
        problems: its mistakes.
        advice: help with a mistake that many make; empty for none.
        why: the explanation, once it is right; else empty.
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
