"""Questions of a teacher to a class, with answers and results.

An answer is a row of numbers, whatever the question's kind: the place of a choice, counted from 0; a channel;
a number; the sizes of a shape, without the batch.
"""

from typing import Annotated, Literal

from msgspec import Meta

from ..message import Answer, Message

Kind = Literal["choice", "map", "number", "shape"]
FEWEST_CHOICES, MOST_CHOICES = 2, 6
LONGEST_TEXT, LONGEST_CHOICE, LONGEST_EXPLANATION = 400, 160, 1_500  # characters

Told = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Reason = Annotated[str, Meta(max_length=LONGEST_EXPLANATION)]
Size = Annotated[float, Meta(ge=-1e15, le=1e15)]
Value = Annotated[
    tuple[Size, ...],
    Meta(
        max_length=64,
        title="Value",
        description="An answer: [place of a choice], [channel], [number], or the sizes of a shape.",
    ),
]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Asked = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class ClassQuestion(Message, frozen=True, kw_only=True):
    """Question that the teacher's browser posts to class_ask.json.

    A lesson plan has the same fields.

    Attributes:
        kind: the way to answer it: a choice is chosen, a map is clicked, a number or a shape is typed.
        text: the question, plain text.
        choices: those to choose among, which the class checks; none for the other kinds.
        right: the right answer; of maps each of several. Empty if there is no right or wrong.
        within: the largest error of a number that is right.
        explanation: text to show with the right answer, plain text.
        layer: whose maps, or whose shape, it is about; empty for no layer.
        maps: the number of maps to click; 0 if that is not known.
    """

    kind: Kind
    text: Told
    choices: tuple[str, ...] = ()
    right: Value = ()
    within: Annotated[float, Meta(ge=0, le=1e15)] = 0.0
    explanation: Reason = ""
    layer: Told = ""
    maps: Count = 0


class QuizOnScreen(Message, frozen=True, kw_only=True):
    """Question of the quiz for the whole class.

    The teacher's browser posts it to class_quiz.json.

    Attributes:
        number: its place in the quiz, counted from 0.
    """

    seed: Annotated[int, Meta(ge=0, le=999_999)]
    level: Literal["climb", "easy", "middle", "hard"]
    number: Annotated[int, Meta(ge=0, le=99)]


class AskingOrder(Message, frozen=True, kw_only=True):
    """Order of the teacher about the question, or about nicknames.

    Attributes:
        do: ``reveal`` shows the right answer to all, ``close`` takes the question away; ``names`` asks for
            nicknames and ``numbers`` no longer does; ``hide`` and ``unhide`` are about one nickname.
        student: the owner of the nickname; 0 for all, also for students who come later.
    """

    do: Literal["reveal", "close", "names", "numbers", "hide", "unhide"]
    student: Count = 0


class StudentAnswers(Message, frozen=True, kw_only=True):
    """Answer that a student's browser posts to class_answer.json.

    Attributes:
        asked: the question that is answered.
    """

    asked: Asked
    value: Value


class Nickname(Message, frozen=True, kw_only=True):
    """Nickname that a student's browser posts to class_name.json.

    The teacher reads it.
    """

    nickname: Annotated[str, Meta(max_length=200)]


class NicknameHeard(Answer, frozen=True, kw_only=True):
    """class_name.json: the nickname as the teacher reads it, reduced to plain text."""

    nickname: str


class AskedHeard(Answer, frozen=True, kw_only=True):
    """class_ask.json, class_quiz.json, class_asking.json, class_answer.json: the question that is asked now.

    Attributes:
        asked: questions of the class, counted from 1; 0 for none.
    """

    asked: int


class Tally(Message, frozen=True, kw_only=True):
    """One answer, and the number of students who gave it."""

    value: Value
    count: int


class RevealedAnswers(Message, frozen=True, kw_only=True):
    """Right answer and everybody's answers, for all, once the teacher shows them.

    Attributes:
        right: empty if there is no right or wrong.
        answers: each different answer with its count; nobody's name.
    """

    right: Value
    within: float
    explanation: str
    answers: tuple[Tally, ...]


class AskedQuestion(Message, frozen=True, kw_only=True):
    """A question as everybody in the class sees it.

    The right answer is missing until it is revealed.

    Attributes:
        asked: questions of the class, counted from 1.
        choices: texts; those of the quiz come with its question, so here they are empty texts.
        quiz: the question of the quiz; null for one of the teacher's own.
        mine: this student's answer; empty for none.
        revealed: null until the teacher shows the right answer.
    """

    asked: int
    kind: Kind
    text: str
    choices: tuple[str, ...]
    layer: str
    maps: int
    quiz: QuizOnScreen | None
    mine: Value
    revealed: RevealedAnswers | None


class ClassroomAsking(Message, frozen=True, kw_only=True):
    """The event ``question``.

    Attributes:
        names: whether the teacher asks for nicknames.
        nickname: the student's own.
        question: null if none is open.
    """

    names: bool
    nickname: str
    question: AskedQuestion | None


class AnswerEntry(Message, frozen=True, kw_only=True):
    """A student's answer, as the teacher sees it.

    Attributes:
        number: the student's.
        right: null if there is no right or wrong, or the answer has not been revealed.
    """

    number: int
    value: Value
    right: bool | None


class ClassroomAnswers(Message, frozen=True, kw_only=True):
    """The event ``answers``, for the teacher alone: the students' answers so far.

    Attributes:
        results: whether there are answers to questions that are open no more, for a file.
    """

    asked: int
    given: tuple[AnswerEntry, ...]
    results: bool
