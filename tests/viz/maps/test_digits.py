"""Numbers to six digits, many at once: as Python writes them one by one."""

import math

import numpy as np
import pytest

from viz.maps.digits import rounded, rounded_shares

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    "values",
    [
        RANDOM.standard_normal(9000) * 10.0 ** RANDOM.integers(-30, 30, 9000),
        RANDOM.standard_normal(9000).astype(np.float32),
        RANDOM.integers(-(10**7), 10**7, 9000) / 8,  # ties, of which the even one is taken
        np.round(RANDOM.standard_normal(9000) * 1e4, 3),  # nearly ties: 1234.565 is a little less than that
        10.0 ** np.arange(-300, 300),
        np.nextafter(10.0 ** np.arange(-20, 20), 0),
        np.array([0.0, -0.0, 5e-324, 1.7e308, 999999.5, 9999995.0]),
    ],
    ids=["any size", "float32", "ties", "near ties", "powers of ten", "just below", "ends"],
)
def test_each_number_is_that_of_pythons_own_format(values: np.ndarray) -> None:
    """Bit for bit."""
    expected = np.array([float(f"{value:.6g}") for value in values])
    assert np.array_equal(np.array(rounded_shares(values)), expected)
    assert rounded(values.tolist()) == tuple(expected.tolist())


def test_what_is_not_finite_is_none_where_there_may_be_such() -> None:
    """JSON cannot write it."""
    assert rounded([math.nan, math.inf, -math.inf, 2.5]) == (None, None, None, 2.5)


def test_the_callers_numbers_are_left_alone() -> None:
    """Also if they are an array of doubles already."""
    values = np.array([1.23456789])
    rounded(values)
    assert values[0] == 1.23456789


def test_no_numbers_are_none() -> None:
    """As of a layer without channels."""
    assert rounded([]) == ()
