"""How well a layer separates the classes: a linear classifier that sees only its channels' means."""

import warnings
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

SEED = 0
HELD_OUT = 0.3
LEAST_OF_CLASS = 5
"""Pictures that a class needs; smaller ones are left out."""
MOST_PICTURES = 4000
"""More than these are drawn from at random, the same share of each class."""
_ITERATIONS = 2000
_Z = 1.959963984540054  # 95 % of a normal distribution lie within


@dataclass(frozen=True)
class Split:
    """Which pictures a probe learns from, and by which it is judged: the same for all layers.

    Attributes:
        learnt: (pictures,) their numbers.
        held_out: likewise; none of ``learnt``.
        classes: the classes that have enough pictures.
    """

    learnt: NDArray[np.int64]
    held_out: NDArray[np.int64]
    classes: tuple[int, ...]


@dataclass(frozen=True)
class Probe:
    """How well a layer separates the classes.

    Attributes:
        accuracy: the balanced one, on pictures held out: the mean over classes of the share that is right.
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


def split(numbers: NDArray[np.int64], usable: NDArray[np.bool_] | None = None) -> Split | None:
    """Return a split with the same share of every class; None if fewer than two have enough pictures.

    Args:
        numbers: (pictures,) each one's class; -1 for none.
        usable: (pictures,) which may be taken; all by default.
    """
    kept = numbers if usable is None else np.where(usable, numbers, -1)
    counts = np.bincount(kept[kept >= 0]) if (kept >= 0).any() else np.zeros(0, int)
    classes = tuple(int(each) for each in np.flatnonzero(counts >= LEAST_OF_CLASS))
    if len(classes) < 2:  # noqa: PLR2004
        return None
    among = np.flatnonzero(np.isin(kept, classes))
    if len(among) > MOST_PICTURES:
        among = _fewer(among, kept, classes)
    held = max(round(HELD_OUT * len(among)), len(classes))
    learnt, out = train_test_split(among, test_size=held, random_state=SEED, stratify=kept[among])
    return Split(np.sort(learnt), np.sort(out), classes)


def probe(values: NDArray[np.floating], numbers: NDArray[np.int64], by: Split) -> Probe | None:
    """Return how well a logistic regression on a layer's channels tells the classes apart.

    Channels are standardised by the pictures that it learns from. None if no channel is finite on all of
    the pictures.

    Args:
        values: (pictures, channels), such as the channels' means.
        numbers: (pictures,) each one's class.
        by: the split.
    """
    both = np.concatenate([by.learnt, by.held_out])
    sound = np.isfinite(values[both]).all(axis=0)
    if not sound.any():
        return None
    seen, unseen = (values[rows][:, sound].astype(np.float64) for rows in (by.learnt, by.held_out))
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=_ITERATIONS))
    with threadpool_limits(1, "blas"), warnings.catch_warnings():  # its sums are small: threads would wait
        warnings.simplefilter("ignore", ConvergenceWarning)  # judged by what it can do, wherever it stopped
        guessed = classifier.fit(seen, numbers[by.learnt]).predict(unseen)
    right = numbers[by.held_out]
    recalls = recall_score(right, guessed, labels=by.classes, average=None)
    accuracy = float(np.mean(recalls))
    low, high = interval(accuracy, np.bincount(right, minlength=max(by.classes) + 1)[list(by.classes)])
    return Probe(accuracy, low, high, 1 / len(by.classes), int(sound.sum()))


def interval(accuracy: float, counts: NDArray[np.int64]) -> tuple[float, float]:
    """Return the ends of the interval of 95 % of a balanced accuracy, by Wilson's score.

    Args:
        accuracy: from 0 to 1.
        counts: (classes,) how many pictures of each it was measured on. Classes count alike, so pictures of
            classes with few of them count more, and the interval is as wide as so many equal ones make it.
    """
    size = len(counts) ** 2 / float((1 / counts).sum())
    middle = (accuracy + _Z**2 / (2 * size)) / (1 + _Z**2 / size)
    half = _Z / (1 + _Z**2 / size) * sqrt(accuracy * (1 - accuracy) / size + _Z**2 / (4 * size**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def _fewer(
    among: NDArray[np.int64], numbers: NDArray[np.int64], classes: tuple[int, ...]
) -> NDArray[np.int64]:
    """Return ``MOST_PICTURES`` of them at random; of each class its share, and never too few."""
    random, share = np.random.default_rng(SEED), MOST_PICTURES / len(among)
    taken = []
    for each in classes:
        own = among[numbers[among] == each]
        taken.append(random.permutation(own)[: max(LEAST_OF_CLASS, int(share * len(own)))])
    return np.sort(np.concatenate(taken))
