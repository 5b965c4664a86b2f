"""Definition of each reduction: its formula in one line, and its paper.

In the formulas ``x_c`` is the number of channel c at the place, of the C channels that are used.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ...request.look import Reduction
from ...sentences import Sentence

_ATTENTION = "Zagoruyko & Komodakis, Paying More Attention to Attention, ICLR 2017, section 3.1"
_RGB = "Oquab et al., DINOv2: Learning Robust Visual Features without Supervision, 2023, figure 1"
_DENSE = "Amir et al., Deep ViT Features as Dense Visual Descriptors, 2021"
_ENTROPY = "Shannon, A Mathematical Theory of Communication, 1948, section 6"


class Definition(NamedTuple):
    """A reduction's formula in words and signs, and its source.

    The source is empty where it comes from no paper.
    """

    sentence: Sentence
    source: str = ""


DEFINITIONS: Mapping[Reduction, Definition] = {
    "mean": Definition(Sentence("mean over channels: Σ x_c / C")),
    "abs-mean": Definition(Sentence("mean of absolute values over channels: Σ |x_c| / C"), _ATTENTION),
    "max": Definition(Sentence("largest value over channels: max x_c")),
    "l2": Definition(Sentence("L2 norm over channels: √(Σ x_c²)"), _ATTENTION),
    "std": Definition(Sentence("standard deviation over channels: √(Σ (x_c − mean)² / C)")),
    "entropy": Definition(
        Sentence(
            "entropy of the softmax over channels, in nats: −Σ p_c ln p_c with p_c = exp x_c / Σ exp x_k"
        ),
        _ENTROPY,
    ),
    "argmax": Definition(
        Sentence("index of the channel with the largest value: arg max x_c, a tie to the lower")
    ),
    "top": Definition(
        Sentence("sum of the channels with the largest mean absolute value over the map: Σ x_c over these")
    ),
    "pca": Definition(
        Sentence(
            "first three principal components of places in the space of channels, as red, green and blue, "
            "each from its own lowest score to its highest; the loading of largest absolute value is positive"
        ),
        _RGB,
    ),
    "similar": Definition(
        Sentence(
            "cosine similarity of each place with one place y, over channels: Σ x_c y_c / (‖x‖ ‖y‖), 0 where "
            "all are zero"
        ),
        _DENSE,
    ),
}
