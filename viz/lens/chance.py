"""Likeness and preferences that chance alone makes of so many pictures."""

from itertools import count

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from .similarity import LEAST, batches_of

SAME = 0.95
"""No CKA is shown where chance alone reaches so much between some pair of layers."""
_BY_CHANCE = 0.05


def chance_cka(pictures: int, pairs: int) -> float:
    """Return the CKA that independent layers reach by chance.

    Some pair of them reaches it in one comparison of twenty.

    Of independent layers the estimate is 0 on average, with a variance of 2 / (n (n - 3)): U-centred kernels
    are vectors in a space of n (n - 3) / 2 dimensions. Its tail is longest where each layer varies in one
    direction alone: that of a chi-square of one degree of freedom, less 1. This is the quantile of that, with
    Bonferroni's bound over all pairs. Each minibatch adds a degree of freedom. Layers that vary in more
    directions stay further below, whatever their widths.

    Args:
        pictures: how many different ones the CKA is of, in minibatches as ``minibatches`` makes them.
        pairs: how many pairs of layers are compared.

    Source: Székely and Rizzo, The distance correlation t-test of independence in high dimension (2013),
    section 2, for the space; Zhang et al., Large-scale kernel methods for independence testing (2018),
    section 3, for the weighted chi-squares.
    """
    batches = batches_of(pictures)
    each = pictures / batches
    if each < LEAST:
        return float("inf")
    quantile = stats.chi2.isf(_BY_CHANCE / max(1, pairs), batches)
    return float((quantile - batches) / (batches * np.sqrt(each * (each - 3))))


def largest_correlation(pictures: int, claims: int) -> float:
    """Return the largest correlation that chance alone makes of so many claims.

    Some claim reaches it in one layer of twenty.

    That is for independent, normally distributed values: the quantile of Student's t for one claim, and
    Bonferroni's bound for all of them. It is 1 for fewer than three pictures.

    Args:
        pictures: how many different ones there are.
        claims: how many correlations are looked at; twice as many where both signs count.

    Source: Fisher, Statistical Methods for Research Workers (1925), section 34.
    """
    if pictures < 3:  # noqa: PLR2004
        return 1.0
    quantile = stats.t.isf(_BY_CHANCE / max(1, claims), pictures - 2)
    return float(quantile / np.sqrt(pictures - 2 + quantile**2))


def chance_scores(counts: NDArray[np.int64], channels: int) -> NDArray[np.float64]:
    """Return the score of each class that chance alone reaches.

    In one layer of twenty, some class's mean is so many deviations from some channel's.

    That is for normally distributed channels that have nothing to do with the classes. A class's score is
    then its indicator's correlation with the channel, times the root of (n - c) / c for c of n pictures:
    see ``largest_correlation``, over all channels, classes and both signs.

    Args:
        counts: (classes,) how many different pictures each has.
        channels: of the layer.
    """
    pictures = int(counts.sum())
    correlation = largest_correlation(pictures, 2 * channels * len(counts))
    found: NDArray[np.float64] = correlation * np.sqrt(pictures / np.maximum(counts, 1) - 1)
    return found


def dead_share(pictures: int) -> float:
    """Return the largest share of pictures that may excite a dead channel.

    The channel is one that none of these pictures excites; the bound holds at 95 %.

    Source: Hanley and Lippman-Hand, If nothing goes wrong, is everything all right? (1983).
    """
    return float(1 - _BY_CHANCE ** (1 / max(1, pictures)))


def pictures_needed(pairs: int) -> int:
    """Return the least number of different pictures for a useful CKA.

    With fewer, chance alone reaches ``SAME`` between some of so many pairs.
    """
    return next(pictures for pictures in count(LEAST) if chance_cka(pictures, pairs) < SAME)


def pairs_of(calls: int, others: int | None = None) -> int:
    """Return the number of pairs of calls, within or between models."""
    return calls * (calls - 1) // 2 if others is None else calls * others
