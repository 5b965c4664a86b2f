"""Two sets of maps compared, against plain NumPy."""

import math

import numpy as np
import pytest

from viz.views.differences import distances, farthest_first, joint_range, signed_difference

NAN, INF = float("nan"), float("inf")


def noise(seed: int, *shape: int) -> np.ndarray:
    """Numbers of both signs."""
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def test_one_scale_spans_both_sides() -> None:
    """Either side may have the extremes; values that are not finite do not count."""
    left, right = noise(1, 3, 4, 4), 5 * noise(2, 2, 7, 7)
    together = [*left.ravel().tolist(), *right.ravel().tolist()]
    assert joint_range(left, right) == (min(together), max(together))
    left[0, 0, :3] = NAN, INF, -INF
    rest = [each for each in (*left.ravel().tolist(), *right.ravel().tolist()) if math.isfinite(each)]
    assert joint_range(left, right) == (min(rest), max(rest))
    assert joint_range(np.full((1, 2, 2), NAN), np.full((1, 1, 1), INF)) == (0.0, 0.0)


def test_a_clipped_scale_leaves_out_one_in_a_hundred_of_both_sides_together() -> None:
    """We count in the sorted list of all values."""
    left, right = noise(3, 4, 10, 10), noise(4, 6, 10, 10) + 3
    ordered = sorted([*left.ravel().tolist(), *right.ravel().tolist()])
    low, high = joint_range(left, right, clipped=True)
    assert low == ordered[math.ceil(len(ordered) * 0.01) - 1]
    assert high == ordered[math.ceil(len(ordered) * 0.99) - 1]


def test_a_clipped_scale_of_mostly_equal_values_spans_all_of_them() -> None:
    """The percentiles are equal, and would give all values one colour."""
    left, right = np.zeros((2, 20, 20)), np.zeros((1, 20, 20))
    left[0, 0, 0], right[0, 0, :2] = -3, (NAN, 5)
    assert joint_range(left, right, clipped=True) == (-3.0, 5.0)


@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.bool_, np.int64])
def test_the_difference_has_a_sign_in_every_dtype(dtype: type) -> None:
    """Left − right, cell by cell; unsigned numbers do not wrap around."""
    left = np.array([[[0, 1], [1, 0]]], dtype)
    right = np.array([[[1, 0], [1, 0]]], dtype)
    np.testing.assert_array_equal(signed_difference(left, right), [[[-1, 1], [0, 0]]])


def test_equal_infinities_have_no_difference() -> None:
    """The result is NaN, without a warning."""
    found = signed_difference(np.array([[[INF, INF, 1.0]]]), np.array([[[INF, -INF, INF]]]))
    np.testing.assert_array_equal(found, [[[NAN, INF, -INF]]])


def test_distances_are_means_of_magnitudes() -> None:
    """For each channel with a loop; what is not finite is left out."""
    apart = signed_difference(noise(5, 3, 4, 5), noise(6, 3, 4, 5))
    apart[1, 0, 0], apart[1, 0, 1] = NAN, INF
    apart[2] = NAN
    expected = []
    for channel in apart[:2]:
        finite = [abs(float(each)) for each in channel.ravel() if math.isfinite(each)]
        expected.append(sum(finite) / len(finite))
    found = distances(apart)
    np.testing.assert_allclose(found[:2], expected, rtol=1e-12)
    assert math.isnan(found[2])


def test_the_channels_that_differ_most_come_first() -> None:
    """Ties keep their order, and channels without a known distance come last."""
    assert farthest_first([0.5, NAN, 2.0, 0.5, 0.0, 3.0]) == [5, 2, 0, 3, 4, 1]
