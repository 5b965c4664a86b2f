"""Course and quiz: a lesson with its code and its numbers, a question, and apart from it its answer."""

from msgspec import UNSET, UnsetType

from .message import Answer, Markup, Message, Png


class Drawn(Message, frozen=True, kw_only=True):
    """A picture and what it shows.

    Attributes:
        text: for anyone who cannot see it.
        title: the line below it; empty for none.
        width: in screen pixels: a whole number of them for each value.
        height: likewise; null for the height that belongs to the width.
    """

    png: Png
    text: str
    title: str | UnsetType = UNSET
    width: int | UnsetType = UNSET
    height: int | UnsetType | None = UNSET


class LessonChoice(Message, frozen=True, kw_only=True):
    """A parameter of a lesson: its few values, and the one that it begins with."""

    name: str
    label: str
    values: tuple[str | int | float, ...]
    first: str | int | float


class LessonPart(Message, frozen=True, kw_only=True):
    """A part of a lesson, and the code that runs for it.

    Attributes:
        plain: its code with plain hooks.
        ours: the same with ``LayerActivations``; null if it has none.
    """

    name: str
    title: str
    text: Markup
    plain: str
    ours: str | None


class LessonFacts(Answer, frozen=True, kw_only=True):
    """course.json: a lesson.

    Attributes:
        lessons: how many there are.
        hints: what to try.
        traps: what to beware of.
    """

    lessons: int
    title: str
    text: Markup
    choices: tuple[LessonChoice, ...]
    parts: tuple[LessonPart, ...]
    hints: Markup
    traps: Markup


class LessonLine(Message, frozen=True, kw_only=True):
    """A number of a lesson beside the expected one."""

    label: Markup
    expected: str
    found: str
    right: bool


class LessonNumbers(Answer, frozen=True, kw_only=True):
    """lesson.json: the numbers of a part, computed just now.

    Attributes:
        verdict: a sentence about all lines.
        canvas: every layer of the lesson's net, if the part draws them.
    """

    lines: tuple[LessonLine, ...]
    verdict: str
    canvas: Drawn | UnsetType = UNSET


class GivenHook(Message, frozen=True, kw_only=True):
    """A hook of the visitor's layer, and the shapes that it was given, as text."""

    hook: str
    given: str


class KeptWay(Message, frozen=True, kw_only=True):
    """A way to keep a value, as code, and how much of it was wrong after the pass, in per cent."""

    way: str
    wrong: str


class LessonLiveFacts(Answer, frozen=True, kw_only=True):
    """lesson_live.json: what a lesson says about the visitor's own layer.

    Attributes:
        hooks: in the order in which they fired; none if the layer did not run.
        kept: only in the lesson that is about it; likewise ``maps``.
    """

    text: Markup
    hooks: tuple[GivenHook, ...]
    kept: tuple[KeptWay, ...] | UnsetType = UNSET
    maps: Drawn | UnsetType = UNSET


Rows = tuple[tuple[str, ...], ...]
"""Numbers as they are written, in rows."""


class QuizChoice(Message, frozen=True, kw_only=True):
    """One of a question's choices.

    Attributes:
        text: what it is called; a picture or numbers may be what there is to choose.
    """

    text: str
    picture: Drawn | UnsetType = UNSET
    numbers: Rows | UnsetType = UNSET


class QuizQuestionFacts(Answer, frozen=True, kw_only=True):
    """quiz.json: a question; it does not say which choice is right.

    Attributes:
        questions: how many a quiz has.
        level: how hard this question is, in words.
        numbers: shown with the question.
    """

    questions: int
    level: str
    text: Markup
    choices: tuple[QuizChoice, ...]
    pictures: tuple[Drawn, ...]
    numbers: Rows | UnsetType = UNSET


class QuizAnswerFacts(Answer, frozen=True, kw_only=True):
    """quiz_answer.json: whether a choice is right, and which one is, counted from 0.

    Attributes:
        lesson: the lesson that teaches it.
        lesson_title: what that is called.
    """

    right: bool
    answer: int
    why: Markup
    lesson: int
    lesson_title: str
