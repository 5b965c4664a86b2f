"""Sizes at which small pictures are shown."""

import io

import pytest
from PIL import Image

from viz.ui.learning.sizes import enlarged


@pytest.mark.parametrize(
    ("size", "viewport", "shown"),
    [
        ((28, 10), (400, 0), (392, None)),
        ((500, 10), (400, 0), (500, None)),
        ((28, 10), (150, 0), (140, None)),
        ((200, 12), (800, 260), (800, 252)),
        ((900, 300), (800, 260), (900, 300)),
    ],
)
def test_a_picture_grows_by_whole_numbers(
    size: tuple[int, int], viewport: tuple[int, int], shown: tuple[int, int | None]
) -> None:
    """One that has no room is not made smaller here; only with a height do both sides grow apart."""
    png = io.BytesIO()
    Image.new("L", size).save(png, "PNG")
    assert enlarged(png.getvalue(), viewport) == shown
