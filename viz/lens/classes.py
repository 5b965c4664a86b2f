"""Channel × class: each class's effect on each channel."""

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering

Table = NDArray[np.float64]
"""(channels, classes)"""
_MOST_OPTIMAL = 400  # leaves; the best order of more takes seconds


def class_means(values: NDArray[np.floating], numbers: NDArray[np.int64], classes: int) -> Table:
    """Return the mean of each channel over each class's pictures.

    NaN values are left out; where nothing is left, the mean is NaN.

    Args:
        values: (pictures, channels).
        numbers: (pictures,) each one's class; -1 for none.
        classes: how many there are.
    """
    means = [_nan_mean(values[numbers == number].astype(np.float64)) for number in range(classes)]
    return np.stack(means, axis=1)


def standardised(values: NDArray[np.floating], numbers: NDArray[np.int64], classes: int) -> Table:
    """Return each class's deviation from the channel's mean, in standard deviations.

    Mean and deviation are those over all pictures with a class (``numbers``, as in ``class_means``). A
    channel without spread has NaN.
    """
    among = values[numbers >= 0].astype(np.float64)
    means = class_means(values, numbers, classes)
    with np.errstate(invalid="ignore", divide="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of channels that are NaN on all pictures
        middle, spread = np.nanmean(among, axis=0), np.nanstd(among, axis=0)
        spread[~has_spread(among)] = np.nan
        found: Table = (means - middle[:, None]) / spread[:, None]
    return found


def has_spread(values: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Return a mask of columns that differ by more than rounding.

    The values are (pictures, channels).
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        most, least = np.nanmax(values, axis=0), np.nanmin(values, axis=0)
    with np.errstate(invalid="ignore", over="ignore"):
        size = np.maximum(np.abs(most), np.abs(least))
        found: NDArray[np.bool_] = (most - least > 1e-6 * size) | (np.isinf(size) & (most != least))
    return found


def clustered(rows: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return an order of rows with similar ones together, by Ward's clusters.

    Rows that are not finite come last.
    """
    sound = np.isfinite(rows).all(axis=1)
    there, rest = np.flatnonzero(sound), np.flatnonzero(~sound)
    if len(there) > 2:  # noqa: PLR2004  # two have but one order
        among = rows[there]
        tree = linkage(among, "ward")
        if len(there) <= _MOST_OPTIMAL:
            tree = optimal_leaf_ordering(tree, among)
        there = there[leaves_list(tree)]
    return np.concatenate([there, rest]).astype(np.int64)


def _nan_mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found: NDArray[np.float64] = np.nanmean(values, axis=0)
    return found
