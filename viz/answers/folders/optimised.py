"""Pictures that a channel wants to see."""

from ..message import Answer, Found, Png


class OptimisedFacts(Answer, frozen=True, kw_only=True):
    """optimised.json: the pictures optimised for a channel so far.

    Request it again until they are finished.

    Attributes:
        pictures: each as large as the model's input.
        values: the mean of the channel's cells on each, or the cell that is meant.
        peaks: the channel's strongest cell on each.
        own: the channel's strongest cell on the visitor's picture.
        done: how many steps are behind us, of ``total``.
        stuck: whether the channel is the same whatever the model sees, so that no picture can be found.
        side: the shorter side of the pictures in pixels.
        compared: with how many pictures of a folder the first one is compared, once it is finished; 0 if
            there is no folder that was looked through.
        beaten: how many of them excite the channel less.
        likeness: how often, of pairs of an exemplar and another picture, the exemplar is more like the
            optimised one, by what all other channels make of them: 0.5 is chance; null if there are too few
            to tell.
        chance: the likeness that chance alone rarely passes; null with it.
    """

    pictures: tuple[Png, ...]
    values: tuple[Found, ...]
    peaks: tuple[Found, ...]
    own: Found
    done: int
    total: int
    stuck: bool
    side: int
    compared: int = 0
    beaten: int = 0
    likeness: Found = None
    chance: Found = None
