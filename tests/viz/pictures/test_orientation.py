"""viz/pictures/orientation.py: how a camera was held, wherever files say it, compared with Pillow."""

import zlib
from collections.abc import Callable
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageOps

from tests.hostile.pictures import chunk, saved, segment
from viz.pictures.images import read_image
from viz.pictures.orientation import stated_in_exif, stated_in_png_text, stated_in_xmp

PHOTO = Image.fromarray(np.random.default_rng(5).integers(0, 256, (8, 24, 3), dtype=np.uint8))
XMP_NAME = b"XML:com.adobe.xmp\0"


def exif(orientation: int) -> bytes:
    """Camera data that hold only this."""
    entries = Image.Exif()
    entries[0x0112] = orientation
    return entries.tobytes()


def xmp(orientation: int) -> bytes:
    """The same as an XMP packet, in which it is an attribute."""
    return b'<x:xmpmeta><rdf:Description tiff:Orientation="%d"/></x:xmpmeta>' % orientation


def raw_profile(content: bytes) -> bytes:
    """Any content as ImageMagick writes it into texts: its name, its length, and lines of digits."""
    digits = content.hex().encode()
    lines = [digits[start : start + 72] for start in range(0, len(digits), 72)]
    return b"\nexif\n%8d\n" % len(content) + b"\n".join(lines) + b"\n"


def png_with(name: bytes, content: bytes) -> bytes:
    """A PNG file with one more chunk in front of its pixels."""
    whole = saved(PHOTO, "PNG")
    return whole[:33] + chunk(name, content) + whole[33:]


def jpeg_with(content: bytes) -> bytes:
    """A JPEG file with an application segment."""
    whole = saved(PHOTO, "JPEG")
    return whole[:2] + segment(0xE1, content) + whole[2:]


PLACES: dict[str, Callable[[int], bytes]] = {
    "raw profile": lambda held: png_with(b"tEXt", b"Raw profile type exif\0" + raw_profile(exif(held))),
    "packed raw profile": lambda held: png_with(
        b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(raw_profile(exif(held)))
    ),
    "XMP in PNG": lambda held: png_with(b"iTXt", XMP_NAME + b"\0\0\0\0" + xmp(held)),
    "packed XMP in PNG": lambda held: png_with(b"iTXt", XMP_NAME + b"\1\0\0\0" + zlib.compress(xmp(held))),
    "XMP in JPEG": lambda held: jpeg_with(b"http://ns.adobe.com/xap/1.0/\0" + xmp(held)),
    "XMP in WebP": lambda held: saved(PHOTO, "WEBP", lossless=True, xmp=xmp(held)),
    "XMP beside Exif": lambda held: saved(PHOTO, "WEBP", lossless=True, exif=exif(held), xmp=xmp(6)),
    "XMP beside Exif that says nothing": lambda held: saved(
        PHOTO, "WEBP", lossless=True, exif=Image.Exif().tobytes(), xmp=xmp(held)
    ),
}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("place", PLACES)
def test_a_picture_is_turned_wherever_it_says_how_it_was_held(place: str, orientation: int) -> None:
    """Pixel for pixel as Pillow turns it; the sides are of different lengths."""
    data = PLACES[place](orientation)
    with Image.open(BytesIO(data)) as opened:
        expected = ImageOps.exif_transpose(opened).convert("RGB")
    assert expected.size == ((8, 24) if orientation > 4 else (24, 8))
    assert np.array_equal(np.asarray(read_image(data)), np.asarray(expected))


@pytest.mark.parametrize("name", [b"exif", b"APP1"])
def test_both_names_of_raw_camera_data_are_known(name: bytes) -> None:
    """Pillow knows one of them, so the number is the oracle; and XMP has a profile of its own."""
    assert stated_in_png_text(b"tEXt", b"Raw profile type %s\0" % name + raw_profile(exif(6))) == 6
    assert stated_in_png_text(b"tEXt", b"Raw profile type xmp\0" + raw_profile(xmp(6))) == 6


@pytest.mark.parametrize(
    ("packet", "expected"),
    [
        (b"<tiff:Orientation>8</tiff:Orientation>", 8),
        (b"<tiff:Orientation> 3 </tiff:Orientation>", 3),
        (b"tiff:Orientation='5'", 5),
        (b'tiff:Orientation="9"', None),
        (b'tiff:Orientation="16"', None),
        (b"tiff:Orientation", None),
        (b"", None),
        (b" " * 1_000_000 + xmp(6), None),
    ],
)
def test_xmp_says_it_in_two_notations(packet: bytes, expected: int | None) -> None:
    """Anything else, or anything beyond the part that we search, counts as silence."""
    assert stated_in_xmp(packet) == expected


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (b"tEXt", b"Comment\0" + raw_profile(exif(6))),
        (b"tEXt", b"Raw profile type exif\0no digits"),
        (b"tEXt", b"Raw profile type exif\0\nexif\n8\n\xff\xfe"),
        (b"zTXt", b"Raw profile type exif\0\0not packed"),
        (b"zTXt", b"Raw profile type exif"),
        (b"iTXt", XMP_NAME),
        (b"iTXt", XMP_NAME + b"\1\0\0\0not packed"),
    ],
)
def test_damaged_texts_say_nothing_of_it(kind: bytes, text: bytes) -> None:
    """None of them is an error: the picture is still read."""
    assert stated_in_png_text(kind, text) is None


def test_silence_differs_from_upright() -> None:
    """Otherwise XMP could turn a picture that Exif calls upright."""
    assert stated_in_exif(exif(1)) == 1
    assert stated_in_exif(Image.Exif().tobytes()) is None
