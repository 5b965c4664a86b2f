"""Small JPEG of a picture, to look at without the picture."""

from io import BytesIO

from PIL import Image

USUAL_SIDE = 128
_QUALITY = 80


def thumbnail(image: Image.Image, side: int) -> bytes:
    """Return a JPEG of an RGB picture, made smaller if needed.

    It is never enlarged.

    Args:
        image: the picture, upright.
        side: the most pixels on a side.
    """
    small = image
    if max(image.size) > side:
        shrunk = side / max(image.size)
        size = tuple(max(1, round(length * shrunk)) for length in image.size)
        small = image.resize((size[0], size[1]), Image.Resampling.LANCZOS, reducing_gap=2.0)
    written = BytesIO()
    small.save(written, "JPEG", quality=_QUALITY)
    return written.getvalue()
