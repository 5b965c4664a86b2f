"""A look's edits in words, its possible part, and channels' effects."""

from .message import Answer, Message, Notice


class LookFacts(Answer, frozen=True, kw_only=True):
    """look.json: the possible part of a link.

    Attributes:
        look: the look's text without its impossible parts.
        notices: a sentence for each part that was left out.
    """

    look: str
    notices: tuple[Notice, ...]


class EditText(Message, frozen=True, kw_only=True):
    """An edit in words.

    Attributes:
        backward: whether it changes nothing but gradients.
    """

    label: str
    backward: bool


class EditsFacts(Answer, frozen=True, kw_only=True):
    """edits.json: the look's edits, in their order."""

    edits: tuple[EditText, ...]


class AblationChanges(Message, frozen=True, kw_only=True):
    """Changes by removing single channels, in columns with a row each.

    Attributes:
        logits: the changes of the classes' logits.
        probabilities: likewise, of a softmax over all classes.
    """

    channel: tuple[int, ...]
    logits: tuple[tuple[float, ...], ...]
    probabilities: tuple[tuple[float, ...], ...]


class AblationFacts(Answer, frozen=True, kw_only=True):
    """ablation.json: effects of removing some channels on the five best classes.

    Attributes:
        total: channels of the layer.
        next: the channel to go on with; ``total`` at the end.
        size: the number of channels to ask for then.
        classes: their names, best first.
    """

    total: int
    next: int
    size: int
    classes: tuple[str, ...]
    changes: AblationChanges
