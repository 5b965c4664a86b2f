"""Random headers and random damage give a picture or a refusal, quickly, and never anything else."""

import struct
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.hostile.pictures import bmp, chunk, gif, riff, saved, segment, webp_of_one_colour
from tests.hostile.pictures import noise as noisy
from tests.hostile.pictures_honest import honest_files
from tests.machine import took_less
from viz.errors import ImageError
from viz.pictures.images import read_image

FILES = [data for _, data in honest_files(130)]
MOST_SECONDS = 3  # a damaged header may ask for 40 megapixels, which take half a second
RANDOMLY = settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
small, short, long = some.integers(0, 255), some.integers(0, 65535), some.integers(0, (1 << 32) - 1)
side = some.sampled_from((0, 1, 2, 7, 64, 1281, 12_000, 12_001, 65_535)) | short


def outcome(data: bytes) -> str:
    """The mode of the picture, or that it was refused; any other error or warning fails the test."""
    started = time.process_time()
    try:
        found = read_image(data).mode
    except ImageError:
        found = "refused"
    assert took_less(time.process_time() - started, MOST_SECONDS)
    return found


@RANDOMLY
@given(
    file=some.sampled_from(FILES),
    changes=some.lists(some.tuples(some.floats(0, 1, exclude_max=True), small), max_size=6),
    cut=some.floats(0, 1),
    again=some.floats(0, 1),
    times=some.sampled_from((0, 0, 1, 1000)),
)
def test_damaged_files_give_a_picture_or_a_refusal(
    file: bytes, changes: list[tuple[float, int]], cut: float, again: float, times: int
) -> None:
    """For every format, we change bytes, cut off the end, and repeat a piece."""
    data = bytearray(file)
    for place, value in changes:
        data[int(place * len(data))] = value
    start, end = sorted((int(cut * len(data)), int(again * len(data))))
    assert outcome(bytes(data[:end] + data[start:end] * times + data[end:])) in ("RGB", "refused")
    assert outcome(bytes(data[:end])) in ("RGB", "refused")


@RANDOMLY
@given(
    width=side | long,
    height=side | long,
    form=some.tuples(small, small, small, small, small),
    more=some.binary(max_size=40),
)
def test_random_headers_of_png_files_are_no_trouble(
    width: int, height: int, form: tuple[int, ...], more: bytes
) -> None:
    """Headers may claim any size, depth and kind of colour."""
    header = chunk(b"IHDR", struct.pack(">II5B", width, height, *form))
    for second in (b"", header, chunk(b"IHDR", struct.pack(">II5B", 10_000, 10_000, 8, 0, 0, 0, 0))):
        data = b"\x89PNG\r\n\x1a\n" + header + second + chunk(b"PLTE", more) + chunk(b"IDAT", more)
        assert outcome(data + chunk(b"IEND", b"")) == "refused"


@RANDOMLY
@given(width=side, height=side, marker=some.integers(0xC0, 0xFE), components=some.binary(max_size=13))
def test_random_headers_of_jpeg_files_are_no_trouble(
    width: int, height: int, marker: int, components: bytes
) -> None:
    """A frame header of another size and kind, in place of the file's own or beside it."""
    whole = saved(noisy("RGB", (16, 16), 1), "JPEG")
    frame = whole.index(b"\xff\xc0")
    claimed = segment(marker, struct.pack(">BHH", 8, height, width) + components)
    for rest in (whole[frame:], whole[frame + 19 :]):
        assert outcome(whole[:frame] + claimed + rest) in ("RGB", "refused")
    resized = whole[: frame + 5] + struct.pack(">HH", height, width) + whole[frame + 9 :]
    assert outcome(resized) in ("RGB", "refused")


@RANDOMLY
@given(width=long, height=long, rest=some.lists(long, min_size=6, max_size=6), form=some.tuples(short, short))
def test_random_headers_of_bitmaps_are_no_trouble(
    width: int, height: int, rest: list[int], form: tuple[int, int]
) -> None:
    """Any length, depth and compression, with small sizes as well."""
    whole = bmp(8, 0, bytes(64), size=(8, 8))
    for length in (12, 16, 40, 52, 56, 64, 108, 124, rest[0]):
        info = struct.pack("<III2H6I", length, width, height, *form, *rest)
        assert outcome(whole[:14] + info + whole[54:]) in ("RGB", "refused")
        near = struct.pack(
            "<III2H6I", length, width % 99, height % 99, 1, form[1] % 33, rest[0] % 6, *rest[1:]
        )
        assert outcome(whole[:14] + near + whole[54:]) in ("RGB", "refused")


@RANDOMLY
@given(body=some.binary(max_size=200), bits=some.sampled_from((4, 8)))
def test_random_runs_of_bitmaps_are_no_trouble(body: bytes, bits: int) -> None:
    """Codes, escapes and steps in random order."""
    assert outcome(bmp(bits, {8: 1, 4: 2}[bits], body, size=(9, 7))) in ("RGB", "refused")


@pytest.mark.slow
@RANDOMLY
@given(width=side, height=side, corner=some.tuples(side, side), more=some.binary(max_size=30))
def test_random_headers_of_gif_and_webp_files_are_no_trouble(
    width: int, height: int, corner: tuple[int, int], more: bytes
) -> None:
    """Screens, frames that exceed them, and blocks before them."""
    screen = b"GIF89a" + struct.pack("<HH", width, height) + gif(b"!" + more)[10:]
    frame = screen.replace(b",\0\0\0\0\1\0\1\0", b"," + struct.pack("<4H", *corner, width, height))
    assert outcome(screen) in ("RGB", "refused")
    assert outcome(frame) in ("RGB", "refused")
    canvas = more[:4].ljust(4, b"\0") + width.to_bytes(3, "little") + height.to_bytes(3, "little")
    still = webp_of_one_colour(1 + width % 16_384, 1 + height % 16_384)
    assert outcome(still) in ("RGB", "refused")
    assert outcome(riff((b"VP8X", canvas), (still[12:16], still[20:28]))) in ("RGB", "refused")
    assert outcome(riff((b"ALPH", more), (b"VP8X", canvas), (still[12:16], more))) == "refused"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "GIF"])
def test_files_that_end_anywhere_are_no_trouble(kind: str) -> None:
    """We cut each file after every one of its bytes."""
    whole = saved(noisy("RGB", (5, 4), 3), kind)
    found = [outcome(whole[:end]) for end in range(len(whole) + 1)]
    assert found[-1] == "RGB"
    assert found[: len(whole) // 2] == ["refused"] * (len(whole) // 2)
