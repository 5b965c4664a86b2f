"""Uploaded bytes → an upright RGB picture, or one sentence that says why not.

Limits are checked before anything is decoded. Colour profiles are ignored, as in the pipelines that trained
the networks, so that a script with ``Image.open(path).convert("RGB")`` sees the same numbers. What is
transparent becomes white; what colour hides below does not show.
"""

import struct
from hashlib import sha256
from io import BytesIO

import numpy as np
from PIL import Image

from viz.containers import ACCEPTED, Header, damaged, read_header
from viz.errors import ImageError

MAX_BYTES = 20_000_000
MAX_PIXELS = 40_000_000
MAX_SIDE = 12_000
MAX_ASPECT = 50
EXTENSIONS = ("png", "jpg", "jpeg", "webp", "bmp", "gif")
# Everything that Pillow's readers were seen to raise for broken files; none of it is for a visitor to read.
_DECODER_ERRORS = (
    *(OSError, SyntaxError, ValueError, TypeError, IndexError, KeyError, OverflowError, struct.error),
    Image.DecompressionBombError,
)
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def read_image(data: bytes) -> Image.Image:
    """The picture in a PNG, JPEG, WebP, BMP or GIF file: RGB, upright, of a moving one the first frame.

    Raises:
        ImageError: anything else: another format, a damaged file, too many bytes or pixels, too long and
            thin.
    """
    header = read_header(_checked_bytes(data))
    _check_size(header.width, header.height)
    picture = _rgb(_decoded(header), header.bits)
    turn = _TURNS.get(header.orientation)
    return picture if turn is None else picture.transpose(turn)


def digest(data: bytes) -> str:
    """The SHA-256 of the bytes, in 64 hexadecimal digits: the name under which a picture is cached."""
    return sha256(data).hexdigest()


def _checked_bytes(data: bytes) -> bytes:
    """The same bytes, if there are some and not too many."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ImageError(
            f"a picture is read from the bytes of a {ACCEPTED} file, not from {type(data).__name__}"
        )
    data = bytes(data)
    if not data:
        raise ImageError(f"this file is empty: choose a {ACCEPTED} file")
    if len(data) > MAX_BYTES:
        raise ImageError(
            f"this file has {len(data) / 1e6:.1f} MB, and at most {MAX_BYTES / 1e6:.0f} MB are read: "
            "make the picture smaller"
        )
    return data


def _check_size(width: int, height: int) -> None:
    """Refuse what would take too much memory now, or later when a network's preprocessing enlarges it."""
    size = f"this picture has {width:,} by {height:,} pixels"
    if min(width, height) < 1:
        raise ImageError(f"{size}: there is nothing to see")
    if max(width, height) > MAX_SIDE:
        raise ImageError(f"{size}, and at most {MAX_SIDE:,} on a side are read: make it smaller")
    if width * height > MAX_PIXELS:
        raise ImageError(
            f"{size}, and at most {MAX_PIXELS / 1e6:.0f} million in all are read: make it smaller"
        )
    if max(width, height) > MAX_ASPECT * min(width, height):
        raise ImageError(
            f"{size}, more than {MAX_ASPECT} times as long as wide: crop it to a part that matters"
        )


def _decoded(header: Header) -> Image.Image:
    """The picture as stored, in whatever mode it is stored in."""
    try:
        picture = Image.open(BytesIO(header.picture), formats=[header.format])
        if picture.size == (header.width, header.height):
            picture.load()
            return picture
    except _DECODER_ERRORS as error:
        raise damaged(header.format) from error
    raise damaged(header.format)


def _rgb(picture: Image.Image, bits: int) -> Image.Image:
    """The same picture in RGB, on white, with nothing of the file's metadata."""
    transparent = picture.info.get("transparency")
    if transparent is not None and isinstance(transparent, int | tuple) and picture.mode != "P":
        picture.info["transparency"] = _in_eight_bits(transparent, 1 if picture.mode == "1" else bits)
    if picture.mode.startswith("I"):
        picture = _eight_bit_grey(picture, transparent)
    if picture.has_transparency_data:
        layers = picture.convert("RGBA")
        flat = Image.new("RGB", picture.size, "white")
        flat.paste(layers, mask=layers.getchannel("A"))
        return flat
    flat = picture.convert("RGB")
    flat.info = {}
    return flat


def _in_eight_bits(colour: int | tuple[int, ...], bits: int) -> int | tuple[int, ...]:
    """A PNG's transparent colour, given in the file's own ``bits``, in the range of the decoded pixels."""
    if isinstance(colour, tuple):
        return tuple(value >> max(0, bits - 8) for value in colour)
    return (colour * 255 // ((1 << bits) - 1)) if bits < 8 else colour  # noqa: PLR2004 - bits in a byte


def _eight_bit_grey(picture: Image.Image, transparent: int | None) -> Image.Image:
    """16-bit grey values scaled to 8 bits; Pillow's own conversion clips them to white."""
    values = np.asarray(picture).astype(np.uint32)
    grey = Image.fromarray(((values * 255 + 32767) // 65535).astype(np.uint8))
    if transparent is not None:
        grey.putalpha(Image.fromarray(np.where(values == transparent, 0, 255).astype(np.uint8)))
    return grey
