"""Attribution maps of a class, and layers whose channels are classes."""

from .message import Answer, Found, Message, Png


class ExplanationFacts(Answer, frozen=True, kw_only=True):
    """attribution.json: the attribution map of a class, as far as known.

    Request it again until it is done.

    Attributes:
        png: as large as the model's input: from black for 0, or if it is signed, see-through for 0.
        bar: the colours from ``low`` to ``high``, one pixel high.
        low: the number of the darkest, or the bluest, colour; likewise ``high``.
        signed: whether numbers below 0 count against the class.
        sits: whether the centres of the layer's cells on the picture are known; else they are stretched
            over it.
        empty: whether it is zero everywhere.
        reached: of Grad-CAM, whether the gradient of the score arrives at these places.
        done: runs of the model so far, of ``total``.
        layer: of a method that looks at a layer, its name; else empty.
        height: the number of places, one below the other; likewise ``width``.
        side: the shorter side of the model's input in pixels.
        window: of an occlusion, the side of its window; else 0. Likewise ``stride``.
        steps: of a method that goes from a baseline to the picture, the number of steps; else 0.
        rise: the score of the class, minus that of the baseline where there is one; null if it is not known.
        gap: the sum of all numbers minus ``rise``; null if they do not add up to it, or not yet.
        peak: the largest number.
    """

    png: Png
    bar: Png
    low: float
    high: float
    signed: bool
    sits: bool
    empty: bool
    reached: bool
    done: int
    total: int
    layer: str
    height: int
    width: int
    side: int
    window: int
    stride: int
    steps: int
    rise: Found
    gap: Found
    peak: Found


class NamingCall(Message, frozen=True):
    """A layer's call that returns a number or map per class.

    Attributes:
        call: counted from 0.
        scores: whether these are scores, whose softmax over the classes is their probabilities.
    """

    layer: str
    call: int
    scores: bool


class NamesFacts(Answer, frozen=True, kw_only=True):
    """names.json: the layers whose channels are classes, and the classes' names.

    Attributes:
        classes: their names, in the order of the channels; empty if there is no such layer.
    """

    classes: tuple[str, ...]
    calls: tuple[NamingCall, ...]
