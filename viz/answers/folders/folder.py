"""Folders of pictures: their pass, a channel's exemplars, and unusual channels."""

from ..message import Answer, Found, Message, Shape


class SkippedPicture(Message, frozen=True, kw_only=True):
    """A picture that could not be looked at, and why."""

    title: str
    reason: str


class FolderFacts(Message, frozen=True, kw_only=True):
    """A folder, and the pass over it with the subject's model.

    Attributes:
        source: ``"folder"`` for the server's, ``"own"`` for the visitor's pictures, ``"samples"`` for those
            that come along.
        count: how many pictures it has.
        state: ``"none"``, ``"running"``, ``"stopped"``, ``"done"`` or ``"failed"``; or ``"unfit"``, where all
            that there is is a capture that is not of this model as it is now.
        done: how many of them are done, also those that were left out.
        seconds: that the rest takes; null where that is not known.
        problem: why the pass has failed; empty if it has not.
        note: what is to be said of it beside that; empty if there is nothing.
        mine: whether it runs for this visit too; if it does not, others want it.
        left_out: how many pictures were left out, likewise ``some``: the first of them.
        opened: whether it is a finished capture, which needs no pass.
    """

    source: str
    count: int
    state: str
    done: int
    seconds: float | None
    problem: str
    note: str
    mine: bool
    left_out: int
    some: tuple[SkippedPicture, ...]
    opened: bool


class FoldersFacts(Answer, frozen=True, kw_only=True):
    """folders.json: the folders that this page can look through.

    Attributes:
        folders: the server's first; a visitor's own only if there are any; the samples where the server has
            no folder.
        most: how many pictures of their own visitors may bring.
    """

    folders: tuple[FolderFacts, ...]
    most: int


class AddedFacts(Answer, frozen=True, kw_only=True):
    """pictures.add: one of the visitor's own pictures was taken in.

    Attributes:
        name: what it is called from now on.
        count: how many there are.
        full: whether it was not, nor will another one be: there is no room, and the error says so.
    """

    name: str
    count: int
    full: bool = False


class LabelledFacts(Answer, frozen=True, kw_only=True):
    """pictures.label: a table of labels gave the visitor's own pictures their classes.

    Attributes:
        count: how many pictures it names.
    """

    count: int


class ExemplarFacts(Message, frozen=True, kw_only=True):
    """One picture, and its effect on the channel.

    Attributes:
        picture: its name, as addresses have it.
        title: what a visitor reads.
        value: the channel's maximum on it, or its mean.
        box: the part that the strongest cell sees, in pixels of the picture as the model sees it: left, top,
            right, bottom; null for all of it.
    """

    picture: str
    title: str
    value: Found
    box: Shape | None


class SpreadFacts(Message, frozen=True, kw_only=True):
    """Distribution of a channel's numbers over the pictures.

    Attributes:
        low: the lower edge of the first bin.
        high: the upper edge of the last one.
        counts: of pictures in each bin.
        here: the number of the picture on screen; null if there is none.
        below: the number of pictures with a smaller one.
    """

    low: float
    high: float
    counts: tuple[int, ...]
    here: Found
    below: int


class ExemplarsFacts(Answer, frozen=True, kw_only=True):
    """exemplars.json: which pictures excite the look's channel most and least.

    Attributes:
        pictures: how many were looked at.
        most: the strongest first; likewise ``least``, the weakest first.
        spread: null if there is no number at all.
        known: whether the pass has looked at this layer.
        small: whether the pictures' files are not here, so that the capture's small copies stand for them.
    """

    pictures: int
    known: bool
    most: tuple[ExemplarFacts, ...]
    least: tuple[ExemplarFacts, ...]
    spread: SpreadFacts | None
    small: bool = False


class ExcitedFacts(Message, frozen=True, kw_only=True):
    """A channel that the picture on screen excites unusually.

    Attributes:
        value: its maximum on this picture.
        score: how many standard deviations that is above the mean of the folder's other pictures.
        above: how many of them it exceeds, of ``pictures``.
    """

    layer: str
    call: int
    channel: int
    value: float
    score: float
    above: int


class UnusualFacts(Answer, frozen=True, kw_only=True):
    """excited.json: the channels that are unusually excited, the most unusual first.

    Attributes:
        pictures: how many pictures that is compared with.
        layer: those of the look's layer and call.
        model: those of all layers.
    """

    pictures: int
    layer: tuple[ExcitedFacts, ...]
    model: tuple[ExcitedFacts, ...]
