"""The data-set lens: relations between a folder's classes, channels and layers."""

from ..message import Answer, Found, Message


class LensClass(Message, frozen=True, kw_only=True):
    """A class, and the number of its pictures."""

    name: str
    pictures: int


class LensLayer(Message, frozen=True, kw_only=True):
    """A layer, and how well it separates the classes.

    Attributes:
        call: which of its calls, counted from 0.
        dead: how many channels are the same for every picture.
        pictures: the number of different ones that this is from.
        spare: how many could go because another one says the same; null where chance alone makes such ones of
            so few pictures.
        accuracy: a linear probe's balanced accuracy, from 0 to 1; null without one.
        low: the lower end of its interval of 95 %; likewise ``high``.
    """

    layer: str
    call: int
    channels: int
    dead: int
    pictures: int
    spare: int | None
    accuracy: Found
    low: Found
    high: Found


class LensOther(Message, frozen=True, kw_only=True):
    """Another model that has looked through the same pictures.

    A question calls it by ``name``.
    """

    name: str
    title: str


class LensSample(Message, frozen=True, kw_only=True):
    """Pictures and pairs behind a matrix of CKA.

    Attributes:
        pictures: how many different ones.
        chance: the CKA that some pair of independent layers reaches in one such matrix of twenty; what is not
            above it says nothing.
        needed: how many pictures it takes for the matrix to be shown.
    """

    pictures: int
    chance: float
    needed: int


class LensFacts(Answer, frozen=True, kw_only=True):
    """lens.json: the innermost layers' results so far, in the model's order.

    Attributes:
        pictures: the number that was looked at.
        used: the number of them, drawn at random, that this is from.
        calls: the number of calls of layers to look at.
        complete: whether all are found, and how they relate; until then it is worth asking again.
        classes: alike ones beside each other once it is complete; empty if there are fewer than two.
        unlabelled: the number of pictures without a class.
        chance: what guessing comes to; null without probes.
        held_out: how many different pictures the probes are judged by, each held out once.
        layers: the first ones, as far as they are found.
        similarity: for each layer its linear CKA with each; null where a layer never changes; empty until it
            is complete.
        sample: what that is of; null as long as it is empty.
        others: other models whose layers these can be compared with; empty until it is complete.
    """

    pictures: int
    used: int
    calls: int
    complete: bool
    classes: tuple[LensClass, ...]
    unlabelled: int
    chance: Found
    held_out: int
    layers: tuple[LensLayer, ...]
    similarity: tuple[tuple[Found, ...], ...]
    sample: LensSample | None
    others: tuple[LensOther, ...]


class LensCall(Message, frozen=True, kw_only=True):
    """A call of a layer, counted from 0."""

    layer: str
    call: int


class LensAgainstFacts(Answer, frozen=True, kw_only=True):
    """lens-against.json: likeness of this model's layers to another one's.

    Attributes:
        pictures: how many both have looked through.
        used: how many of them are compared: some drawn at random, if there are too many.
        layers: the other model's, in its order.
        similarity: for each layer of this model its linear CKA with each of the other; null where one of the
            two never changes.
        sample: what that is of.
    """

    pictures: int
    used: int
    layers: tuple[LensCall, ...]
    similarity: tuple[tuple[Found, ...], ...]
    sample: LensSample


class AlikeChannel(Message, frozen=True, kw_only=True):
    """Another channel of the layer, and its correlation over the pictures."""

    channel: int
    correlation: float


class LensChannel(Message, frozen=True, kw_only=True):
    """A channel.

    Attributes:
        scores: for each class, how many of the channel's standard deviations its mean is above the
            channel's; null without spread.
        group: the number of its group of redundant channels; null for none.
        alike: the most alike ones first.
    """

    channel: int
    scores: tuple[Found, ...]
    dead: bool
    group: int | None
    alike: tuple[AlikeChannel, ...]


class LensLayerFacts(Answer, frozen=True, kw_only=True):
    """lens-layer.json: the channels of the look's layer and call.

    There are none if the layer was not looked at.

    Attributes:
        classes: the order of each channel's ``scores``.
        class_chance: the score of each class, above or below zero, that chance alone reaches.
        channels: alike ones beside each other.
        used: how many pictures this is from.
        dead_share: the largest share of pictures that may excite a dead channel all the same, at 95 %.
        groups: the channels of each group of redundant ones; none if chance alone makes such groups.
        pictures: how many different ones the correlations are of.
        chance: the correlation of two channels that chance alone reaches; only larger ones are told.
        too_few: whether chance alone makes channels redundant.
    """

    classes: tuple[str, ...]
    class_chance: tuple[float, ...]
    channels: tuple[LensChannel, ...]
    groups: tuple[tuple[int, ...], ...]
    used: int
    dead_share: float
    pictures: int
    chance: float
    too_few: bool
