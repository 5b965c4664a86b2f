"""Each reduction once more, from NumPy, SciPy and scikit-learn: slow, and easy to believe."""

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from scipy.stats import entropy
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import cosine_similarity

Doubles = NDArray[np.float64]
FORMULAS: dict[str, Callable[[Doubles], Doubles]] = {
    "mean": lambda maps: sum(maps) / len(maps),
    "abs-mean": lambda maps: sum(np.abs(maps)) / len(maps),
    "max": lambda maps: np.maximum.reduce(list(maps)),
    "l2": lambda maps: np.linalg.norm(maps, axis=0),
    "std": lambda maps: np.sqrt(np.var(maps, axis=0)),
    "entropy": lambda maps: entropy(softmax(maps, axis=0), axis=0),
    "argmax": lambda maps: np.argmax(maps, axis=0).astype(float),
    "top": lambda maps: maps[strongest(maps, 8)].sum(axis=0),
    "similar": lambda maps: similar(maps, np.linalg.norm(maps, axis=0).argmax()),
}


def similar(maps: Doubles, place: int) -> Doubles:
    """Return each place's cosine similarity with one, counted row by row, by scikit-learn."""
    places = maps.reshape(len(maps), -1).T
    return cosine_similarity(places, places[[place]]).reshape(maps.shape[1:])


def strongest(maps: Doubles, count: int) -> list[int]:
    """Return the channels with the largest mean absolute value, the lower index first where equal."""
    return sorted(range(len(maps)), key=lambda channel: (-np.abs(maps[channel]).mean(), channel))[:count]


def three_components(maps: Doubles) -> tuple[Doubles, Doubles]:
    """Return scores (height, width, 3) and shares (3,) by scikit-learn, zero where there are fewer."""
    samples = maps.reshape(len(maps), -1).T
    count = min(3, *samples.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a share of no variance is 0 / 0
        fitted = PCA(count, svd_solver="full").fit(samples)
    scores, shares = np.zeros((len(samples), 3)), np.zeros(3)
    scores[:, :count] = fitted.transform(samples)
    shares[:count] = np.nan_to_num(fitted.explained_variance_ratio_)
    return scores.reshape(*maps.shape[1:], 3), shares
