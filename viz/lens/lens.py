"""The lens on one capture: channels and layers compared with its classes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..exemplars.finished.card import Call
from .capture import Capture, Numbers
from .chance import chance_scores
from .channels import REDUNDANT, chance_correlation, dead, redundant
from .classes import Table, class_means, clustered, has_spread, standardised
from .labels import Labels
from .probe import Probe, Split, probe, split
from .same import first_of_each, same_pictures
from .similarity import LEAST, Matrix, Similarity, minibatches

_MOST_AT_ONCE = 1 << 24  # numbers of a capture that are copied at a time


@dataclass(frozen=True)
class Classes:
    """Channel × class of one call.

    Attributes:
        maximum: (channels, classes), the mean over a class's pictures of the channel's maximum.
        mean: likewise, of its mean.
        score: ``maximum`` in standard deviations of the channel from its mean; NaN without spread.
        order: (channels,) an order in which alike ones stand together.
        chance: (classes,) the score, above or below zero, that chance alone reaches.
    """

    maximum: Table
    mean: Table
    score: Table
    order: NDArray[np.int64]
    chance: NDArray[np.float64]


@dataclass(frozen=True)
class LayerLens:
    """Findings of one call of a layer.

    Attributes:
        call: which one.
        dead: (channels,) those that are the same for every picture.
        pictures: the number of different ones.
        groups: channels of which every two correlate by more than ``channels.REDUNDANT`` in their means; None
            where chance alone makes such ones of so few pictures.
        classes: None without classes.
        probe: None without enough pictures of two classes.
    """

    call: Call
    dead: NDArray[np.bool_]
    pictures: int
    groups: tuple[tuple[int, ...], ...] | None
    classes: Classes | None
    probe: Probe | None

    @property
    def spare(self) -> int | None:
        """Number of channels that a redundant one could replace, if known."""
        return None if self.groups is None else sum(len(group) - 1 for group in self.groups)


@dataclass(frozen=True)
class Lens:
    """Findings of a capture.

    Attributes:
        labels: which class each picture belongs to.
        class_order: (classes,) an order in which alike ones stand together, the same for all layers.
        split: how probes hold pictures out; None without probes.
        layers: the findings of each call, in the model's order.
        similarity: (calls, calls) their CKA; None of fewer than four pictures.
        compared: of how many different pictures that is; 0 without it.
    """

    labels: Labels
    class_order: NDArray[np.int64]
    split: Split | None
    layers: tuple[LayerLens, ...]
    similarity: Matrix | None
    compared: int


def lens(capture: Capture, labels: Labels, advance: Callable[[], object] = lambda: None) -> Lens:
    """Return all that is found; ``advance`` is called after each layer.

    Args:
        capture: the numbers.
        labels: the class of each of its pictures.
        advance: for a progress bar.
    """
    alike = same_pictures(capture.signature())
    by = split_of(labels, alike)
    layers = []
    for number in range(len(capture.calls)):
        layers.append(layer_lens(capture, labels, number, alike, by))
        advance()
    scores = [each.classes.score for each in layers if each.classes]
    same, compared = similarity_within(capture)
    return Lens(labels, class_order(scores, len(labels.classes)), by, tuple(layers), same, compared)


def split_of(labels: Labels, alike: NDArray[np.int64]) -> Split | None:
    """Return the probes' split of the pictures; None without enough classes.

    ``alike`` are the groups of equal and nearly equal ones.
    """
    return split(labels.numbers, alike) if labels.enough else None


def layer_lens(
    capture: Capture, labels: Labels, number: int, alike: NDArray[np.int64], by: Split | None
) -> LayerLens:
    """Return the findings of one call, by its number.

    Without a split there is no probe. Channels are related by one picture of each group of ``alike``.
    """
    columns = capture.columns(number)
    maximum, mean = capture.maximum[:, columns], capture.mean[:, columns]
    different = mean[first_of_each(alike)]
    return LayerLens(
        capture.calls[number],
        dead(maximum, mean),
        len(different),
        None if chance_correlation(different) >= REDUNDANT else tuple(redundant(different)),
        classes_of(maximum, mean, labels, alike) if labels.enough else None,
        probe(mean, labels.numbers, by) if by else None,
    )


def classes_of(maximum: Numbers, mean: Numbers, labels: Labels, alike: NDArray[np.int64]) -> Classes:
    """Return channel × class of (pictures, channels).

    Chance is that of as many pictures as there are groups of ``alike``.
    """
    count = len(labels.classes)
    score = standardised(maximum, labels.numbers, count)
    strongest, average = (class_means(values, labels.numbers, count) for values in (maximum, mean))
    different = [len(np.unique(alike[labels.numbers == each])) for each in range(count)]
    return Classes(
        strongest, average, score, clustered(score), chance_scores(np.array(different), len(score))
    )


def class_order(scores: Sequence[Table], classes: int) -> NDArray[np.int64]:
    """Return an order of the classes with similar ones together.

    It is by the channels of all layers.

    Args:
        scores: of each layer, (channels, classes); channels without a score for each class do not count.
        classes: how many there are.
    """
    if not scores:
        return np.arange(classes)
    rows = np.concatenate(scores)
    return clustered(rows[np.isfinite(rows).all(axis=1)].T)


def similarity_within(capture: Capture) -> tuple[Matrix | None, int]:
    """Return the CKA between all calls, and the number of pictures.

    With fewer than four pictures there is none: None and 0.
    """
    rows, others = _different(capture, *_pictures_of_both(capture, None))
    return (None, 0) if len(rows) < LEAST else (_cka(capture, None, rows, others), len(rows))


def similarity(capture: Capture, other: Capture | None = None) -> tuple[Matrix, int]:
    """Return the CKA between calls, and the number of pictures.

    The columns are the calls of the other capture, or else the same calls as the rows.

    It compares the channels' means on the pictures that both captures have, and on which all calls ran. Of
    equal and nearly equal ones it takes the first: the estimate has no bias only if no picture meets itself.

    Raises:
        RequestError: there are fewer than four such pictures.
    """
    rows, others = _different(capture, *_pictures_of_both(capture, other))
    if len(rows) < LEAST:
        raise RequestError(
            "{one} and {two} have {count} pictures in common on which all layers ran; {least} are needed",
            one=capture.title,
            two=(other or capture).title,
            count=len(rows),
            least=LEAST,
        )
    return _cka(capture, other, rows, others), len(rows)


def _cka(
    capture: Capture, other: Capture | None, rows: NDArray[np.int64], others: NDArray[np.int64]
) -> Matrix:
    """Return the CKA on some pictures, given their rows in both captures."""
    sums, sound = Similarity(), _sound(capture, rows)
    theirs = None if other is None else _sound(other, others)
    for batch in minibatches(len(rows)):
        values = _features(capture, rows[batch], sound)
        against = None if other is None or theirs is None else _features(other, others[batch], theirs)
        sums.add(values, against)
    return sums.cka()


def _different(
    capture: Capture, rows: NDArray[np.int64], others: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return those of the rows whose pictures differ from all before them."""
    first = first_of_each(same_pictures(capture.signature()[rows]))
    return rows[first], others[first]


