"""Picture files made to be expensive: what each may cost, measured in a process of its own."""

import struct
from collections.abc import Callable

import pytest
from PIL import Image

from tests.hostile import pictures
from tests.hostile.picture_cost import STATUS, cost_of
from tests.hostile.pictures import HEIGHT, LONG, WIDTH, chunk, gif, jpeg, large, large_png, segment, zeros
from tests.machine import took_less
from viz.errors import ImageError
from viz.pictures.images import read_image

pytestmark = pytest.mark.skipif(
    not STATUS.exists(), reason="the peak of a process is read where Linux keeps it"
)
PARTS = "far too many parts: save it again"

# name: how it is made, its answer, and the most seconds and megabytes that it may take
CROWDED: dict[str, tuple[Callable[[], bytes], str, float, float]] = {
    "JPEG of empty segments": (lambda: jpeg(segment(0xDD, b"") * (LONG // 4)), PARTS, 0.3, 20),
    "JPEG of bare markers": (lambda: jpeg(b"\xff\x01" * (LONG // 2)), PARTS, 0.3, 20),
    "JPEG of tables": (lambda: jpeg(segment(0xDB, (b"\0" + b"\1" * 64) * 1000) * 300), PARTS, 0.3, 20),
    "JPEG of camera data": (
        lambda: jpeg(segment(0xE1, b"Exif\0\0" + pictures.exif_of_entries(5400)) * 300),
        "16 by 16",
        0.2,
        20,
    ),
    "JPEG of filling": (lambda: pictures.jpeg_of_filling(LONG), PARTS, 0.5, 20),
    "JPEG of passes": (lambda: pictures.jpeg_of_passes(100), "far too many passes", 0.3, 20),
    "JPEG of arithmetic passes": (
        lambda: pictures.jpeg_of_passes(100, arithmetic=True),
        "far too many passes",
        0.3,
        20,
    ),
    "GIF of a comment": (lambda: gif(b"!\xfe" + b"\1a" * (LONG // 2) + b"\0"), PARTS, 0.5, 20),
    "GIF of comments": (lambda: gif(b"!\xfe\0" * (LONG // 3)), PARTS, 0.5, 20),
    "GIF of nothing": (lambda: gif(bytes(LONG)), "damaged", 0.3, 30),
    "PNG of empty pixels": (lambda: pictures.png_of_empty_chunks(b"IDAT"), PARTS, 0.8, 60),
    "PNG of empty texts": (lambda: pictures.png_of_empty_chunks(b"tEXt"), PARTS, 0.5, 20),
    "PNG of packed texts": (
        lambda: pictures.png(
            8, 0, zeros(2), more=chunk(b"zTXt", b"Raw profile type exif\0\0" + zeros(300_000_000)) * 40
        ),
        "1 by 1",
        1.5,
        60,
    ),
    "PNG of more rows than it has": (lambda: pictures.png(8, 0, zeros(3_000_000_000)), "1 by 1", 0.5, 30),
    "WebP of empty chunks": (
        lambda: pictures.riff(*[(b"junk", b"")] * (LONG // 8)),
        PARTS,
        0.3,
        20,
    ),
    "BMP of steps to nowhere": (
        lambda: pictures.bmp(8, 1, b"\0\2\0\0" * (LONG // 4), size=(16, 16)),
        PARTS,
        0.3,
        20,
    ),
    "BMP of runs of one": (
        lambda: pictures.bmp(8, 1, b"\1\7" * (LONG // 2), size=(3150, 3150)),
        PARTS,
        3,
        60,
    ),
}


@pytest.mark.parametrize("name", CROWDED)
def test_a_file_of_very_many_parts_costs_next_to_nothing(name: str) -> None:
    """Some once took 7 seconds and 870 MB; now time and memory stay below what is listed."""
    make, words, seconds, megabytes = CROWDED[name]
    cost = cost_of(make())
    assert words in cost.said
    assert took_less(cost.seconds, seconds)
    assert cost.megabytes < megabytes


# name: how it is made, and the most seconds and megabytes; the pixels themselves take 160 MB, decoded or flat
LARGE: dict[str, tuple[Callable[[], bytes], float, float]] = {
    "WebP in 28 bytes": (lambda: pictures.webp_of_one_colour(WIDTH, HEIGHT), 4, 520),
    "WebP with a small frame": (lambda: pictures.moving_webp(WIDTH, HEIGHT), 4, 520),
    "lossy WebP": (large("RGB", "WEBP", method=0), 4, 520),
    "see-through WebP": (large("RGBA", "WEBP", lossless=True, method=0), 4, 520),
    "PNG of 16 bits": (lambda: large_png(16, 0), 5, 300),
    "PNG of 16 bits and a key": (lambda: large_png(16, 0, more=chunk(b"tRNS", b"\0\0")), 5, 300),
    "PNG of four times 16 bits": (lambda: large_png(16, 6), 6, 360),
    "see-through PNG": (lambda: large_png(8, 6), 5, 360),
    "see-through grey PNG": (lambda: large_png(8, 4), 5, 360),
    "interlaced PNG": (lambda: large_png(8, 6, interlace=1), 5, 360),
    "PNG of one bit and a key": (lambda: large_png(1, 0, more=chunk(b"tRNS", b"\0\0")), 4, 250),
    "PNG of a see-through palette": (
        lambda: large_png(8, 3, more=chunk(b"PLTE", bytes(768)) + chunk(b"tRNS", bytes(range(256)))),
        4,
        250,
    ),
    "JPEG": (large("RGB", "JPEG"), 4, 360),
    "JPEG that restarts": (large("RGB", "JPEG", restart_marker_blocks=1), 4, 360),
    "JPEG of four colours": (large("CMYK", "JPEG"), 4, 360),
    "progressive JPEG": (large("RGB", "JPEG", progressive=True, subsampling=0), 6, 430),
    "progressive JPEG of four colours": (large("CMYK", "JPEG", progressive=True), 6, 520),
    "JPEG of twenty passes": (lambda: pictures.jpeg_of_passes(20), 5, 360),
    "see-through GIF": (large("P", "GIF", transparency=0), 4, 250),
    "BMP of one bit": (
        lambda: pictures.bmp(1, 0, bytes(WIDTH // 8 * HEIGHT), size=(WIDTH, -HEIGHT)),
        4,
        250,
    ),
    "BMP of short lines": (
        lambda: pictures.bmp(8, 1, b"\1\1\0\0" * HEIGHT, size=(WIDTH, HEIGHT)),
        2,
        300,
    ),
    "BMP of runs": (
        lambda: pictures.bmp(4, 2, (b"\xff\x12" * 31 + b"\x5f\x12\0\0") * HEIGHT, size=(WIDTH, HEIGHT)),
        1.5,
        300,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_the_largest_pictures_are_held_twice_and_not_five_times(name: str) -> None:
    """Once decoded and once in RGB; libwebp's two canvases and a progressive JPEG's numbers come on top."""
    make, seconds, megabytes = LARGE[name]
    cost = cost_of(make())
    assert cost.said == f"{WIDTH} by {HEIGHT}"
    assert took_less(cost.seconds, seconds)
    assert cost.megabytes < megabytes


# name: how it is made, its size once it is reduced, and the most seconds and megabytes
REDUCED: dict[str, tuple[Callable[[], bytes], str, float, float]] = {
    "200 megapixels": (
        lambda: pictures.saved(Image.new("RGB", (20_000, 10_000)), "JPEG"),
        "5000 by 2500",
        6,
        200,
    ),
    "several passes": (
        lambda: pictures.saved(
            Image.new("RGB", (8200, 8000)), "JPEG", progressive=True, subsampling=0, quality=50
        ),
        "4100 by 4000",
        6,
        560,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REDUCED)
def test_a_jpeg_that_is_reduced_takes_no_more_than_the_largest_others(name: str) -> None:
    """Neither do the numbers of several passes, which the decoder holds for the whole picture."""
    make, said, seconds, megabytes = REDUCED[name]
    cost = cost_of(make())
    assert cost.said == said
    assert took_less(cost.seconds, seconds)
    assert cost.megabytes < megabytes


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "GIF"])
def test_a_frame_is_refused_by_its_header(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No decoder sees it; one that just fits is read."""
    fits, wide = (pictures.saved(Image.new("RGB", (side, 60)), kind) for side in (1280, 1281))
    assert read_image(fits, longest_side=1280).size == (1280, 60)
    assert read_image(wide).size == (1281, 60)
    monkeypatch.setattr("viz.pictures.images._decoded", None)
    with pytest.raises(ImageError, match=r"^a frame has at most 1280 pixels on a side: make it smaller$"):
        read_image(wide, longest_side=1280)


def test_a_chunk_in_front_does_not_hide_the_size_of_a_webp() -> None:
    """We check the size of the very file that the decoder gets, so it decodes no more than was checked."""
    whole = pictures.webp_of_one_colour(16_000, 16_000)[12:]
    hidden = pictures.riff(
        (b"junk", bytes(6) + struct.pack("<HH", 16, 16) + bytes(6)), (whole[:4], whole[8:])
    )
    with pytest.raises(ImageError, match="16,000 by 16,000"):
        read_image(hidden)
