"""Channel × class: against pandas, and orders of data whose groups are known."""

import numpy as np
import pandas as pd

from viz.lens.classes import class_means, clustered, has_spread, standardised

NUMBERS = np.array([0, 1, 2, 0, 1, 2, -1, 2, 1, 0, 0, -1])


def _values() -> np.ndarray:
    return np.random.default_rng(0).normal(3, 2, (len(NUMBERS), 5)).astype(np.float32)


def test_means_of_classes_are_those_of_pandas() -> None:
    """A picture without a class counts for none, and a NaN is left out."""
    values = _values()
    values[0, 1] = np.nan
    expected = pd.DataFrame(values.astype(float)).groupby(NUMBERS).mean().drop(-1)
    np.testing.assert_allclose(class_means(values, NUMBERS, 3), expected.to_numpy().T)


def test_scores_are_deviations_from_the_mean_of_all_pictures_with_a_class() -> None:
    """Of standardised values, the mean in each class; weighted by the classes' sizes they sum to zero."""
    values = _values()
    found = standardised(values, NUMBERS, 3)
    among = values[NUMBERS >= 0].astype(float)
    score = (values - among.mean(0)) / among.std(0)
    expected = pd.DataFrame(score).groupby(NUMBERS).mean().drop(-1)
    np.testing.assert_allclose(found, expected.to_numpy().T, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found @ np.bincount(NUMBERS[NUMBERS >= 0]), 0, atol=1e-9)


def test_a_channel_without_spread_has_no_score() -> None:
    """Rounding is no spread; nor has a channel of NaN any."""
    values = np.full((12, 4), 0.1, np.float32)
    values[3, 1] = np.nextafter(np.float32(0.1), np.float32(1))
    values[3, 2] = 0.2
    values[:, 3] = np.nan
    assert has_spread(values).tolist() == [False, False, True, False]
    assert np.isnan(standardised(values, NUMBERS, 3)).all(axis=1).tolist() == [True, True, False, True]


def test_alike_rows_stand_together_and_rows_of_nan_last() -> None:
    """Three groups, shuffled: each one's rows come one after the other."""
    random = np.random.default_rng(1)
    groups = random.permutation(np.repeat([0, 1, 2], 7))
    rows = np.eye(3)[groups] * 5 + random.normal(0, 0.1, (21, 3))
    rows[[3, 8]] = np.nan
    order = clustered(rows)
    assert sorted(order) == list(range(21))
    assert order[-2:].tolist() == [3, 8]
    assert (np.diff(groups[order[:-2]]) != 0).sum() == 2


def test_few_rows_and_many_have_an_order_too() -> None:
    """Two rows; more than the best order is sought for."""
    assert clustered(np.array([[1.0], [0.0]])).tolist() == [0, 1]
    assert clustered(np.empty((0, 3))).tolist() == []
    many = np.random.default_rng(0).normal(size=(500, 3))
    assert sorted(clustered(many)) == list(range(500))
