"""Groups of equal and nearly equal pictures.

A probe that has learnt from one of them knows the others.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from .classes import has_spread

NEAR = 0.03
"""Distance of nearly equal pictures, as a share of the distance between any two."""
_OF_TREE = 16  # coordinates
_AT_ONCE = 1 << 24  # numbers


def same_pictures(values: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return each picture's group of equal and nearly equal ones.

    Two pictures are also in one group by way of others.

    Args:
        values: (pictures, channels) what channels say of each, such as ``Capture.signature``. Channels count
            alike; those that are not finite on all pictures, or the same for all, do not count.
    """
    if not len(values):
        return np.arange(0)
    sound = np.isfinite(values).all(axis=0)
    sound[sound] = has_spread(values[:, sound])
    if not sound.any():
        return np.arange(len(values))
    distinct, number = np.unique(values[:, sound], axis=0, return_inverse=True)
    scaled = distinct.astype(np.float64)
    scaled -= scaled.mean(axis=0)
    scaled /= scaled.std(axis=0)
    near = _near(scaled, NEAR * np.sqrt(2 * sound.sum()))  # of the root of the mean squared distance
    links = coo_array((np.ones(len(near)), near.T), shape=(len(distinct), len(distinct)))
    groups: NDArray[np.int64] = connected_components(links, directed=False)[1][number.ravel()]
    return groups.astype(np.int64)


def _near(points: NDArray[np.float64], within: float) -> NDArray[np.int64]:
    """Return the pairs of points that are near each other.

    The points are (points, coordinates), and the pairs are (pairs, 2).

    Those that are so by a few coordinates are looked for first: a tree of many would be slow.
    """
    few = points[:, :: max(1, points.shape[1] // _OF_TREE)]
    pairs = cKDTree(few).query_pairs(within, output_type="ndarray")
    parts = np.array_split(pairs, max(1, pairs.size * points.shape[1] // _AT_ONCE))
    apart = [np.linalg.norm(points[part[:, 0]] - points[part[:, 1]], axis=1) for part in parts]
    found: NDArray[np.int64] = pairs[np.concatenate(apart) <= within]
    return found
