"""Facts of optimised pictures for the browser: their pixels, and null for what is no number."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from viz.views.optimised.optimise import OptimisationProgress
from viz.views.optimised.optimised_facts import optimised_facts


@pytest.mark.parametrize("colours", [1, 3])
def test_pictures_are_png_of_the_same_pixels(colours: int) -> None:
    """Grey ones too."""
    pixels = np.random.default_rng(0).integers(0, 256, (2, 6, 5, colours), np.uint8)
    peaks = np.array([[1, 2.5], [3, np.nan]], np.float32)
    facts = optimised_facts(OptimisationProgress(pixels, 3, 9, False, (0.5, np.inf), peaks, -1.0), 1)
    for png, expected in zip(facts.pictures, pixels, strict=True):
        found = np.array(Image.open(io.BytesIO(base64.b64decode(png))))
        np.testing.assert_array_equal(found.reshape(expected.shape), expected)
    assert (facts.values, facts.peaks, facts.own) == ((0.5, None), (2.5, None), -1.0)
    assert (facts.done, facts.total, facts.stuck, facts.side, facts.compared) == (3, 9, False, 5, 0)
