"""viz/pictures/headers/formats.py: sizes and orientations against Pillow, before anything is decoded."""

import struct

import pytest
from PIL import Image

from tests.hostile.pictures import saved
from viz.pictures.headers.formats import exif_orientation, read_header

PHOTO = Image.new("RGB", (37, 21), "teal")


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("PNG", {}),
        ("JPEG", {}),
        ("JPEG", {"progressive": True}),
        ("WEBP", {}),
        ("WEBP", {"lossless": True}),
        ("WEBP", {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"}),
        ("BMP", {}),
        ("GIF", {}),
        ("GIF", {"save_all": True, "append_images": [PHOTO.rotate(180)], "comment": b"two frames"}),
    ],
)
def test_the_size_is_known_without_decoding(kind: str, options: dict[str, object]) -> None:
    """Pillow finds the same size."""
    header = read_header(saved(PHOTO, kind, **options))
    assert (header.format, header.width, header.height) == (kind, 37, 21)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("value", range(10))
def test_an_orientation_is_read_in_both_byte_orders(order: str, value: int) -> None:
    """Values that do not exist count as upright."""
    start = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    entries = struct.pack(order + "H", 2) + struct.pack(order + "HHII", 0x0100, 4, 1, 7)
    exif = b"Exif\0\0" + start + entries + struct.pack(order + "HHIHH", 0x0112, 3, 1, value, 0)
    assert exif_orientation(exif) == (value if 1 <= value <= 8 else 1)


def test_only_the_picture_is_handed_on() -> None:
    """Neither the decoder nor its caller gets camera data, comments or profiles."""
    exif = Image.Exif()
    exif[0x010E] = "a secret place"
    data = saved(PHOTO, "JPEG", exif=exif.tobytes(), comment=b"a secret word", icc_profile=b"a secret colour")
    assert data.count(b"secret") == 3
    assert b"secret" not in read_header(data).picture
    assert b"secret" not in read_header(saved(PHOTO, "PNG", exif=exif.tobytes())).picture


def test_a_first_frame_beyond_the_screen_of_a_gif_counts() -> None:
    """Decoders enlarge the screen for it, so a small screen must not hide a large frame."""
    data = bytearray(saved(PHOTO, "GIF"))
    data[6:10] = struct.pack("<HH", 1, 1)
    header = read_header(bytes(data))
    assert (header.width, header.height) == (37, 21)
