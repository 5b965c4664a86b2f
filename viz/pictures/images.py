"""Uploaded bytes → an upright RGB picture, or one sentence that says why not.

Limits are checked before anything is decoded. Colour profiles are ignored, as in the pipelines that trained
the networks, so that a script with ``Image.open(path).convert("RGB")`` sees the same numbers. Transparent
places become white, whatever colour they hide.
"""

import struct
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO

from PIL import Image, _webp

from ..errors import ImageError
from .bitmap_runs import unpacked_bitmap
from .flat import flat_picture
from .header_formats import ACCEPTED, Header, damaged, read_header
from .photo import MAX_ASPECT

MAX_BYTES = 20_000_000
MAX_PIXELS = 40_000_000
MAX_SIDE = 12_000
EXTENSIONS = ("png", "jpg", "jpeg", "webp", "bmp", "gif")
# Everything that Pillow's readers were seen to raise for broken files; none of it should reach a visitor.
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


def read_image(data: bytes, *, longest_side: int | None = None) -> Image.Image:
    """The picture in a PNG, JPEG, WebP, BMP or GIF file: RGB, upright; of an animated one, the first frame.

    Args:
        data: The file.
        longest_side: The most pixels on a side, for a frame from a camera.

    Raises:
        ImageError: anything else: another format, a damaged file, too many bytes, parts or pixels, or a
            picture that is too long and thin.
    """
    header = read_header(_checked_bytes(data))
    _check_size(header.width, header.height)
    if longest_side is not None and max(header.width, header.height) > longest_side:
        raise ImageError("a frame has at most {most} pixels on a side: make it smaller", most=longest_side)
    picture = flat_picture(_decoded(header), header.bits)
    turn = _TURNS.get(header.orientation)
    return picture if turn is None else picture.transpose(turn)


def digest(data: bytes) -> str:
    """The SHA-256 of the bytes, in 64 hexadecimal digits: the name under which a picture is cached."""
    return sha256(data).hexdigest()


def _checked_bytes(data: bytes) -> bytes:
    """The same bytes, if there are any and not too many."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ImageError(
            "a picture is read from the bytes of a {formats} file, not from {name}",
            formats=ACCEPTED,
            name=type(data).__name__,
        )
    data = bytes(data)
    if not data:
        raise ImageError("this file is empty: choose a {formats} file", formats=ACCEPTED)
    if len(data) > MAX_BYTES:
        raise ImageError(
            "this file has {size} MB, and at most {most} MB are read: make the picture smaller",
            size=f"{len(data) / 1e6:.1f}",
            most=f"{MAX_BYTES / 1e6:.0f}",
        )
    return data


def _check_size(width: int, height: int) -> None:
    """Refuse a picture that takes too much memory now, or later when preprocessing enlarges it."""
    size = {"width": f"{width:,}", "height": f"{height:,}"}
    if min(width, height) < 1:
        raise ImageError("this picture has {width} by {height} pixels: there is nothing to see", **size)
    if max(width, height) > MAX_SIDE:
        raise ImageError(
            "this picture has {width} by {height} pixels, and at most {most} on a side are read: "
            "make it smaller",
            most=f"{MAX_SIDE:,}",
            **size,
        )
    if width * height > MAX_PIXELS:
        raise ImageError(
            "this picture has {width} by {height} pixels, and at most {most} million in all are read: "
            "make it smaller",
            most=f"{MAX_PIXELS / 1e6:.0f}",
            **size,
        )
    if max(width, height) > MAX_ASPECT * min(width, height):
        raise ImageError(
            "this picture has {width} by {height} pixels, more than {most} times as long as wide: "
            "crop it to a part that matters",
            most=MAX_ASPECT,
            **size,
        )


def _decoded(header: Header) -> Image.Image:
    """The picture as stored, in whatever mode the file uses."""
    try:
        picture = _DECODERS.get(header.format, _open)(header)
        if picture.size == (header.width, header.height):
            picture.load()
            return picture
    except ImageError:
        raise
    except _DECODER_ERRORS as error:
        raise damaged(header.format) from error
    raise damaged(header.format)


def _open(header: Header) -> Image.Image:
    """The file, opened by Pillow and not yet decoded."""
    return Image.open(BytesIO(header.picture), formats=[header.format])


def _open_bitmap(header: Header) -> Image.Image:
    """The same for a bitmap, without runs."""
    plain = unpacked_bitmap(header.picture, header.width, header.height)
    return _open(header._replace(picture=plain))


def _first_webp_frame(header: Header) -> Image.Image:
    """The first frame, decoded here because Pillow's own reader keeps three more copies of it."""
    decoder = _webp.WebPAnimDecoder(header.picture)
    mode, frame = decoder.get_info()[-1], decoder.get_next()
    del decoder  # this frees two canvases before more are made
    if frame is None or len(frame[0]) != 4 * header.width * header.height:
        raise damaged("WebP")
    return Image.frombuffer(mode, (header.width, header.height), frame[0], "raw", mode, 0, 1)


_DECODERS: dict[str, Callable[[Header], Image.Image]] = {"WEBP": _first_webp_frame, "BMP": _open_bitmap}
