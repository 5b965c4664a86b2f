import base64
from io import BytesIO

import numpy as np
from PIL import Image

from viz.units.ranking import MOST, Candidate, as_map, best, rounded, told


def _candidate(place: int, effect: float, weight: float | None = None, **more: object) -> Candidate:
    return Candidate(place, (), (), weight, effect, 0.0, **more)  # type: ignore[arg-type]


def test_those_with_the_largest_effect_and_those_with_the_largest_weight_are_kept() -> None:
    """A weak one with the largest weight comes last, and is there."""
    many = [_candidate(place, effect=1 / (1 + place), weight=float(place)) for place in range(3 * MOST)]
    found = best(many)
    assert [each.place for each in found] == [*range(MOST), *range(2 * MOST, 3 * MOST)]


def test_without_weights_the_effect_alone_decides() -> None:
    """None is no number to sort by."""
    found = best([_candidate(place, effect=float(place)) for place in range(2 * MOST)])
    assert [each.place for each in found] == list(range(2 * MOST - 1, MOST - 1, -1))


def test_a_kernel_is_drawn_pixel_for_weight_red_above_zero_and_blue_below() -> None:
    """The ends of the colours are the limit's."""
    kernel = np.array([[1.0, 0.0], [0.0, -1.0]])
    png = base64.b64decode(told(_candidate(0, 1.0, kernel=kernel, limit=1.0), b"", "auto").kernel)
    pixels = np.asarray(Image.open(BytesIO(png)).convert("RGB")).astype(int)
    assert pixels.shape == (2, 2, 3)
    assert pixels[0, 0, 0] > pixels[0, 0, 2]
    assert pixels[1, 1, 2] > pixels[1, 1, 0]
    assert abs(pixels[0, 1, 0] - pixels[0, 1, 2]) < 10


def test_a_row_of_a_square_s_length_is_a_square() -> None:
    """A linear layer that looks at flattened maps has such rows of weights."""
    assert as_map(np.arange(25.0)).shape == (5, 5)
    assert as_map(np.arange(7.0)).shape == (1, 7)
    assert as_map(np.zeros((2, 3, 4))).shape == (6, 4)


def test_what_is_no_number_is_told_as_zero() -> None:
    """JSON has no NaN, and no bar is that long."""
    assert [rounded(float("nan")), rounded(float("inf")), rounded(1.23456789)] == [0.0, 0.0, 1.2346]
