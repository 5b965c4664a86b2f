"""Likeness of two drawn pictures: squares whose pixels are counted."""

import io

import numpy as np
from PIL import Image

from viz.pictures.alike import look_alike


def drawn(values: np.ndarray) -> bytes:
    """A grey picture as PNG."""
    buffer = io.BytesIO()
    Image.fromarray(values.astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


def test_a_difference_is_seen_if_enough_pixels_differ_enough() -> None:
    """Of 100 pixels, three by a tenth of white and more; two are not seen, nor is a lighter shade."""
    plain = np.full((10, 10), 100)
    three, two, shade = plain.copy(), plain.copy(), plain + 20
    three[0, :3] = two[0, :2] = 140
    assert not look_alike(drawn(plain), drawn(three))
    assert look_alike(drawn(plain), drawn(two))
    assert look_alike(drawn(plain), drawn(shade))


def test_sizes_are_seen() -> None:
    """A map of other sides is drawn with larger squares."""
    assert not look_alike(drawn(np.zeros((4, 4))), drawn(np.zeros((2, 2))))
