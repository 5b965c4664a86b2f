"""Small pictures of layers: values have colours, and places without values have none."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from viz.findings.values import LayerValues, Leaf
from viz.maps.mosaic import NAN_COLOUR
from viz.request.inspection import Inspection
from viz.views.overview import Thumbnail, thumbnail, thumbnail_facts


def of_vector(numbers: np.ndarray) -> Thumbnail:
    """The small picture of one vector."""
    leaf = Leaf(numbers[None].astype(np.float32), "float32")
    found = LayerValues("head", "Linear", "cpu", ({"output": leaf},))
    return thumbnail(found, Inspection("picture", "net", "random", "head"))


def pixels(thumb: Thumbnail) -> np.ndarray:
    """The colours (height, width, 4) of a small picture."""
    png = base64.b64decode(thumbnail_facts(thumb).png)
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))


def test_places_behind_the_last_value_of_a_vector_are_transparent() -> None:
    """A prime number of values fills no grid; a value that is no number is still magenta."""
    numbers = np.arange(101.0)
    numbers[7] = np.nan
    drawn = pixels(of_vector(numbers)).reshape(-1, 4)
    assert len(drawn) > len(numbers)
    assert not drawn[101:, 3].any()
    assert (drawn[:101, 3] == 255).all()
    assert np.flatnonzero((drawn == NAN_COLOUR).all(axis=1)).tolist() == [7]


@pytest.mark.parametrize("count", [20011, 40009, 40039])
def test_a_vector_too_long_for_its_picture_has_no_hole_in_its_colours(count: int) -> None:
    """Each pixel is a mean of values alone."""
    found = of_vector(np.ones(count))
    assert max(found.map.shape) <= 112
    assert (found.map == 1).all()
    assert (pixels(found)[..., 3] == 255).all()
