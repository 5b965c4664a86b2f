"""Probes: classes that can be told apart, and those that cannot; the interval against SciPy's."""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score

from viz.lens import probe as module
from viz.lens.probe import interval, probe, split
from viz.lens.same import same_pictures

NUMBERS = np.repeat([0, 1, 2], [30, 20, 50])


def _data(apart: float, seed: int = 0) -> np.ndarray:
    """Ten channels of noise, of which three say the class."""
    values = np.random.default_rng(seed).normal(size=(100, 10)).astype(np.float32)
    values[:, :3] += apart * np.eye(3)[NUMBERS]
    return values


def test_a_split_is_stratified_and_always_the_same() -> None:
    """Each picture is held out once, with a third of each class; those without a class never are."""
    numbers = np.concatenate([NUMBERS, [-1] * 20, [3] * 4])
    by, again = split(numbers), split(numbers)
    assert by is not None
    assert again is not None
    assert by.classes == (0, 1, 2)
    assert by.pictures.tolist() == list(range(100))
    for part in range(3):
        held = np.bincount(numbers[by.pictures[by.part == part]])
        np.testing.assert_allclose(held, np.array([30, 20, 50]) / 3, atol=1)
    np.testing.assert_array_equal(by.part, again.part)


def test_equal_pictures_are_held_out_together_and_count_once() -> None:
    """A class of five pictures of which two are equal has four; groups lie in one part."""
    groups = np.arange(100) // 2
    by = split(NUMBERS, groups)
    assert by is not None
    assert all(len(set(by.part[by.groups == group])) == 1 for group in set(by.groups))
    assert split(np.repeat([0, 1], 5), np.array([0, 0, 1, 2, 3, *range(4, 9)])) is None


def test_a_probe_learns_nothing_from_noise_that_is_there_three_times() -> None:
    """Labels by lot: each picture with its copies, saved anew with small errors, tells nothing of others."""
    random = np.random.default_rng(4)
    once, lot = random.normal(size=(40, 200)), random.permutation(np.repeat([0, 1], 20))
    values = np.concatenate([once, once, once + 0.002 * random.normal(size=once.shape)])
    numbers = np.tile(lot, 3)
    by = split(numbers, same_pictures(values))
    assert by is not None
    assert len(np.unique(by.groups)) == 40
    found = probe(values, numbers, by)
    assert found is not None
    assert found.low < 0.5 < found.high
    once_only = probe(once, lot, split(lot) or by)
    assert once_only is not None
    assert found.high - found.low == pytest.approx(once_only.high - once_only.low, rel=0.1)


def test_there_is_no_split_without_two_classes_of_five() -> None:
    """Nor of nothing."""
    assert split(np.array([0] * 50 + [1] * 4)) is None
    assert split(np.array([-1] * 50)) is None


def test_many_pictures_are_drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each class keeps its share."""
    monkeypatch.setattr(module, "MOST_PICTURES", 50)
    by = split(NUMBERS)
    assert by is not None
    assert np.bincount(NUMBERS[by.pictures]).tolist() == [15, 10, 25]
    assert len(set(by.pictures.tolist())) == 50


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
    guessed = np.zeros(100, int)
    for part in range(3):
        seen, unseen = values[by.part != part].astype(float), values[by.part == part].astype(float)
        middle, spread = seen.mean(0), seen.std(0)
        classifier = LogisticRegression(max_iter=5000).fit((seen - middle) / spread, NUMBERS[by.part != part])
        guessed[by.part == part] = classifier.predict((unseen - middle) / spread)
    expected = balanced_accuracy_score(NUMBERS, guessed)
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


def test_a_small_class_of_near_copies_keeps_its_different_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hundred pictures that are five, some of each are drawn, so that each probe knows both classes."""
    monkeypatch.setattr(module, "MOST_PICTURES", 200)
    numbers = np.repeat([0, 1], [900, 100])
    groups = np.concatenate([np.arange(900), np.full(96, 900), np.arange(901, 905)])
    by = split(numbers, groups)
    assert by is not None
    assert set(by.groups[numbers[by.pictures] == 1]) == set(range(900, 905))
    found = probe(np.random.default_rng(0).normal(size=(1000, 3)), numbers, by)
    assert found is not None
