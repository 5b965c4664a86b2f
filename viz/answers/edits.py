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


class AblationChanges(Message, frozen=True, kw_only=True):
    """What removing each of some channels changes, in columns: a row for each channel.

    Attributes:
        logits: the changes of the classes' logits.
        probabilities: likewise, of a softmax over all classes.
    """

    channel: tuple[int, ...]
    logits: tuple[tuple[float, ...], ...]
    probabilities: tuple[tuple[float, ...], ...]


class AblationFacts(Answer, frozen=True, kw_only=True):
    """ablation.json: what removing some channels does to the five best classes.

    Attributes:
        total: channels of the layer.
        next: the channel to go on with; ``total`` at the end.
        size: how many channels to ask for then.
        classes: their names, best first.
    """

    total: int
    next: int
    size: int
    classes: tuple[str, ...]
    changes: AblationChanges
