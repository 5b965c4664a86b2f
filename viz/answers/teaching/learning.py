"""Course, sources and quiz: lessons, numbers, questions and answers."""

from msgspec import UNSET, UnsetType

from ..message import Answer, Markup, Message, Png


class DescribedPicture(Message, frozen=True, kw_only=True):
    """A picture, and its description.

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


class LessonEntry(Message, frozen=True, kw_only=True):
    """A lesson in the course's contents.

    Attributes:
        id: its name in addresses.
        about: a sentence about it.
        minutes: about how long it takes.
        steps: how many it has.
    """

    id: str
    title: str
    about: Markup
    minutes: int
    steps: int


class CourseContents(Answer, frozen=True, kw_only=True):
    """contents.json: the lessons of the course, in their order."""

    lessons: tuple[LessonEntry, ...]


class NumberRange(Message, frozen=True, kw_only=True):
    """Range of a number to guess."""

    least: float
    most: float
    unit: str


class StepText(Message, frozen=True, kw_only=True):
    """A step of a lesson before its run.

    Nothing in it depends on the right answer.

    Attributes:
        text: its paragraphs.
        look: the query string of a view that shows the same.
        lit: the numbers of the lines that it is about, from 1.
        question: the one to which the student commits an answer; empty for none.
        choices: the answers to choose among.
        maps: the number of maps to choose among.
        guess: the number to guess, if one is.
    """

    title: str
    text: tuple[Markup, ...]
    look: str
    code: str
    lit: tuple[int, ...]
    question: Markup
    choices: tuple[Markup, ...]
    maps: int
    guess: NumberRange | None


class LessonText(Answer, frozen=True, kw_only=True):
    """lesson_text.json: a lesson of the course.

    Attributes:
        net: the model that its steps run.
        setup: the lines before each step's code.
        exercises: ids of the exercises that go with it.
    """

    id: str
    title: str
    net: str
    setup: str
    exercises: tuple[str, ...]
    steps: tuple[StepText, ...]


class StepBar(Message, frozen=True, kw_only=True):
    """A name with its number, drawn as a bar."""

    name: str
    value: float


class StepPicture(Message, frozen=True, kw_only=True):
    """A picture of a step.

    Attributes:
        png: empty for bars.
        text: for anyone who cannot see it.
        title: the line below it.
        width: in pixels of the picture itself; likewise ``height``.
        low: the value of the scale's first colour, as text; empty without a scale. Likewise ``high``.
        colours: the scale's colours from the first to the last, as ``#rrggbb``.
    """

    png: Png
    text: str
    title: Markup
    width: int
    height: int
    low: str
    high: str
    colours: tuple[str, ...]
    bars: tuple[StepBar, ...]


class StepMaps(Answer, frozen=True, kw_only=True):
    """step_maps.json: the maps that a step gives to choose among."""

    maps: tuple[StepPicture, ...]


class StepFacts(Answer, frozen=True, kw_only=True):
    """step.json: results of a step's run on the visitor's picture.

    Attributes:
        printed: the lines that it printed.
        ran: the numbers of its lines in the order in which they ran, from 1.
        answer: the right answer as text.
        right: the place of the right choice, or of the right map; null if a number is guessed.
        alike: the places of other maps that look like the right one on this picture, and count as right.
        within: the largest error of a guess that is right.
        whys: for each choice, the reply to anyone who chose it; empty for none.
        after: the paragraphs that say why.
        shown: for each map to choose among, its description; empty for none.
        failed: the exception that ended the run; empty if nothing failed.
    """

    printed: tuple[str, ...]
    ran: tuple[int, ...]
    answer: str
    right: int | None
    alike: tuple[int, ...]
    within: float | None
    whys: tuple[Markup, ...]
    after: tuple[Markup, ...]
    shown: tuple[Markup, ...]
    pictures: tuple[StepPicture, ...]
    failed: str


class LessonChoice(Message, frozen=True, kw_only=True):
    """A parameter of a lesson, with its values and the first."""

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
    canvas: DescribedPicture | UnsetType = UNSET


class GivenHook(Message, frozen=True, kw_only=True):
    """A hook of the visitor's layer, and the shapes given to it."""

    hook: str
    given: str


class KeptWay(Message, frozen=True, kw_only=True):
    """A way to keep a value, as code, and the wrong share.

    The share is that of values that were wrong after the pass, in per cent.
    """

    way: str
    wrong: str


class LessonLiveFacts(Answer, frozen=True, kw_only=True):
    """lesson_live.json: facts of a lesson about the visitor's own layer.

    Attributes:
        hooks: in the order in which they fired; none if the layer did not run.
        kept: only in the lesson about it; likewise ``maps``.
    """

    text: Markup
    hooks: tuple[GivenHook, ...]
    kept: tuple[KeptWay, ...] | UnsetType = UNSET
    maps: DescribedPicture | UnsetType = UNSET


Rows = tuple[tuple[str, ...], ...]
"""Numbers as they are written, in rows."""


class QuizChoice(Message, frozen=True, kw_only=True):
    """One of a question's choices.

    Attributes:
        text: what it is called; a picture or numbers may be what there is to choose.
    """

    text: str
    picture: DescribedPicture | UnsetType = UNSET
    numbers: Rows | UnsetType = UNSET


class QuizQuestionFacts(Answer, frozen=True, kw_only=True):
    """quiz.json: a question; it does not say which choice is right.

    Attributes:
        level: how hard this question is, in words.
        numbers: shown with the question.
    """

    level: str
    text: Markup
    choices: tuple[QuizChoice, ...]
    pictures: tuple[DescribedPicture, ...]
    numbers: Rows | UnsetType = UNSET


class QuizAnswerFacts(Answer, frozen=True, kw_only=True):
    """quiz_answer.json: a verdict on a choice, and the right one.

    ``answer`` is the right choice, counted from 0.

    Attributes:
        lesson: the id of the lesson that teaches it; empty for the course's contents.
        lesson_title: what that is called.
    """

    right: bool
    answer: int
    why: Markup
    lesson: str
    lesson_title: str
