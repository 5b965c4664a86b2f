"""Distances of values that are no ordinary numbers."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from viz.comparison import measure
from viz.comparison.measure import Measure, Unordered
from viz.comparison.terms import DEFAULT, Tolerance

NAN, INF = math.nan, math.inf


def measured(a: Any, b: Any, tolerance: Tolerance = DEFAULT) -> dict[str, Any]:
    """All numbers of one pair."""
    found = Measure(tolerance)
    found.add(a, b)
    return found.numbers()._asdict()


def test_values_that_are_not_finite_agree_with_their_like_alone() -> None:
    """NaN with NaN, an infinity with the same one; all else is infinitely far."""
    a = torch.tensor([NAN, INF, -INF, 1.0])
    assert measured(a, a.clone())["outside"] == 0
    b = torch.tensor([0.0, -INF, 5.0, 1.0])
    found = measured(a, b)
    assert (found["outside"], found["max_abs"], found["cosine"]) == (0.75, INF, 1.0)
    assert measured(b, a)["outside"] == 0.75


def test_whole_numbers_must_be_equal() -> None:
    """However large: float64 could not tell these two apart."""
    large = torch.tensor([2**60, 5])
    assert measured(large, large + torch.tensor([1, 0]))["outside"] == 0.5
    assert measured(large, large + torch.tensor([1, 0]))["max_abs"] == 1
    assert measured(torch.tensor([True, False]), torch.tensor([True, True]))["outside"] == 0.5


def test_tensors_of_a_structure_count_together() -> None:
    """By their path, or by their order where one side has other containers; a missing one is outside."""
    one, two = torch.ones(3), torch.zeros(1)
    assert measured((one, [two]), (one, [two + 1]))["outside"] == 0.25
    assert measured((one, two), {"a": one, "b": two + 1})["outside"] == 0.25
    assert measured((one, two), one) == {"max_abs": None, "max_rel": None, "cosine": None, "outside": 1.0}


def test_values_in_no_known_order_are_beside_their_likes() -> None:
    """By shape, by kind of number, then by how close they are; a value of one side alone does not count."""
    one, two, places = torch.ones(3), torch.zeros(3), torch.arange(3)
    unordered = Unordered([places, two, torch.ones(1), one])
    assert measured((one, (two, places)), unordered)["max_abs"] == 0
    assert measured(unordered, (one, two, places))["outside"] == 0
    assert measured(one, unordered)["outside"] == 0
    found = measured((one, two + 0.25, places), unordered)
    assert (found["max_abs"], found["outside"]) == (0.25, 3 / 9)


def test_values_in_no_known_order_of_which_none_fits_are_outside() -> None:
    """Another shape, as everywhere, and nothing at all."""
    one = torch.ones(3)
    for other in (torch.ones(4), (), torch.arange(3) + 1.5):
        assert measured(other, Unordered([one]))["outside"] == 1
    assert measured((torch.ones(4), torch.ones(5)), Unordered([one]))["outside"] == 1
    assert measured((), Unordered([one, one]))["outside"] == 1


def test_the_boundary_is_within_the_tolerance() -> None:
    """|a − b| = absolute + relative × |b| exactly."""
    exact = Tolerance(0.5, 0.25)
    assert measured(torch.tensor([10.5 + 2.5]), torch.tensor([10.0]), exact)["outside"] == 0
    assert measured(torch.tensor([10.5 + 2.6]), torch.tensor([10.0]), exact)["outside"] == 1


def test_zeros_have_no_angle() -> None:
    """Nothing beside nothing; beside something, they share nothing."""
    zero, one = torch.zeros(2), torch.ones(2)
    assert measured(zero, zero)["cosine"] is None
    assert measured(zero, one)["cosine"] == 0
    assert measured(torch.zeros(0), torch.zeros(0)) == {
        "max_abs": 0.0,
        "max_rel": 0.0,
        "cosine": None,
        "outside": 0.0,
    }


def test_complex_numbers_are_compared_by_their_distance() -> None:
    """In the plane."""
    found = measured(torch.tensor([3 + 4j]), torch.tensor([0j]))
    assert found["max_abs"] == 5


def test_parts_of_a_large_tensor_count_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their size bounds the memory, and changes no number but the last bits of a sum."""
    a, b = np.random.default_rng(1).normal(size=(2, 1000)).astype(np.float32)
    whole = measured(a, b)
    monkeypatch.setattr(measure, "_AT_ONCE", 7)
    assert measured(a, b) == pytest.approx(whole, rel=1e-12)
