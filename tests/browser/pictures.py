"""Pictures that are not in the project: made by the tests, different for every seed."""

import io

import numpy as np
from PIL import Image


def photo(seed: int, size: tuple[int, int] = (320, 240)) -> Image.Image:
    """A smooth random scene, (width, height), unlike any other seed's."""
    coarse = np.random.default_rng(seed).integers(0, 256, (7, 9, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


def jpeg(picture: Image.Image) -> bytes:
    """The picture as a JPEG file."""
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=90)
    return buffer.getvalue()
