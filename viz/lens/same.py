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
_AT_ONCE, _PAIRS = 1 << 24, 1 << 20  # numbers, pairs


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
    groups = _grouped(scaled, NEAR * np.sqrt(2 * sound.sum()))  # of the root of the mean squared distance
    found: NDArray[np.int64] = groups[number.ravel()]
    return found


def first_of_each(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of the first picture of each group, in order."""
    found: NDArray[np.int64] = np.sort(np.unique(groups, return_index=True)[1])
    return found


def _grouped(points: NDArray[np.float64], within: float) -> NDArray[np.int64]:
    """Return the groups that points (points, coordinates) form by nearness.

    Pairs that are near by a few coordinates are looked at, for a tree of many would be slow; and some at a
    time, for among many copies of a picture all pairs are near.
    """
    few = points[:, :: max(1, points.shape[1] // _OF_TREE)]
    tree = cKDTree(few)
    ends = np.cumsum(tree.query_ball_point(few, within, return_length=True))
    groups = np.arange(len(points))
    for some in np.split(np.arange(len(points)), np.flatnonzero(np.diff(ends // _PAIRS)) + 1):
        near = cKDTree(few[some]).sparse_distance_matrix(tree, within, output_type="ndarray")
        pairs = np.stack([some[near["i"]], near["j"]], axis=1)
        for part in np.array_split(pairs, max(1, pairs.size * points.shape[1] // _AT_ONCE)):
            groups = _joined(groups, part, points, within)
    return groups


def _joined(
    groups: NDArray[np.int64], pairs: NDArray[np.int64], points: NDArray[np.float64], within: float
) -> NDArray[np.int64]:
    """Return the groups after those of near pairs became one."""
    left, right = pairs[groups[pairs[:, 0]] != groups[pairs[:, 1]]].T
    near = np.linalg.norm(points[left] - points[right], axis=1) <= within
    ends = groups[left[near]], groups[right[near]]
    links = coo_array((np.ones(len(ends[0])), ends), shape=(groups.max() + 1,) * 2)
    joined: NDArray[np.int64] = connected_components(links, directed=False)[1].astype(np.int64)
    return joined[groups]
