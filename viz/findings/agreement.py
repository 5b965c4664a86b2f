"""Agreement of an optimised picture with a folder's pictures, in numbers.

A channel may be driven by what no photograph has, and an optimised picture then shows just that. Such a
picture excites the other channels of the layer in other ways than the channel's exemplars do.
"""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
_TOP = 9
_BY_CHANCE = 0.05
_FEWEST = 3  # pictures beside the exemplars, and channels beside the one that is asked about


@dataclass(frozen=True)
class Agreement:
    """An optimised picture beside the pictures of a folder.

    Attributes:
        beaten: how many of them excite the channel less than the optimised picture does.
        pictures: how many there are.
        likeness: how much more the channel's exemplars are like the optimised picture than the others are, by
            what all other channels make of them: 1 if every exemplar is more like it than every other
            picture, 0.5 if being an exemplar makes no difference; None if there are too few to tell.
        chance: the likeness that chance alone passes once in twenty; None with it.
    """

    beaten: int
    pictures: int
    likeness: float | None
    chance: float | None


def agreement(peaks: Numbers, maxima: Numbers, channel: int, top: int = _TOP) -> Agreement:
    """Return how far an optimised picture agrees with a folder's pictures.

    Args:
        peaks: (channels), each channel's maximum on the optimised picture.
        maxima: (pictures, channels), likewise on the pictures of the folder.
        channel: the one that it was optimised for.
        top: how many exemplars there are: the pictures that excite the channel most.

    Source: likeness is the area under the ROC curve, as the statistic of Mann & Whitney, "On a Test of
    Whether one of Two Random Variables is Stochastically Larger than the Other", 1947.
    """
    maxima = maxima[np.isfinite(maxima).all(1)]
    beaten = int((maxima[:, channel] < peaks[channel]).sum())
    likeness = _likeness(peaks, maxima, channel, top)
    chance = None if likeness is None else chance_likeness(len(maxima), top)
    return Agreement(beaten, len(maxima), likeness, chance)


def chance_likeness(pictures: int, top: int = _TOP) -> float:
    """Return the likeness that chance alone passes once in twenty.

    Without ties and for exemplars that differ in nothing, the statistic has a mean of 0.5 and this variance.
    It is nearly normal even for three pictures beside the exemplars.

    Args:
        pictures: how many there are, with the exemplars.
        top: how many exemplars there are.

    Source: Mann & Whitney, as for ``agreement``.
    """
    variance = (pictures + 1) / (12 * top * (pictures - top))
    return NormalDist(0.5, sqrt(variance)).inv_cdf(1 - _BY_CHANCE)


def _likeness(peaks: Numbers, maxima: Numbers, channel: int, top: int) -> float | None:
    spread = maxima.std(0)
    others = (spread > 0) & np.isfinite(peaks)
    others[channel] = False
    if len(maxima) < top + _FEWEST or others.sum() < _FEWEST:
        return None
    middle, spread = maxima[:, others].mean(0), spread[others]
    cosines = _unit((maxima[:, others] - middle) / spread) @ _unit((peaks[others] - middle) / spread)
    strongest = np.argsort(-maxima[:, channel], kind="stable")
    exemplars, rest = cosines[strongest[:top]], cosines[strongest[top:]]
    wins = (exemplars[:, None] > rest).mean() + 0.5 * (exemplars[:, None] == rest).mean()
    return float(wins)


def _unit(vectors: Numbers) -> Numbers:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1))
