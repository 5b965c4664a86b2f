"""A model's layers, in words and small pictures, and its predictions."""

from .message import Answer, Found, Message, Png, Shape


class TreeRow(Answer, frozen=True, kw_only=True):
    """One of tree.json: a layer of the model, or an operation.

    Attributes:
        type: the name of its class.
        detail: its settings in a few words.
        parameters: how many it has, with those of the layers inside it.
        calls: how often it ran.
        shapes: of what each call returned; null where that is not one tensor.
        reason: why it has no call; null if it has one.
        evidence: what the reason rests on; null without one.
    """

    name: str
    type: str
    detail: str
    parameters: int
    calls: int
    shapes: tuple[Shape | None, ...]
    reason: str | None
    evidence: str | None


class Share(Message, frozen=True, kw_only=True):
    """A class and its probability, 0 to 1."""

    label: str
    share: float


class PlacedShare(Share, frozen=True, kw_only=True):
    """A class, its probability, and its place among all classes.

    The place distinguishes classes with the same label.
    """

    place: int


class PredictionChange(Message, frozen=True):
    """One class: its probability before and after the edits, 0 to 1."""

    label: str
    before: float
    after: float


class PredictionFacts(Answer, frozen=True, kw_only=True):
    """prediction.json: the most probable classes, and the edits' effect on them.

    The best class comes first.

    Attributes:
        changes: empty without edits; null if the model does not run to its end with them.
        meaning: what the model returns, such as ``logits``; empty where nobody knows it.
        problem: why there are no classes; empty if there are.
        reason: why nobody should believe them; empty without one.
    """

    top: tuple[PlacedShare, ...]
    meaning: str
    problem: str
    reason: str
    changes: tuple[PredictionChange, ...] | None


class Thumb(Answer, frozen=True, kw_only=True):
    """One of overview.json: a layer in small.

    Attributes:
        shape: of what its first call returned; empty if that was no tensor.
        png: one pixel for each value; empty without a picture.
        height: in pixels, likewise ``width``.
        problem: why there is no picture; empty if there is one.
        maps: how many maps there are, their height and their width; empty without a picture.
        magnitudes: whether the values are complex, so that these are their magnitudes.
        low: what the darkest colour stands for, if all layers share a scale; likewise ``high``.
    """

    layer: str
    type: str
    shape: Shape
    png: Png
    height: int
    width: int
    problem: str
    maps: Shape
    magnitudes: bool
    low: Found
    high: Found


class RibbonFacts(Answer, frozen=True, kw_only=True):
    """ribbon.json: a small picture of each link of the model's chain.

    Attributes:
        links: in execution order.
        top: the most probable classes, best first, with the edits in force; empty without classes.
    """

    links: tuple[Thumb, ...]
    top: tuple[Share, ...]


class ClassesFacts(Answer, frozen=True, kw_only=True):
    """classes.json: the model's classes.

    Attributes:
        classes: their names; empty if the model's output names none.
        best: the most probable one of the picture.
        problem: why there are none; empty if there are.
    """

    classes: tuple[str, ...]
    best: str
    problem: str
