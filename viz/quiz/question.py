"""A question as plain values, and its sources of facts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..findings.values import LayerValues
from ..profile.event import Event
from ..profile.rows import LayerRow
from ..request.arrangement import Arrangements
from ..request.inspection import Inspection

CHOICES = 4
Facts = Mapping[str, str]
Grid = tuple[tuple[str, ...], ...]
"""Rows of values, as they are written."""
Fates = Sequence[tuple[str, str]]
"""Layers with what became of their gradients: see ``viz.quiz.fates``."""


@dataclass(frozen=True)
class Picture:
    """Maps as a picture of a question.

    Attributes:
        png: one pixel per value.
        role: what it shows, by the name of its sentences: ``"maps"``, ``"before"``, ``"candidate"``.
        small: whether it belongs to a choice; these come in the order of the choices.
        facts: values for its sentences, in addition to the question's facts.
    """

    png: bytes = field(repr=False)
    role: str
    small: bool = False
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """One question with its answers.

    Attributes:
        kind: one of ``viz.quiz.KINDS``; it says how to read the choices.
        model: which net it is about.
        sample: which picture the net sees.
        layer: which layer it is about.
        type: that layer's class and settings: ``Conv2d 6→16, 5×5``.
        choices: the answers to choose from, the same in every language: layers, shapes, numbers, letters;
            ``"scale:-1"`` for an edit, ``"pre-hook conv1"`` for a hook, ``"1.0 0.0 / 0.0 2.0"`` for numbers.
        right: the place of the right choice.
        ask: which sentence asks.
        why: which sentence explains.
        pictures: what is shown with it.
        numbers: values that are shown with it, in rows.
        facts: numbers and names for the question and its explanation.
        steps: more for the explanation, the same in every language: hooks in firing order, or for each choice
            what became of its gradient.
    """

    kind: str
    model: str
    sample: str
    layer: str
    type: str
    choices: tuple[str, ...]
    right: int
    ask: str
    why: str
    pictures: tuple[Picture, ...] = ()
    numbers: Grid = ()
    facts: Facts = field(default_factory=dict)
    steps: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        """Approximate memory that it takes."""
        return sum(len(picture.png) for picture in self.pictures) + 10_000


@dataclass(frozen=True)
class Runs:
    """Facts of runs of the nets, from an engine or functions.

    Attributes:
        rows: a net → its survey.
        values: a request → its layer's output, the difference that edits make, or a gradient.
        events: a request → the hooks of one pass in firing order; with a class, also of the backward pass.
        fates: a request with a class and edits of gradients → see ``viz.quiz.fates``.
        seen: a net and a picture → the picture as the net sees it, as PNG.
        known: a net and a picture → the places of its layers' values on it.
    """

    rows: Callable[[str], Sequence[LayerRow]]
    values: Callable[[Inspection], LayerValues]
    events: Callable[[Inspection], Sequence[Event]]
    fates: Callable[[Inspection], Fates]
    seen: Callable[[str, str], bytes]
    known: Callable[[str, str], Arrangements]


@dataclass(frozen=True)
class Subjects:
    """Nets and pictures that a quiz is about.

    Attributes:
        nets: their names.
        photos: pictures by name, with their content addresses.
        easy: the nets that easy questions are about; the same if there are none.
        signals: pictures of waveforms, for nets that read signals; photos if there are none.
    """

    nets: Sequence[str]
    photos: Mapping[str, str]
    easy: Sequence[str] = ()
    signals: Mapping[str, str] = field(default_factory=dict)
