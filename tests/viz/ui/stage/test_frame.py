"""Frame of a model's look on the whole picture, as the browser is told."""

import pytest
from PIL import Image

import models
from viz.pictures.photo import cropped, photograph
from viz.ui.stage.frame import frame_facts


def test_the_frame_is_the_middle_that_the_model_sees() -> None:
    """EfficientNet-Lite0 sees 224 of the 256 pixels that the short side is resized to."""
    photo = photograph(Image.new("RGB", (600, 400)))
    facts = frame_facts(photo, models.describe("efficientnet_lite0").preprocessing)
    assert facts is not None
    assert (facts.width, facts.height, facts.crop) == (600, 400, "")
    assert facts.seen == pytest.approx((125, 25, 475, 375))
    assert facts.inner == pytest.approx((0.0625, 0.0625, 0.9375, 0.9375))


def test_the_frame_of_a_part_lies_in_that_part() -> None:
    """All in the whole picture's pixels."""
    photo = cropped(photograph(Image.new("RGB", (600, 400))), "200,100,160,160")
    facts = frame_facts(photo, models.describe("efficientnet_lite0").preprocessing)
    assert facts is not None
    assert (facts.width, facts.height, facts.crop) == (600, 400, "200,100,160,160")
    assert facts.seen == pytest.approx((210, 110, 350, 250))


def test_a_signal_has_no_frame() -> None:
    """It is read from every column of the picture."""
    photo = photograph(Image.new("RGB", (60, 40)))
    assert frame_facts(photo, models.describe("signalnet").preprocessing) is None
