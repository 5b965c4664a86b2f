"""viz/maps/png.py: files that any decoder reads back."""

import zlib
from io import BytesIO

import numpy as np
from PIL import Image

from tests.viz.random_tasks import bits
from viz.maps.png import palette_png, rgba_png, with_text

COLOURS = np.array([[0, 0, 0, 255], [255, 128, 0, 255], [9, 8, 7, 0], [1, 2, 3, 255]], dtype=np.uint8)
CODES = np.array([[0, 1, 2, 3, 1], [3, 3, 0, 0, 2]], dtype=np.uint8)


def test_a_palette_png_holds_indices_and_their_colours() -> None:
    """Read by Pillow, with the transparency of one entry."""
    rows = np.concatenate([np.zeros((2, 1), dtype=np.uint8), CODES], axis=1)
    picture = Image.open(BytesIO(palette_png(rows, COLOURS)))
    assert (picture.mode, picture.size) == ("P", (5, 2))
    assert np.array_equal(np.asarray(picture), CODES)
    assert np.array_equal(np.asarray(picture.convert("RGBA")), COLOURS[CODES])


def test_a_full_colour_png_holds_the_same_pixels() -> None:
    """Full colour is for codes wider than a byte."""
    picture = Image.open(BytesIO(rgba_png(CODES.astype(np.uint16), COLOURS)))
    assert (picture.mode, picture.size) == ("RGBA", (5, 2))
    assert np.array_equal(np.asarray(picture), COLOURS[CODES])


def test_a_text_in_a_file_is_read_back_beside_the_same_pixels() -> None:
    """Read by Pillow, before the pixels are; letters of any language."""
    png = rgba_png(CODES.astype(np.uint16), COLOURS)
    picture = Image.open(BytesIO(with_text(png, "layerglass", '{"层": "≥ 1"}'.encode())))
    assert picture.info == {"layerglass": '{"层": "≥ 1"}'}
    assert np.array_equal(np.asarray(picture), COLOURS[CODES])


def test_an_opaque_palette_says_nothing_about_transparency() -> None:
    """A chunk that is not needed is not written."""
    rows = np.zeros((1, 3), dtype=np.uint8)
    assert b"tRNS" not in palette_png(rows, COLOURS[:2])


def test_a_picture_is_not_larger_than_zlibs_fastest_way_makes_it() -> None:
    """Beside zlib's run lengths, on the same pixels; bench/mosaic.py compares the time of both."""
    maps = np.random.default_rng(0).normal(128, 40, (400, 800)).clip(0, 255).astype(np.uint8)
    rows = np.concatenate([np.zeros((400, 1), dtype=np.uint8), maps], axis=1)
    packer = zlib.compressobj(1, zlib.DEFLATED, 15, 9, zlib.Z_RLE)
    assert len(palette_png(rows, COLOURS)) < 1.02 * len(packer.compress(rows.data) + packer.flush())


def test_equal_pictures_are_told_by_their_pixels_however_compressed() -> None:
    """The rows before compression, and all other chunks as they are."""
    rows = np.concatenate([np.zeros((2, 1), dtype=np.uint8), CODES], axis=1)
    png = palette_png(rows, COLOURS)
    data = png[png.index(b"IDAT") + 4 : png.index(b"IEND") - 8]
    packed = zlib.compress(rows.tobytes(), 0)
    other = png.replace(len(data).to_bytes(4) + b"IDAT" + data, len(packed).to_bytes(4) + b"IDAT" + packed)
    assert png != other
    assert bits(png) == bits(other)
    assert bits(png) != bits(palette_png(rows[:, ::-1], COLOURS)) != bits(palette_png(rows, COLOURS[::-1]))
