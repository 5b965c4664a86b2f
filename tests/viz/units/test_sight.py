import numpy as np
import pytest

from viz.findings.values import LayerValues, Leaf
from viz.units.sight import channels_first, outputs, strength, strengths_of


def _values(array: np.ndarray, path: str = "output") -> LayerValues:
    return LayerValues("layer", "Conv2d", "cpu", ({path: Leaf(array, str(array.dtype))},), (8, 8))


def test_channels_come_first_whatever_the_layout() -> None:
    """Maps have them second, tokens last."""
    maps = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
    found = outputs(_values(maps), 0)
    assert found is not None
    assert found.tolist() == [list(range(12)), list(range(12, 24))]
    assert channels_first(maps, -1).shape == (4, 6)


def test_what_has_no_channels_of_real_numbers_has_no_outputs() -> None:
    """Whole numbers, a single number, and an input alone."""
    assert outputs(_values(np.arange(4).reshape(1, 4)), 0) is None
    assert outputs(_values(np.ones((), np.float32)), 0) is None
    assert outputs(_values(np.ones((1, 4), np.float32), "inputs[0]"), 0) is None


def test_strength_is_the_root_mean_square() -> None:
    """By hand; infinities count as nothing."""
    assert strength(np.array([[3.0, -4.0]])) == pytest.approx(12.5**0.5)
    assert strength(np.array([[np.inf]])) == 0
    assert strength(np.zeros((0, 0))) == 0
    assert strengths_of(np.array([[3.0, -4.0], [0.0, 2.0]])).tolist() == pytest.approx([12.5**0.5, 2**0.5])
