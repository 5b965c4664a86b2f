"""Conversion of a decoded picture of any mode to RGB on white.

It is made strip by strip, so that little memory is used besides the decoded picture and the result: at 40
million pixels, every further copy would be 160 MB.
"""

import numpy as np
from PIL import Image

_STRIP = 1_000_000


def flat_picture(picture: Image.Image, bits: int) -> Image.Image:
    """The picture in RGB, on white, with nothing of the file's metadata.

    Args:
        picture: As Pillow decodes it.
        bits: Of a value in the file: a PNG gives its transparent colour in that range.
    """
    key = picture.info.get("transparency")
    if isinstance(key, int | tuple) and picture.mode not in ("P", "I;16"):
        picture.info["transparency"] = _in_eight_bits(key, 1 if picture.mode == "1" else bits)
    flat = Image.new("RGB", picture.size, "white")
    rows = max(1, _STRIP // picture.width)
    for top in range(0, picture.height, rows):
        strip = picture.crop((0, top, picture.width, min(top + rows, picture.height)))
        if strip.mode.startswith("I"):
            strip = _eight_bit_grey(strip, key)
        if strip.has_transparency_data:
            layers = strip.convert("RGBA")
            flat.paste(layers, (0, top), layers)
        else:
            flat.paste(strip.convert("RGB"), (0, top))
    return flat


def _in_eight_bits(colour: int | tuple[int, ...], bits: int) -> int | tuple[int, ...]:
    """A PNG's transparent colour in the range of the decoded pixels.

    It is given in the file's own ``bits``.
    """
    if isinstance(colour, tuple):
        return tuple(value >> max(0, bits - 8) for value in colour)
    return (colour * 255 // ((1 << bits) - 1)) if bits < 8 else colour  # noqa: PLR2004 - bits in a byte


def _eight_bit_grey(strip: Image.Image, transparent: int | None) -> Image.Image:
    """16-bit grey values, scaled to 8 bits.

    Pillow's own conversion clips them to white.
    """
    values = np.asarray(strip).astype(np.uint32)
    grey = Image.fromarray(((values * 255 + 32767) // 65535).astype(np.uint8))
    if transparent is not None:
        grey.putalpha(Image.fromarray(np.where(values == transparent, 0, 255).astype(np.uint8)))
    return grey
