"""Questions about a subject: the fields of each beside the look, with types and bounds."""

from typing import Annotated

import msgspec
from msgspec import Meta

from ...request.look import Number, Text
from ..locale.catalogues import ENGLISH, languages


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a subject, without fields beside the look."""


class Whole(Question, frozen=True, kw_only=True):
    """A question about the whole model: the look's layer, and how that is drawn, do not matter.

    Attributes:
        back: whether it is about the gradient of the look's class, in any view.
        dark: whether the page around the pictures is dark; see ``viz.maps.colour.AUTO_ON_DARK``.
    """

    back: bool = False
    dark: bool = False


def spoken(lang: str) -> str:
    """The language that an address names if the page speaks it, else English."""
    return lang if lang in languages() else ENGLISH


class Spoken(Question, frozen=True, kw_only=True):
    """A question that is answered in words: those of the language, or English."""

    lang: Text = ""

    @property
    def language(self) -> str:
        """A language of the page."""
        return spoken(self.lang)


class SpokenOfModel(Whole, frozen=True, kw_only=True):
    """A question about the whole model that is answered in words, as ``Spoken`` says."""

    lang: Text = ""

    @property
    def language(self) -> str:
        """A language of the page."""
        return spoken(self.lang)


class Home(SpokenOfModel, frozen=True, kw_only=True):
    """Files to take home: of one ``block`` of layers, or of all."""

    block: Text = ""


class Tree(Question, frozen=True, kw_only=True):
    """A question about the model's layers, and with ``operations`` those between them."""

    operations: bool = False


class OneLayer(Question, frozen=True, kw_only=True):
    """A question about the look's layer.

    Attributes:
        room: the pixels (width × height) that a mosaic may have, such as ``640x400``.
        columns: maps in a row; 0 lets the mosaic choose.
        back: whether it is about the gradient of the look's class, in any view.
        dark: as in ``Whole``.
    """

    room: Annotated[str, Meta(pattern="^([0-9]{1,5}x[0-9]{1,5})?\\Z")] = ""
    columns: Number = 0
    back: bool = False
    dark: bool = False

    @property
    def viewport(self) -> tuple[int, int]:
        """The room as two numbers; zeros without one."""
        width, _, height = self.room.partition("x")
        return int(width or 0), int(height or 0)


class Cell(OneLayer, frozen=True, kw_only=True):
    """One number of the look's channel; ``source`` is the input channel to show."""

    y: Number = 0
    x: Number = 0
    source: Number | None = None


class Block(OneLayer, frozen=True, kw_only=True):
    """A small block of the look's channel around a place; without one, around its strongest number.

    Attributes:
        source: the channel of the input to show; the one that counts most by default.
    """

    y: Number | None = None
    x: Number | None = None
    source: Number | None = None


class Removal(OneLayer, frozen=True, kw_only=True):
    """The layer without some channels: ``size`` of them, from ``first`` on."""

    first: Number = 0
    size: Number = 1


class Pair(OneLayer, frozen=True, kw_only=True):
    """Two layers beside each other; the look says which layer the other one is.

    Attributes:
        other: the token of the other side's subject, ``with`` in the address.
        with_columns: maps in a row of the other side.
        only: the channel to draw, if a single one is wanted.
    """

    other: Text = msgspec.field(name="with", default="")
    with_columns: Number = 0
    only: Number | None = None


class Other(Spoken, frozen=True, kw_only=True):
    """A question about the other side of a comparison, and its choices.

    Attributes:
        agreed: whether the visitor agreed to what loading its model costs.
    """

    agreed: bool = False


class LessonPart(Spoken, frozen=True, kw_only=True):
    """A part of the look's lesson; the lesson says which other names an address has for its parameters."""

    part: Text = ""


class LessonLive(OneLayer, frozen=True, kw_only=True):
    """A lesson's question about the look's layer, answered in words like ``Spoken``."""

    lang: Text = ""

    @property
    def language(self) -> str:
        """A language of the page."""
        return spoken(self.lang)


class OneExercise(Spoken, frozen=True, kw_only=True):
    """An exercise, by its id."""

    exercise: Text = ""


class HelpWithExercise(OneExercise, frozen=True, kw_only=True):
    """Help with an exercise, counted from 0: its hints, and then its solution."""

    help: Number = 0


class QuizQuestion(Spoken, frozen=True, kw_only=True):
    """A question of the quiz with the look's seed and level, counted from 0."""

    question: Number = 0


class QuizAnswer(QuizQuestion, frozen=True, kw_only=True):
    """A choice to be checked, counted from 0, of a question of the quiz."""

    choice: Number | None = None
