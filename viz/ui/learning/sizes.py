"""Sizes of small pictures of maps, in whole pixels per value.

Each value gets as many screen pixels as fit.
"""

import io

from PIL import Image

PICTURE_WIDTH = 400  # screen pixels at most to which a small picture is enlarged


def enlarged(png: bytes, viewport: tuple[int, int]) -> tuple[int, int | None]:
    """The width and height of a picture on the screen, in pixels.

    None stands for the height that belongs to the width. With a height in the ``viewport`` (width, height),
    width and height are enlarged independently, which a signal with one row for each channel needs.
    """
    width, height = Image.open(io.BytesIO(png)).size
    across = width * max(1, viewport[0] // width)
    return across, height * max(1, viewport[1] // height) if viewport[1] else None
