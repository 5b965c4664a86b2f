"""Percentiles of the last waits are numbers that were measured, and old ones do not count."""

import random

import numpy as np
import pytest

from viz.ui.tally.recent_waits import KEPT, RecentWaits


def test_without_answers_there_is_no_wait() -> None:
    """None is not zero: nobody was answered at once."""
    assert RecentWaits().quantiles(30, 0.5, 0.95) == (None, None)


@pytest.mark.parametrize("count", [1, 2, 19, 20, 21, 1000])
def test_percentiles_are_those_of_numpy(count: int) -> None:
    """By the definition that takes a measured value: the inverse of the empirical distribution."""
    waits, seconds = RecentWaits(), [random.Random(count).random() for _ in range(count)]
    for each in seconds:
        waits.add(each)
    expected = np.quantile(seconds, [0.5, 0.95, 1.0], method="inverted_cdf")
    assert waits.quantiles(30, 0.5, 0.95, 1.0) == tuple(expected)


def test_a_wait_counts_as_long_as_the_window_says() -> None:
    """By a clock that the test moves."""
    now = 100.0
    waits = RecentWaits(lambda: now)
    waits.add(5.0)
    now = 120.0
    waits.add(1.0)
    assert waits.quantiles(30, 1.0) == (5.0,)
    now = 140.0
    assert waits.quantiles(30, 1.0) == (1.0,)
    now = 200.0
    assert waits.quantiles(30, 1.0) == (None,)


def test_a_flood_of_answers_takes_no_more_memory_than_the_last_ones() -> None:
    """The oldest are forgotten first."""
    waits = RecentWaits(lambda: 0.0)
    for number in range(KEPT + 10):
        waits.add(float(number))
    assert waits.quantiles(30, 1 / KEPT) == (10.0,)
