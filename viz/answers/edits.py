"""A look's edits in words, what of a look can be, and what each channel of a layer does."""

from .message import Answer, Message


class LookFacts(Answer, frozen=True, kw_only=True):
    """look.json: what of a link can be.

    Attributes:
        look: the look's text without what cannot be.
        notices: a sentence for each part that was left out.
    """

    look: str
    notices: tuple[str, ...]


class EditSaid(Message, frozen=True, kw_only=True):
    """An edit in words.

    Attributes:
        backward: whether it changes nothing but gradients.
    """

    label: str
    backward: bool


class EditsFacts(Answer, frozen=True, kw_only=True):
    """edits.json: the look's edits, in their order."""

    edits: tuple[EditSaid, ...]


class AblationFacts(Answer, frozen=True, kw_only=True):
    """ablation.json: what removing some channels does to the five best classes.

    Attributes:
        total: channels of the layer.
        next: the channel to go on with; ``total`` at the end.
        size: how many channels to ask for then.
        classes: their names, best first.
        changes: for each channel its number, its changes of the classes' logits, and of their probabilities.
    """

    total: int
    next: int
    size: int
    classes: tuple[str, ...]
    changes: tuple[tuple[int, tuple[float, ...], tuple[float, ...]], ...]
