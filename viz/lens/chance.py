"""CKA of layers without anything in common, from so many pictures: what chance alone reaches."""

from itertools import count

import numpy as np
from scipy import stats

from .similarity import LEAST, batches_of

SAME = 0.95
"""No CKA is shown where chance alone reaches so much between some pair of layers."""
_BY_CHANCE = 0.05


def chance_cka(pictures: int, pairs: int) -> float:
    """Return the CKA that some pair of independent layers reaches in one comparison of twenty.

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


def pictures_needed(pairs: int) -> int:
    """Return of how many different pictures, or more, the CKA of so many pairs is shown."""
    return next(pictures for pictures in count(LEAST) if chance_cka(pictures, pairs) < SAME)


def pairs_of(calls: int, others: int | None = None) -> int:
    """Return how many pairs so many calls make among each other, or with those of another model."""
    return calls * (calls - 1) // 2 if others is None else calls * others
