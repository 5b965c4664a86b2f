"""Relations of channels to each other: dead, redundant and similar ones."""

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from .chance import largest_correlation
from .classes import has_spread

REDUNDANT = 0.95
"""The correlation above which two channels say the same."""


def chance_correlation(values: NDArray[np.floating]) -> float:
    """Return the largest correlation of channels that chance alone makes.

    Some pair of channels reaches it in one layer of twenty.

    That is for as many channels as vary here, on as many pictures as differ: see ``largest_correlation``.

    Args:
        values: (pictures, channels).
    """
    pictures = len(np.unique(values, axis=0))
    varying = int(np.abs(unit_columns(values)).any(axis=0).sum())
    return largest_correlation(pictures, varying * (varying - 1) // 2)


def dead(maximum: NDArray[np.floating], mean: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Return a mask of channels that are the same for every picture.

    They are so both in their strongest cell and in their mean.

    A ReLU's channel that is never above zero is one; so is a channel that is constant at another value. Of
    one that is NaN for some picture that is not known.

    Args:
        maximum: (pictures, channels).
        mean: likewise.
    """
    known = ~(np.isnan(maximum) | np.isnan(mean)).any(axis=0)
    found: NDArray[np.bool_] = known & ~has_spread(maximum) & ~has_spread(mean)
    return found


def unit_columns(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return (pictures, channels) with each column's mean removed and its length 1.

    The products of two columns are then their correlation. A column without spread, or with anything
    but finite numbers, becomes zeros.
    """
    found = values.astype(np.float64)
    sound = np.isfinite(found).all(axis=0) & has_spread(values)
    found[:, ~sound] = 0
    found -= found.mean(axis=0)
    length = np.linalg.norm(found, axis=0)
    found /= np.where(length > 0, length, 1)
    found[:, ~sound] = 0
    return found


def redundant(values: NDArray[np.floating], above: float = REDUNDANT) -> list[tuple[int, ...]]:
    """Return groups of channels that all correlate above a bound.

    Groups are apart and have two channels or more, the largest first. They come from complete linkage:
    of channels that could be in several groups, the most alike come together first. There are none if chance
    alone reaches the bound.

    Args:
        values: (pictures, channels).
        above: the bound.
    """
    units = unit_columns(values)
    there = np.flatnonzero(np.abs(units).any(axis=0))
    if len(there) < 2 or chance_correlation(values) >= above:  # noqa: PLR2004
        return []
    apart = 1 - np.clip(units[:, there].T @ units[:, there], -1, 1)
    np.fill_diagonal(apart, 0)
    tree = linkage(squareform(apart, checks=False), "complete")
    numbers = fcluster(tree, np.nextafter(1 - above, 0), "distance")
    order = np.argsort(numbers, kind="stable")
    groups = np.split(there[order], np.flatnonzero(np.diff(numbers[order])) + 1)
    found = [tuple(each.tolist()) for each in groups if len(each) > 1]
    return sorted(found, key=lambda group: (-len(group), group))


def alike(values: NDArray[np.floating], count: int = 5) -> list[list[tuple[int, float]]]:
    """Return the channels that correlate most with each, best first.

    Each comes with its correlation; only those are told that chance alone does not reach.

    Args:
        values: (pictures, channels), of one layer.
        count: how many at most.
    """
    units = unit_columns(values)
    found, least = units.T @ units, chance_correlation(values)
    np.fill_diagonal(found, -1)
    best = np.argsort(-found, axis=1, kind="stable")[:, :count]
    return [
        [(int(each), float(row[each])) for each in order if row[each] > least]
        for row, order in zip(found, best, strict=True)
    ]
