"""Questions about a subject: their fields beside the look."""

from typing import Annotated

import msgspec
from msgspec import Meta

from ...request.look import LONGEST_FIGURE, Number, Text
from ..locale.catalogues import ENGLISH, languages


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a subject, without fields beside the look."""


class ModelQuestion(Question, frozen=True, kw_only=True):
    """A question about the whole model; the look's layer does not matter.

    Attributes:
        back: whether it is about the gradient of the look's class, in any view.
        dark: whether the page around the pictures is dark; see ``viz.maps.colour.tables.AUTO_ON_DARK``.
    """

    back: bool = False
    dark: bool = False


def spoken(lang: str) -> str:
    """Return the language of an address, or English if it is unknown."""
    return lang if lang in languages() else ENGLISH


class SpokenQuestion(Question, frozen=True, kw_only=True):
    """A question answered in words, in its language or in English."""

    lang: Text = ""

    @property
    def language(self) -> str:
        """A language of the page."""
        return spoken(self.lang)


class SpokenModelQuestion(ModelQuestion, frozen=True, kw_only=True):
    """A question about the whole model, answered in words like ``SpokenQuestion``."""

    lang: Text = ""

    @property
    def language(self) -> str:
        """A language of the page."""
        return spoken(self.lang)


class HomeQuestion(SpokenModelQuestion, frozen=True, kw_only=True):
    """Files to take home: of one ``block`` of layers, or of all."""

    block: Text = ""


class TreeQuestion(Question, frozen=True, kw_only=True):
    """A question about the model's layers, and with ``operations`` those between them."""

    operations: bool = False


class LayerQuestion(Question, frozen=True, kw_only=True):
    """A question about the look's layer.

    Attributes:
        room: the pixels (width × height) that a mosaic may have, such as ``640x400``.
        columns: maps in a row; 0 lets the mosaic choose.
        back: whether it is about the gradient of the look's class, in any view.
        dark: as in ``ModelQuestion``.
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


class CellQuestion(LayerQuestion, frozen=True, kw_only=True):
    """One number of the look's channel, shown with input channel ``source``."""

    y: Number = 0
    x: Number = 0
    source: Number | None = None


class BlockQuestion(LayerQuestion, frozen=True, kw_only=True):
    """A small block of the look's channel, around a place.

    Without a place, it is around the channel's strongest number.

    Attributes:
        source: the channel of the input to show; the one that counts most by default.
    """

    y: Number | None = None
    x: Number | None = None
    source: Number | None = None


class RemovalQuestion(LayerQuestion, frozen=True, kw_only=True):
    """The layer without some channels: ``size`` of them, from ``first`` on."""

    first: Number = 0
    size: Number = 1


class PairQuestion(LayerQuestion, frozen=True, kw_only=True):
    """Two layers beside each other; the look names the other one.

    Attributes:
        other: the token of the other side's subject, ``with`` in the address.
        with_columns: maps in a row of the other side.
        only: the channel to draw, if a single one is wanted.
    """

    other: Text = msgspec.field(name="with", default="")
    with_columns: Number = 0
    only: Number | None = None


class OtherQuestion(SpokenQuestion, frozen=True, kw_only=True):
    """A question about the other side of a comparison, and its choices.

    Attributes:
        agreed: whether the visitor agreed to what loading its model costs.
    """

    agreed: bool = False


class FigureQuestion(SpokenQuestion, frozen=True, kw_only=True):
    """A question about the look's figure.

    Attributes:
        agreed: the models, and layers as ``"model layer"``, whose cost the visitor agreed to, with commas.
    """

    agreed: Annotated[str, Meta(max_length=LONGEST_FIGURE)] = ""


class LessonPartQuestion(SpokenQuestion, frozen=True, kw_only=True):
    """A part of the look's lesson.

    Its parameters have names of the lesson's own in the address.
    """

    part: Text = ""


class LessonLiveQuestion(LayerQuestion, frozen=True, kw_only=True):
    """A lesson's question about the look's layer, answered in words like ``SpokenQuestion``."""

    lang: Text = ""

    @property
    def language(self) -> str:
        """A language of the page."""
        return spoken(self.lang)


class ExerciseQuestion(SpokenQuestion, frozen=True, kw_only=True):
    """An exercise, by its id."""

    exercise: Text = ""


class ExerciseHelpQuestion(ExerciseQuestion, frozen=True, kw_only=True):
    """Help with an exercise: hints, then the solution, counted from 0."""

    help: Number = 0


class QuizQuestion(SpokenQuestion, frozen=True, kw_only=True):
    """A question of the look's quiz, counted from 0."""

    question: Number = 0


class QuizAnswer(QuizQuestion, frozen=True, kw_only=True):
    """A choice for a quiz question, counted from 0."""

    choice: Number | None = None
