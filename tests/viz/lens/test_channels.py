"""Dead, redundant and alike channels: data with known answers, and NumPy's own correlations."""

import numpy as np
import pytest

from viz.lens.channels import alike, chance_correlation, dead, redundant, unit_columns


def test_a_dead_channel_is_the_same_for_every_picture() -> None:
    """Zero or not; one at its ceiling whose mean still moves is alive."""
    maximum = np.array([[0, 6, 2, 1], [0, 6, 2, 3]], np.float32)
    mean = np.array([[0, 1, 0.5, 1], [0, 2, 0.5, 1]], np.float32)
    assert dead(maximum, mean).tolist() == [True, False, True, False]


def test_a_channel_with_odd_values_is_dead_only_if_it_is_the_same_for_every_picture() -> None:
    """One infinity among zeros is not, and NaN tells nothing; an infinity for every picture is."""
    inf, nan = np.inf, np.nan
    values = np.array([[inf, -inf, inf, nan, nan, inf], [0, 0, -inf, nan, 0, inf], [0, 0, 0, nan, 0, inf]])
    for maximum, mean in (
        (values, values),
        (values, values[:1].repeat(3, 0)),
        (values[:1].repeat(3, 0), values),
    ):
        assert dead(maximum.astype(np.float32), mean.astype(np.float32)).tolist() == [False] * 5 + [True]


def test_products_of_unit_columns_are_correlations() -> None:
    """Those of NumPy; a column without spread or with an infinity correlates with nothing."""
    values = np.random.default_rng(0).normal(5, 1, (40, 4))
    units = unit_columns(values)
    np.testing.assert_allclose(units.T @ units, np.corrcoef(values.T), atol=1e-12)
    values[:, 0], values[3, 1] = 7, np.inf
    assert not unit_columns(values)[:, :2].any()


def test_groups_of_redundant_channels_correlate_pair_by_pair() -> None:
    """Copies with a little noise, scaled; a channel's negative is not the same, and noise is alone."""
    random = np.random.default_rng(0)
    one, two = random.normal(size=(2, 300))
    little = random.normal(0, 0.02, (300, 7))
    columns = [one, random.normal(size=300), 3 * one + 1, two, -one, two * 9, one, np.zeros(300)]
    values = np.stack(columns, axis=1)
    values[:, :7] += little
    groups = redundant(values)
    assert groups == [(0, 2, 6), (3, 5)]
    correlation = np.corrcoef(values[:, :7].T)
    assert all(correlation[a, b] > 0.95 for group in groups for a in group for b in group)


def test_a_chain_is_no_group() -> None:
    """Neighbours correlate above the bound, the ends do not: no group has two channels below it."""
    angles = np.arange(8) * np.arccos(0.97)
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(50, 3)))[0]
    basis -= basis.mean(axis=0)
    basis = np.linalg.qr(basis)[0][:, :2]
    values = np.outer(basis[:, 0], np.cos(angles)) + np.outer(basis[:, 1], np.sin(angles))
    correlation = np.corrcoef(values.T)
    assert correlation[0, 1] > 0.95 > correlation[0, 2]
    groups = redundant(values)
    assert len(groups) >= 3
    assert all(len(group) == 2 and correlation[group] > 0.95 for group in groups)
    assert redundant(values[:, :1]) == []


def test_channels_like_one_come_best_first_and_without_it() -> None:
    """As NumPy's correlations say; what chance alone reaches is not told."""
    values = np.random.default_rng(0).normal(size=(60, 6))
    values[:, 4] = values[:, 2] + 0.1 * values[:, 0]
    row = np.corrcoef(values.T)[2]
    found = alike(values, count=3)[2]
    assert found[0][0] == 4
    assert [channel for channel, _ in found] == [
        n for n in np.argsort(-row) if n != 2 and row[n] > chance_correlation(values)
    ][:3]
    np.testing.assert_allclose([score for _, score in found], row[[channel for channel, _ in found]])


@pytest.mark.parametrize(("pictures", "channels"), [(4, 6), (8, 30), (40, 64)])
def test_chance_reaches_the_bound_in_one_layer_of_twenty(pictures: int, channels: int) -> None:
    """2,000 layers of noise: the largest correlation of any two channels passes it in about 5 %, not more."""
    random, passed = np.random.default_rng(0), 0
    for _ in range(2000):
        values = random.normal(size=(pictures, channels))
        apart = np.corrcoef(values.T)[np.triu_indices(channels, 1)]
        passed += apart.max() > chance_correlation(values)
    assert 0.03 < passed / 2000 < 0.065


def test_four_pictures_make_nothing_redundant_and_neither_do_their_copies() -> None:
    """Among 100 channels of noise, hundreds of pairs correlate above 0.95 on four pictures."""
    noise = np.random.default_rng(0).normal(size=(4, 100))
    assert (np.corrcoef(noise.T)[np.triu_indices(100, 1)] > 0.95).sum() > 100
    for values in (noise, np.tile(noise, (10, 1))):
        assert redundant(values) == []
        assert not any(alike(values))
    assert chance_correlation(noise[:2]) == 1
