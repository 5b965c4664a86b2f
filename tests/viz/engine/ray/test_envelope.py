"""A task crosses with its pictures named, and they are found again."""

import pytest
from PIL import Image

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from tests.viz.subjects import photo, wanted
from viz.engine.process.line import picture_bytes
from viz.engine.ray.envelope import opened, sealed
from viz.pictures.photo import cropped, photograph
from viz.views.one_layer import View

pytestmark = pytest.mark.ray


def test_a_task_names_its_pictures_and_carries_none() -> None:
    """It is the same task with them, and small without them."""
    large = photograph(Image.effect_noise((900, 700), 80).convert("RGB"))
    task = View(wanted(large), large)
    text, named = sealed(task)
    assert len(text) < 2000
    assert named == {large.fingerprint: large}
    assert opened(text, named.__getitem__) == task


def test_a_part_is_carried_and_names_its_whole() -> None:
    """So that the whole crosses once, however many parts are looked at."""
    large = photograph(Image.effect_noise((900, 700), 80).convert("RGB"))
    part = cropped(large, "10,20,30,40")
    text, named = sealed(part)
    assert named == {large.fingerprint: large}
    found = opened(text, named.__getitem__)
    assert found.whole is large
    assert found.image.tobytes() == part.image.tobytes()


def test_a_picture_takes_a_byte_for_each_of_its_numbers() -> None:
    """Bounds on pictures count these bytes."""
    assert picture_bytes(photo(1)) == len(photo(1).image.tobytes())
