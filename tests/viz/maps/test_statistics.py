"""viz/maps/statistics.py against Python's own statistics module and NumPy in double precision."""

import statistics as exact

import numpy as np
import pytest

from viz.errors import LayoutError
from viz.maps.statistics import channel_statistics, histogram, statistics

MAPS = np.random.default_rng(5).standard_normal((3, 4, 7)).astype(np.float32)


def test_figures_equal_those_of_pythons_exact_arithmetic() -> None:
    """On values with a few exact zeros."""
    values = np.maximum(MAPS, 0)
    numbers = [float(value) for value in values.ravel()]
    found = statistics(values)
    assert (found.minimum, found.maximum, found.count) == (0.0, max(numbers), 84)
    assert found.mean == pytest.approx(exact.fmean(numbers), rel=1e-14)
    assert found.deviation == pytest.approx(exact.pstdev(numbers), rel=1e-14)
    assert found.zeros == numbers.count(0.0) / 84
    assert found.finite


def test_values_that_are_no_numbers_are_counted_apart() -> None:
    """They change neither mean nor range."""
    values = np.array([np.nan, np.inf, np.inf, -np.inf, 1.0, 0.0, 5.0])
    found = statistics(values)
    assert (found.nan, found.positive_infinities, found.negative_infinities, found.infinities) == (1, 2, 1, 3)
    assert (found.minimum, found.mean, found.maximum, found.zeros) == (0.0, 2.0, 5.0, 1 / 7)
    assert not found.finite


def test_each_channel_has_its_own_figures() -> None:
    """Against NumPy, channel by channel; asymmetrical, so that swapped axes would show."""
    found = channel_statistics(MAPS)
    doubles = MAPS.astype(np.float64)
    for channel, values in enumerate(doubles):
        assert found.minimum[channel] == values.min()
        assert found.maximum[channel] == values.max()
        assert found.mean[channel] == pytest.approx(values.mean(), rel=1e-13)
        assert found.variance[channel] == pytest.approx(values.var(), rel=1e-13)
        assert found.zeros[channel] == 0


def test_a_channel_without_finite_values_has_no_figures() -> None:
    """NaN, and no warning."""
    maps = np.zeros((2, 1, 2))
    maps[1] = np.nan
    found = channel_statistics(maps)
    for figures in (found.minimum, found.maximum, found.mean, found.variance):
        assert figures[0] == 0
        assert np.isnan(figures[1])
    assert found.zeros.tolist() == [1.0, 0.0]


def test_small_spreads_on_large_means_keep_their_digits() -> None:
    """Single precision would find no spread here."""
    values = np.array([16777216.0, 16777218.0] * 50_000, dtype=np.float32)
    assert statistics(values).deviation == 1.0


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int64, np.float16])
def test_every_real_dtype_has_figures(dtype: type[np.generic]) -> None:
    """Counted in doubles: no sum overflows its own type."""
    found = statistics(np.ones(100_000, dtype=dtype))
    assert (found.mean, found.deviation, found.minimum, found.maximum) == (1.0, 0.0, 1.0, 1.0)


def test_a_histogram_counts_every_finite_value_once() -> None:
    """Against NumPy's."""
    values = MAPS.copy()
    values[0, 0, 0], values[0, 0, 1] = np.nan, np.inf
    found = histogram(values, bins=10)
    finite = values[np.isfinite(values)].astype(np.float64)
    assert found.counts.sum() == 82
    assert np.array_equal(found.counts, np.histogram(finite, bins=10)[0])


RANDOM = np.random.default_rng(0)
HAZARDS = {
    "many blocks": RANDOM.standard_normal(100_000),
    "zeros at the end": np.maximum(RANDOM.standard_normal(5000), 0),
    "on the edges": np.linspace(-1, 1, 65),
    "beside the edges": np.nextafter(np.linspace(-1, 1, 65), np.repeat([-2.0, 2.0], [33, 32])).clip(-1, 1),
    "whole numbers": RANDOM.integers(0, 256, 5000).astype(np.float64),
    "a small range far away": 1e9 + RANDOM.standard_normal(5000),
    "hardly a range": 1e9 + 1e-5 * RANDOM.integers(0, 9, 5000),
    "tiny": 1e-300 * RANDOM.standard_normal(5000),
    "a width whose inverse is no double": 1e-310 * RANDOM.standard_normal(5000),
    "huge": 1e300 * RANDOM.standard_normal(5000),
}


@pytest.mark.parametrize("values", HAZARDS.values(), ids=HAZARDS.keys())
def test_every_bin_has_what_numpy_counts_there(values: np.ndarray) -> None:
    """Values on an edge, or as near as a double can be, count where NumPy counts them."""
    found = histogram(values, bins=64)
    counts, edges = np.histogram(values, bins=64)
    assert np.array_equal(found.edges, edges)
    assert np.array_equal(found.counts, counts)


@pytest.mark.parametrize("value", [0.0, -3.0, 1e300, 5e-324, np.nan])
def test_constant_values_have_a_histogram_too(value: float) -> None:
    """All in one bin, or in none."""
    found = histogram(np.full(6, value))
    assert found.counts.sum() == (0 if np.isnan(value) else 6)
    assert (np.diff(found.edges) > 0).all()


def test_a_histogram_spans_the_largest_doubles() -> None:
    """Their range is larger than any double, which must not fail."""
    assert histogram(np.array([-1.7e308, 1.7e308])).counts[[0, -1]].tolist() == [1, 1]


def test_the_callers_array_is_left_alone() -> None:
    """Even if it holds NaN."""
    values = np.array([[[np.nan, 1.0]]])
    before = values.copy()
    statistics(values)
    channel_statistics(values)
    histogram(values)
    assert np.array_equal(values, before, equal_nan=True)


@pytest.mark.parametrize("values", [np.ones((2, 0)), np.ones(3, dtype=complex), ["a"]])
def test_what_has_no_figures_is_refused(values: object) -> None:
    """One clear error."""
    with pytest.raises(LayoutError):
        statistics(values)  # type: ignore[arg-type]
