"""A layer as one picture: its maps reduced by a named formula."""

from ..layer import LayerFacts
from ..message import Answer, Png


class ReducedFacts(Answer, frozen=True, kw_only=True):
    """reduced.json: one picture of a layer, and the formula that made it.

    Attributes:
        view: the picture's numbers, colours and place, as of a layer with one channel; of principal
            components the numbers are those of all three.
        picture: one pixel per value.
        channels: the channels that were used; of the strongest ones the strongest first.
        of: the number of channels that the layer has.
        explained: each principal component's share of the variance, 0 to 1; empty for other formulas.
        formula: in words and signs, on one line.
        source: the paper that it comes from; empty where it comes from none.
        at: the row and the column of the place that all others are compared with; empty for other formulas.
    """

    view: LayerFacts
    picture: Png
    channels: tuple[int, ...]
    of: int
    explained: tuple[float, ...]
    formula: str
    source: str
    at: tuple[int, ...]
