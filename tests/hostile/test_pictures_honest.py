"""Honest picture files are read right: their pixels against a plain computation on what Pillow reads."""

from io import BytesIO

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageOps

from tests.hostile.pictures_honest import honest_files
from viz.pictures.images import read_image


def plainly_read(data: bytes) -> NDArray[np.uint8]:
    """The file's first frame, opened, turned and put on white, all in one piece."""
    with Image.open(BytesIO(data)) as opened:
        picture = ImageOps.exif_transpose(opened)
    if picture.mode == "I;16":
        values = np.asarray(picture).astype(float)
        return np.repeat(np.floor(values * 255 / 65535 + 0.5).astype(np.uint8)[..., None], 3, axis=2)
    layers = np.asarray(picture.convert("RGBA")).astype(int)
    colours, cover = layers[..., :3], layers[..., 3:]
    return ((colours * cover + 255 * (255 - cover) + 127) // 255).astype(np.uint8)


@pytest.mark.slow
def test_a_thousand_honest_files_have_the_pixels_that_pillow_reads() -> None:
    """Every format in every storage variant in use, with turned, transparent and moving ones."""
    wrong = [
        name
        for name, data in honest_files(1000)
        if not np.array_equal(np.asarray(read_image(data)), plainly_read(data))
    ]
    assert wrong == []


def test_the_honest_files_are_of_every_format() -> None:
    """Otherwise the test above would cover less than it seems to."""
    kinds = [Image.open(BytesIO(data)).format for _, data in honest_files(130)]
    assert {kind: kinds.count(kind) > 9 for kind in kinds} == dict.fromkeys(
        ("PNG", "JPEG", "WEBP", "BMP", "GIF"), True
    )


def test_strips_of_a_larger_picture_fit_together() -> None:
    """The picture has several strips, and the last one has fewer rows."""
    pixels = np.random.default_rng(1).integers(0, 256, (1300, 1700, 4), dtype=np.uint8)
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG", compress_level=0)
    assert np.array_equal(np.asarray(read_image(file.getvalue())), plainly_read(file.getvalue()))
