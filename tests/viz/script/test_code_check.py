"""viz/script/code_check.py: the lines, run on arrays, against the distance from all values."""

import contextlib
import io
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from viz.script.code_check import check_lines, digest

NOISE = np.random.default_rng(3).normal(size=(2, 1, 16, 12, 12))
MAPS = np.maximum(NOISE[0], 0).astype(np.float32)


def said(made: dict[str, NDArray[Any]], shown: dict[str, NDArray[Any]], allowed: float = 1e-3) -> str:
    """Return the lines' words about arrays that a script made, if the view showed others."""
    is_complex = any(array.dtype.kind == "c" for array in shown.values())
    named = [(name, digest(array)) for name, array in shown.items()]
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec("\n".join(check_lines(named, allowed, is_complex=is_complex)), {"np": np, **made})
    return output.getvalue()


def is_same(made: NDArray[Any], shown: NDArray[Any], allowed: float = 1e-3) -> bool:
    """Return whether the lines take one array for the other, in one line."""
    line = said({"values": made}, {"values": shown}, allowed)
    assert line.count("\n") == 1
    return line.startswith("The same numbers as in the view: ")


def test_equal_arrays_are_no_way_apart() -> None:
    """Of all kinds of numbers; also none, one, and those that are not finite."""
    whole = np.arange(-15, 15).reshape(2, 3, 5)
    odd = np.array([1.0, np.nan, np.inf, -np.inf], np.float32)
    for array in (
        MAPS,
        whole,
        whole > 0,
        whole.astype(np.uint8),
        odd,
        np.empty((0, 4)),
        np.float32(3),
        MAPS * 1j,
    ):
        assert ": 0 of their size away" in said({"values": np.asarray(array)}, {"values": np.asarray(array)})


@pytest.mark.parametrize("share", [1e-6, 1e-3, 0.3])
def test_the_distance_is_about_that_of_all_values(share: float) -> None:
    """Noise, one outlier, a factor, an offset, and stripes; none is off by more than a factor of five."""
    columns = np.arange(12) % 2 - 0.5
    one = np.zeros_like(MAPS)
    one[0, 7, 3, 3] = 1
    for change in (
        NOISE[1],
        one,
        MAPS,
        np.ones_like(MAPS),
        np.broadcast_to(columns, MAPS.shape),
    ):
        moved = change * share * np.linalg.norm(MAPS) / np.linalg.norm(change)
        line = said({"values": MAPS + moved.astype(np.float64)}, {"values": MAPS})
        far = float(line.partition("view: ")[2].split()[0])
        assert share / 5 < far < share * 5


def test_rounding_is_the_same_and_other_numbers_are_not() -> None:
    """Statistics would miss some as well: maps in another order, upside down, or shifted by one pixel."""
    assert is_same(MAPS.astype(np.float16).astype(np.float32), MAPS)
    assert is_same(np.nextafter(MAPS, np.float32(9)), MAPS)
    others = (
        MAPS[:, ::-1],
        MAPS[..., ::-1],
        np.roll(MAPS, 1, -1),
        MAPS.swapaxes(2, 3),
        MAPS * 1.01,
        -MAPS,
        MAPS * 0,
    )
    assert not any(is_same(other, MAPS) for other in others)
    assert not is_same(np.full_like(MAPS, np.nan), MAPS)


def test_a_shape_that_differs_is_named() -> None:
    """The numbers may be the same."""
    line = said({"values": MAPS[0]}, {"values": MAPS})
    assert line == "NOT the numbers of the view: their shape is (16, 12, 12), not (1, 16, 12, 12).\n"


def test_zeros_are_the_same_as_zeros_only() -> None:
    """A share of nothing would be a division by zero."""
    assert is_same(MAPS * 0, MAPS * 0)
    assert not is_same(MAPS, MAPS * 0)


def test_a_small_difference_may_have_large_rounding() -> None:
    """Both sides are compared, so an edit that changes next to nothing raises no false alarm."""
    after = MAPS + np.float32(1e-6)
    rounded = {"before": MAPS, "after": np.nextafter(after, np.float32(9))}
    assert said(rounded, {"before": MAPS, "after": after}).startswith("The same")
    assert not is_same(rounded["after"] - MAPS, after - MAPS)
    assert said({"before": MAPS, "after": after * 2}, {"before": MAPS, "after": after}).startswith("NOT")


def test_phases_of_complex_numbers_count() -> None:
    """Their magnitudes are the same."""
    waves = np.exp(1j * MAPS)
    assert is_same(waves, waves)
    assert not is_same(waves.conj(), waves)
