"""Probes: classes that can be told apart, and those that cannot; the interval against SciPy's."""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score

from viz.lens import probe as module
from viz.lens.probe import interval, probe, split

NUMBERS = np.repeat([0, 1, 2], [30, 20, 50])


def _data(apart: float, seed: int = 0) -> np.ndarray:
    """Ten channels of noise, of which three say the class."""
    values = np.random.default_rng(seed).normal(size=(100, 10)).astype(np.float32)
    values[:, :3] += apart * np.eye(3)[NUMBERS]
    return values


def test_a_split_is_stratified_and_always_the_same() -> None:
    """Three of ten of each class; no picture is in both halves, and none without a class is in either."""
    numbers = np.concatenate([NUMBERS, [-1] * 20, [3] * 4])
    by, again = split(numbers), split(numbers)
    assert by is not None
    assert again is not None
    assert by.classes == (0, 1, 2)
    assert np.bincount(numbers[by.held_out]).tolist() == [9, 6, 15]
    assert np.bincount(numbers[by.learnt]).tolist() == [21, 14, 35]
    assert not set(by.learnt) & set(by.held_out)
    np.testing.assert_array_equal(by.held_out, again.held_out)


def test_there_is_no_split_without_two_classes_of_five() -> None:
    """Nor of nothing."""
    assert split(np.array([0] * 50 + [1] * 4)) is None
    assert split(np.array([-1] * 50)) is None


def test_many_pictures_are_drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each class keeps its share."""
    monkeypatch.setattr(module, "MOST_PICTURES", 50)
    by = split(NUMBERS)
    assert by is not None
    both = np.concatenate([by.learnt, by.held_out])
    assert np.bincount(NUMBERS[both]).tolist() == [15, 10, 25]
    assert len(set(both.tolist())) == 50


def test_a_layer_that_says_the_class_separates_it_and_noise_does_not() -> None:
    """The chance level is that of guessing, whatever the classes' sizes."""
    by = split(NUMBERS)
    assert by is not None
    good, noise = probe(_data(8), NUMBERS, by), probe(_data(0), NUMBERS, by)
    assert good is not None
    assert noise is not None
    assert good.accuracy == 1
    assert good.low < 1 == good.high
    assert noise.chance == pytest.approx(1 / 3)
    assert noise.low < noise.chance < noise.high


def test_the_accuracy_is_that_of_scikit_learn() -> None:
    """Standardised by hand, from the pictures that it learns from alone."""
    by, values = split(NUMBERS), _data(1.5)
    assert by is not None
    seen, unseen = values[by.learnt].astype(float), values[by.held_out].astype(float)
    middle, spread = seen.mean(0), seen.std(0)
    classifier = LogisticRegression(max_iter=5000).fit((seen - middle) / spread, NUMBERS[by.learnt])
    expected = balanced_accuracy_score(NUMBERS[by.held_out], classifier.predict((unseen - middle) / spread))
    found = probe(values, NUMBERS, by)
    assert found is not None
    assert found.accuracy == pytest.approx(expected)
    assert 0.4 < found.accuracy < 1


def test_channels_that_are_not_finite_are_left_out() -> None:
    """Of a layer that has no others, nothing is said; a constant channel does no harm."""
    by, values = split(NUMBERS), _data(8)
    assert by is not None
    values[0, 7], values[5, 8], values[:, 9] = np.nan, np.inf, 3
    found = probe(values, NUMBERS, by)
    assert found is not None
    assert (found.channels, found.accuracy) == (8, 1)
    assert probe(np.full((100, 2), np.nan), NUMBERS, by) is None


@pytest.mark.parametrize(("right", "counts"), [(30, [10, 10, 10]), (17, [15, 15]), (0, [4, 4])])
def test_of_equal_classes_the_interval_is_wilsons(right: int, counts: list[int]) -> None:
    """As SciPy has it for so many tries."""
    expected = binomtest(right, sum(counts)).proportion_ci(method="wilson")
    found = interval(right / sum(counts), np.array(counts))
    assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_unequal_classes_make_it_wider() -> None:
    """As many pictures say less where a class has few of them."""
    low, high = interval(0.8, np.array([5, 95]))
    even_low, even_high = interval(0.8, np.array([50, 50]))
    assert low < even_low < even_high < high
