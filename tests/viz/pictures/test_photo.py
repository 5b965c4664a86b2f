"""A picture and its parts."""

import numpy as np
import pytest
from PIL import Image

from viz.errors import RequestError
from viz.pictures.photo import Photo, cropped, photograph


@pytest.fixture
def photo() -> Photo:
    """Noise, 90 × 70."""
    pixels = np.random.default_rng(3).integers(0, 256, (70, 90, 3), dtype=np.uint8)
    return photograph(Image.fromarray(pixels))


def test_a_part_has_exactly_the_pixels_of_that_part(photo: Photo) -> None:
    """Against slices of the array."""
    part = cropped(photo, "12,5,40,31")
    assert np.array_equal(np.asarray(part.image), np.asarray(photo.image)[5:36, 12:52])
    assert str(part.crop) == "12,5,40,31"
    assert part.original is photo
    assert photo.original is photo


def test_equal_parts_have_one_address_and_others_have_others(photo: Photo) -> None:
    """Also parts with equal pixels: answers about one would say the place of the other."""
    flat = photograph(Image.new("RGB", (90, 70), "teal"))
    parts = [(photo, "0,0,9,9"), (photo, "1,0,9,9"), (flat, "0,0,9,9"), (flat, "1,0,9,9")]
    found = [cropped(whole, text).fingerprint for whole, text in parts]
    assert len({photo.fingerprint, flat.fingerprint, *found}) == 6
    assert cropped(photo, "0,0,9,9").fingerprint == found[0]


def test_everything_is_no_part(photo: Photo) -> None:
    """So that it has the whole picture's answers."""
    assert cropped(photo, "0,0,90,70") is photo


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "four whole numbers"),
        ("1,2,3", "four whole numbers"),
        ("1,2,3,4,5", "four whole numbers"),
        ("-1,0,9,9", "four whole numbers"),
        ("1.5,0,9,9", "four whole numbers"),
        ("\N{ARABIC-INDIC DIGIT ONE},0,9,9", "four whole numbers"),
        ("0,0,9,9\n", "four whole numbers"),
        ("9" * 5000, "four whole numbers"),
        ("0,0,0,9", "90 × 70 pixels"),
        ("82,0,9,9", "90 × 70 pixels"),
        ("0,62,9,9", "90 × 70 pixels"),
        ("0,0,51,1", "more than 50 times"),
    ],
)
def test_what_is_no_part_gets_one_sentence(photo: Photo, text: str, says: str) -> None:
    """It says what a part is, or how large the picture is."""
    with pytest.raises(RequestError, match=says) as caught:
        cropped(photo, text)
    assert len(str(caught.value)) < 160
