"""Terms of a comparison, which need no PyTorch."""

import pytest

from viz.comparison.terms import Tolerance, tolerance_of
from viz.errors import RequestError


def test_one_number_stands_for_both_parts_of_a_tolerance() -> None:
    """Two are the absolute and the relative one."""
    assert tolerance_of(0.5) == Tolerance(0.5, 0.5)
    assert tolerance_of((0.5, 0.25)) == Tolerance(absolute=0.5, relative=0.25)


@pytest.mark.parametrize("given", [-0.5, float("nan"), float("inf"), (0.5, -1.0)])
def test_a_tolerance_that_is_no_number_from_zero_is_refused(given: float | tuple[float, float]) -> None:
    """It would let everything pass, or nothing."""
    with pytest.raises(RequestError, match="a tolerance is a number from 0"):
        tolerance_of(given)
