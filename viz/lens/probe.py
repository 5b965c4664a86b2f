"""Linear probe of a layer: a classifier on its channels' means."""

import warnings
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

SEED = 0
PARTS = 3
"""Each picture is held out in one of so many."""
LEAST_OF_CLASS = 5
"""Different pictures that a class needs; smaller ones are left out."""
MOST_PICTURES = 4000
"""More than these are drawn from at random, the same share of each class."""
_ITERATIONS = 2000
_Z = 1.959963984540054  # 95 % of a normal distribution lie within


@dataclass(frozen=True)
class Split:
    """The probes' split of pictures, the same for all layers.

    Each picture is held out once, in one of a few parts.

    Attributes:
        pictures: (used,) the numbers of those that have a class with enough pictures.
        part: (used,) in which part each is held out; a probe then learns from all other parts.
        groups: (used,) alike for equal and nearly equal pictures, which are always in one part.
        classes: the classes that have enough pictures.
    """

    pictures: NDArray[np.int64]
    part: NDArray[np.int64]
    groups: NDArray[np.int64]
    classes: tuple[int, ...]


@dataclass(frozen=True)
class Probe:
    """Accuracy of a layer's linear probe.

    Attributes:
        accuracy: the balanced one, the mean over classes of the share that is right; each picture is held
            out once.
        low: the lower end of its interval of 95 %.
        high: the upper end.
        chance: what guessing comes to.
        channels: how many were used: those that are finite on all pictures.
    """

    accuracy: float
    low: float
    high: float
    chance: float
    channels: int


def split(numbers: NDArray[np.int64], groups: NDArray[np.int64] | None = None) -> Split | None:
    """Return a split with each class's share alike in all parts.

    None if fewer than two classes have enough pictures; equal ones count as one.

    Args:
        numbers: (pictures,) each one's class; -1 for none.
        groups: (pictures,) alike for pictures that are equal, or nearly; by default none are.
    """
    groups = np.arange(len(numbers)) if groups is None else groups
    counts = _distinct(numbers, groups)
    classes = tuple(int(each) for each in np.flatnonzero(counts >= LEAST_OF_CLASS))
    if len(classes) < 2:  # noqa: PLR2004
        return None
    used = np.flatnonzero(np.isin(numbers, classes))
    if len(used) > MOST_PICTURES:
        used = _fewer(used, numbers, groups, classes)
    folds, part = StratifiedGroupKFold(PARTS, shuffle=True, random_state=SEED), np.zeros(len(used), np.int64)
    for number, (_, held) in enumerate(folds.split(used, numbers[used], groups[used])):
        part[held] = number
    return Split(used, part, groups[used], classes)


def _distinct(numbers: NDArray[np.int64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many different pictures each class has."""
    pairs = np.unique(np.stack([numbers, groups]), axis=1)[0]
    return np.bincount(pairs[pairs >= 0])


def probe(values: NDArray[np.floating], numbers: NDArray[np.int64], by: Split) -> Probe | None:
    """Return the accuracy with which a layer's channels tell classes apart.

    The classifiers are logistic regressions.

    Each picture is guessed by the one that has learnt from the other parts, and channels are standardised by
    the pictures that it learns from. None if no channel is finite on all of the pictures.

    Args:
        values: (pictures, channels), such as the channels' means.
        numbers: (pictures,) each one's class.
        by: the split.
    """
    used, right = values[by.pictures], numbers[by.pictures]
    sound = np.isfinite(used).all(axis=0)
    if not sound.any():
        return None
    guessed = _guessed(used[:, sound].astype(np.float64), right, by.part)
    recalls = recall_score(right, guessed, labels=by.classes, average=None)
    accuracy = float(np.mean(recalls))
    low, high = interval(accuracy, _distinct(right, by.groups)[list(by.classes)])
    return Probe(accuracy, low, high, 1 / len(by.classes), int(sound.sum()))


def _guessed(
    values: NDArray[np.float64], right: NDArray[np.int64], part: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return each picture's class as guessed from the other parts."""
    guessed = np.zeros_like(right)
    with threadpool_limits(1, "blas"), warnings.catch_warnings():  # its sums are small: threads would wait
        warnings.simplefilter("ignore", ConvergenceWarning)  # judged by what it can do, wherever it stopped
        for number in range(PARTS):
            held = part == number
            classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=_ITERATIONS))
            guessed[held] = classifier.fit(values[~held], right[~held]).predict(values[held])
    return guessed


def interval(accuracy: float, counts: NDArray[np.int64]) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a balanced accuracy.

    Args:
        accuracy: from 0 to 1.
        counts: (classes,) how many different pictures of each it was measured on. Classes count alike, so
            pictures of classes with few of them count more, and the interval is as wide as so many equal
            ones make it.
    """
    size = len(counts) ** 2 / float((1 / counts).sum())
    middle = (accuracy + _Z**2 / (2 * size)) / (1 + _Z**2 / size)
    half = _Z / (1 + _Z**2 / size) * sqrt(accuracy * (1 - accuracy) / size + _Z**2 / (4 * size**2))
    return max(0.0, min(middle - half, accuracy)), min(1.0, max(middle + half, accuracy))


def _fewer(
    among: NDArray[np.int64],
    numbers: NDArray[np.int64],
    groups: NDArray[np.int64],
    classes: tuple[int, ...],
) -> NDArray[np.int64]:
    """Return about ``MOST_PICTURES`` at random, with each class's share.

    Different ones come first, so that each class keeps enough of them.
    """
    random, share = np.random.default_rng(SEED), MOST_PICTURES / len(among)
    taken = []
    for each in classes:
        own = random.permutation(among[numbers[among] == each])
        first = np.sort(np.unique(groups[own], return_index=True)[1])
        own = np.concatenate([own[first], np.delete(own, first)])
        taken.append(own[: max(LEAST_OF_CLASS, int(share * len(own)))])
    return np.sort(np.concatenate(taken))
