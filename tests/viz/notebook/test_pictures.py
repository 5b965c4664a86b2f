"""Pictures as notebooks have them are those that the page would read from a file."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from viz.notebook.pictures import picture_or_arguments

RAMP = np.arange(12 * 9).reshape(9, 12)
PICTURES = {
    "colours": Image.effect_noise((12, 9), 80).convert("RGB"),
    "see-through": Image.merge("RGBA", [Image.effect_noise((12, 9), 80)] * 4),
    "16 bits": Image.fromarray((RAMP * 600).astype(np.uint16)),
    "grey": Image.fromarray(RAMP.astype(np.uint8)),
    "palette": Image.fromarray(RAMP.astype(np.uint8)).convert("P"),
}


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_an_opened_picture_is_the_one_in_its_file(picture: Image.Image) -> None:
    """Transparency lies on white, and sixteen bits are scaled, not clipped."""
    file = BytesIO()
    picture.save(file, "PNG")
    opened = picture_or_arguments(Image.open(BytesIO(file.getvalue())))
    assert np.array_equal(opened, picture_or_arguments(file.getvalue()))
    assert np.array_equal(opened, picture_or_arguments(picture))
