"""Differences of two sets of maps, and their joint range."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..maps.colour.wanted import percentiles


def joint_range(*sides: NDArray[np.generic], clipped: bool = False) -> tuple[float, float]:
    """The smallest and the largest finite value of all sides together.

    Both are 0 if no value is finite. With ``clipped`` these are ``percentiles``.
    """
    finite = np.concatenate([side[np.isfinite(side)].astype(np.float64).ravel() for side in sides])
    if clipped or not finite.size:
        return percentiles(finite)
    return float(finite.min()), float(finite.max())


def signed_difference(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.float64]:
    """Return left − right in double precision, in the shape of both.

    NaN where both are the same infinity.
    """
    with np.errstate(invalid="ignore"):
        difference: NDArray[np.float64] = left.astype(np.float64) - right.astype(np.float64)
    return difference


def distances(difference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the finite magnitudes in each channel, (channels,).

    NaN where a channel has none.
    """
    finite = np.isfinite(difference)
    counts = finite.sum(axis=(1, 2))
    sums = np.abs(difference, where=finite, out=np.zeros_like(difference)).sum(axis=(1, 2))
    means: NDArray[np.float64] = np.full(len(difference), np.nan)
    np.divide(sums, counts, where=counts > 0, out=means)
    return means


def farthest_first(found: Sequence[float] | NDArray[np.float64]) -> list[int]:
    """The channels by their distance, the largest first.

    Ties are in their own order; channels without a distance come last.
    """
    figures = np.nan_to_num(np.asarray(found, np.float64), nan=-np.inf)
    return [int(channel) for channel in np.argsort(-figures, kind="stable")]
