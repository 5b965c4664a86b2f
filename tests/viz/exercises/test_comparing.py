"""Differences of a value from the one that was asked for: the first one, in words."""

from typing import Any

import pytest
import torch

from viz.exercises.comparing import difference

ONES = torch.ones(2, 3)
OTHER = ONES.clone()
OTHER[1, 0], OTHER[1, 2] = 5, 7
CASES: tuple[tuple[Any, Any, str], ...] = (
    (ONES, OTHER, "`x[1, 0]` is 1, and 5 was asked for. Of 6 values 2 differ"),
    (torch.ones(3, 2), ONES, "the shape `(3, 2)`; `(2, 3)` was"),
    (None, ONES, "is None; a tensor was"),
    ((ONES,), ONES, "is a tuple; a tensor was"),
    (3, 4, "is `3`; `4` was"),
    ("a", "b", "is `'a'`; `'b'` was"),
    ([1], [1, 2], "length of `x` is 1; 2 was"),
    ([1, 3], [1, 2], "`x[1]` is `3`"),
    ([ONES, ONES], [ONES, OTHER], "`x[1]` has other values: `x[1][1, 0]`"),
    ({}, {"a": 1}, "nothing under `'a'`"),
    ({"a": 2}, {"a": 1}, "`x['a']` is `2`"),
    ({"a": 1, "b": 2}, {"a": 1}, "something under `'b'`"),
    (torch.full((2, 3), float("nan")), ONES, "is nan, and 1 was"),
)


@pytest.mark.parametrize(("value", "wanted", "said"), CASES)
def test_the_first_difference_is_said_with_its_place(value: Any, wanted: Any, said: str) -> None:
    """It says what it is, what was asked for, and for tensors how many values differ."""
    assert said in str(difference("x", value, wanted))


@pytest.mark.parametrize(
    "value", [ONES, OTHER, 3, 2.5, "a", None, True, [1, (2, 3)], {"a": [ONES]}, torch.tensor(float("nan"))]
)
def test_equal_values_do_not_differ(value: Any) -> None:
    """Copies do not, nor sums in another order."""
    assert difference("x", value, value) is None


def test_rounding_is_no_difference() -> None:
    """But a thousandth of the value is."""
    assert difference("x", ONES * (1 + 1e-5), ONES) is None
    assert difference("x", ONES * 1.01, ONES) is not None
    assert difference("x", 3, 3.0) is None