def _pictures_of_both(capture: Capture, other: Capture | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows, in both captures, of pictures that both have whole."""
    mine = {capture.pictures[row]: row for row in _whole(capture)}
    if other is None:
        rows = np.array(list(mine.values()), np.int64)
        return rows, rows
    theirs = {other.pictures[row]: row for row in _whole(other)}
    both = [(row, theirs[picture]) for picture, row in mine.items() if picture in theirs]
    found = np.array(both, np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _whole(capture: Capture) -> NDArray[np.int64]:
    """Return the rows of the pictures on which all calls ran."""
    ran = [
        ~np.isnan(capture.mean[:, capture.columns(number)]).all(axis=1)
        for number in range(len(capture.calls))
    ]
    return np.flatnonzero(np.all(ran, axis=0))


def _sound(capture: Capture, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return a mask of channels with spread and without NaN.

    A few channels at a time are looked at: all of them may be more than the memory holds.
    """
    channels = capture.starts[-1]
    step = max(1, _MOST_AT_ONCE // max(1, len(rows)))
    found = np.zeros(channels, np.bool_)
    for begun in range(0, channels, step):
        values = capture.mean[:, begun : begun + step][rows]
        found[begun : begun + step] = np.isfinite(values).all(axis=0) & has_spread(values)
    return found


def _features(capture: Capture, rows: NDArray[np.int64], sound: NDArray[np.bool_]) -> list[Numbers]:
    """Return each call's channels on a minibatch, with unsound ones as zero."""
    values = np.where(sound, capture.mean[rows], np.float32(0))
    return [values[:, capture.columns(number)] for number in range(len(capture.calls))]
