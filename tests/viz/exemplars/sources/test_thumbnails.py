"""Small pictures: as large as asked for, and like the picture."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from skimage import data

from viz.exemplars.sources.thumbnails import thumbnail


@pytest.mark.parametrize(
    ("size", "small"), [((451, 300), (64, 43)), ((30, 20), (30, 20)), ((3000, 2), (64, 1)), ((1, 1), (1, 1))]
)
def test_the_longest_side_is_bounded_and_nothing_is_enlarged(
    size: tuple[int, int], small: tuple[int, int]
) -> None:
    """The shape stays; no side vanishes."""
    found = Image.open(BytesIO(thumbnail(Image.new("RGB", size), 64)))
    assert (found.format, found.mode, found.size) == ("JPEG", "RGB", small)


def test_a_photograph_is_recognised() -> None:
    """Beside means of its pixels, with few of 256 steps between them."""
    photograph = Image.fromarray(data.chelsea()).crop((0, 0, 448, 296))
    found = Image.open(BytesIO(thumbnail(photograph, 56)))
    means = np.asarray(photograph, float).reshape(37, 8, 56, 8, 3).mean((1, 3))
    assert np.abs(np.asarray(found, float) - means).mean() < 6
