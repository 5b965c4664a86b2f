"""Maps as arrays of real numbers, checked."""

from collections.abc import Callable

import numpy as np
import pytest

from viz.errors import LayoutError
from viz.maps.checked import checked_maps

REFUSED: dict[str, Callable[[], object]] = {
    "complex": lambda: np.ones((1, 2, 2), dtype=complex),
    "words": lambda: [["a", "b"]],
    "ragged": lambda: [[1], [1, 2]],
    "no dimension": lambda: np.ones(()),
    "four dimensions": lambda: np.ones((1, 1, 2, 2)),
    "no channels": lambda: np.ones((0, 2, 2)),
    "no width": lambda: np.ones((2, 2, 0)),
    "masked": lambda: np.ma.masked_invalid(np.ones((1, 2, 2))),
    "None": lambda: None,
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_set_of_maps_is_refused(case: str) -> None:
    """One sentence about what is drawn instead."""
    with pytest.raises(LayoutError):
        checked_maps(REFUSED[case]())


def test_one_map_counts_as_one_channel() -> None:
    """It is not copied."""
    values = np.ones((2, 3))
    assert checked_maps(values).shape == (1, 2, 3)
    assert np.shares_memory(checked_maps(values), values)
