"""Uploaded bytes as an upright RGB picture, or a refusal.

A refusal is one sentence with the reason.

Limits are checked before anything is decoded. Colour profiles are ignored, as in the pipelines that trained
the networks, so that a script with ``Image.open(path).convert("RGB")`` sees the same numbers. Transparent
places become white, whatever colour they hide.
"""

import struct
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO

from PIL import Image, _webp
from PIL.JpegImagePlugin import JpegImageFile

from ..errors import ImageError
from .bitmap_runs import unpacked_bitmap
from .flat import flat_picture
from .headers.formats import ACCEPTED, Header, damaged, read_header
from .photo import MAX_ASPECT

MAX_BYTES = 20_000_000
MAX_PIXELS = 40_000_000
MAX_SIDE = 12_000
MAX_JPEG_PIXELS = 200_000_000  # in the file; a JPEG can be reduced while it is decoded
EXTENSIONS = ("png", "jpg", "jpeg", "jpe", "jfif", "webp", "avif", "bmp", "gif")
# Everything that Pillow's readers were seen to raise for broken files; none of it should reach a visitor.
_DECODER_ERRORS = (
    *(OSError, SyntaxError, ValueError, TypeError, IndexError, KeyError, OverflowError, struct.error),
    RuntimeError,
    Image.DecompressionBombError,
)
_REDUCTIONS = (1, 2, 4, 8)  # what a JPEG's decoder can do
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
    """The picture in a file of an accepted format: RGB and upright.

    The formats are PNG, JPEG, WebP, AVIF, BMP and GIF; of a film, it is the first frame.

    A JPEG of more pixels than may be decoded is reduced to a half, a quarter or an eighth on the way.

    Args:
        data: The file.
        longest_side: The most pixels on a side, for a frame from a camera.

    Raises:
        ImageError: anything else: another format, a damaged file, too many bytes, parts or pixels, or a
            picture that is too long and thin.

    >>> import io
    >>> lg.sample("cat").save(file := io.BytesIO(), "png")
    >>> lg.read_image(file.getvalue()).size == lg.sample("cat").size
    True
    """
    header = _within_limits(read_header(_checked_bytes(data)))
    if longest_side is not None and max(header.width, header.height) > longest_side:
        raise ImageError("a frame has at most {most} pixels on a side: make it smaller", most=longest_side)
    picture = _flat(header)
    turn = _TURNS.get(header.orientation)
    return picture if turn is None else picture.transpose(turn)


def digest(data: bytes) -> str:
    """The SHA-256 of the bytes, in 64 hexadecimal digits.

    It is the name under which a picture is cached.
    """
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


def _within_limits(header: Header) -> Header:
    """The header, reduced if it has to be and can be.

    Raises:
        ImageError: the picture is too large all the same.
    """
    if header.format == "JPEG" and header.width * header.height <= MAX_JPEG_PIXELS:
        reduced = (header._replace(reduction=each) for each in _REDUCTIONS)
        header = next((each for each in reduced if _fits(*each.size)), header)
    check_size(*header.size, MAX_JPEG_PIXELS if header.format == "JPEG" else MAX_PIXELS)
    return header


def _fits(width: int, height: int) -> bool:
    return max(width, height) <= MAX_SIDE and width * height <= MAX_PIXELS


def check_size(width: int, height: int, most: int = MAX_PIXELS) -> None:
    """Refuse a picture whose size would take too much memory.

    It may do so now, or later when preprocessing enlarges it.

    Raises:
        ImageError: it has too many pixels, or none, or is too long and thin.
    """
    size = {"width": f"{width:,}", "height": f"{height:,}"}
    if min(width, height) < 1:
        raise ImageError("this picture has {width} by {height} pixels: there is nothing to see", **size)
    if max(width, height) > MAX_SIDE and width * height <= most:
        raise ImageError(
            "this picture has {width} by {height} pixels, and at most {most} on a side are read: "
            "make it smaller",
            most=f"{MAX_SIDE:,}",
            **size,
        )
    if width * height > most:
        raise ImageError(
            "this picture has {width} by {height} pixels, and at most {most} million in all are read: "
            "make it smaller",
            most=f"{most / 1e6:.0f}",
            **size,
        )
    if max(width, height) > MAX_ASPECT * min(width, height):
        raise ImageError(
            "this picture has {width} by {height} pixels, more than {most} times as long as wide: "
            "crop it to a part that matters",
            most=MAX_ASPECT,
            **size,
        )


def _flat(header: Header) -> Image.Image:
    """The picture in RGB on white, not yet upright."""
    try:
        return flat_picture(_decoded(header), header.bits)
    except ImageError:
        raise
    except _DECODER_ERRORS as error:
        raise damaged(header.format) from error


def _decoded(header: Header) -> Image.Image:
    """The picture as stored, in whatever mode the file uses."""
    picture = _DECODERS.get(header.format, _open)(header)
    if picture.size != header.size:
        raise damaged(header.format)
    picture.load()
    return picture


def _open(header: Header) -> Image.Image:
    """The file, opened by Pillow and not yet decoded."""
    return Image.open(BytesIO(header.picture), formats=[header.format])


def _open_jpeg(header: Header) -> Image.Image:
    """The same for a JPEG, to be reduced while it is decoded.

    ``Image.open`` counts the pixels of the file, which are never all decoded; here the limits are ours.
    """
    picture = JpegImageFile(BytesIO(header.picture))
    if header.reduction > 1:
        picture.draft(None, (header.width // header.reduction, header.height // header.reduction))
    return picture


def _open_bitmap(header: Header) -> Image.Image:
    """The same for a bitmap, without runs."""
    plain = unpacked_bitmap(header.picture, header.width, header.height)
    return _open(header._replace(picture=plain))


def _first_webp_frame(header: Header) -> Image.Image:
    """The first frame of a WebP file, decoded without further copies.

    Pillow's own reader keeps three more of them.
    """
    decoder = _webp.WebPAnimDecoder(header.picture)
    mode, frame = decoder.get_info()[-1], decoder.get_next()
    del decoder  # this frees two canvases before more are made
    if frame is None or len(frame[0]) != 4 * header.width * header.height:
        raise damaged("WebP")
    return Image.frombuffer(mode, (header.width, header.height), frame[0], "raw", mode, 0, 1)


_DECODERS: dict[str, Callable[[Header], Image.Image]] = {
    "WEBP": _first_webp_frame,
    "BMP": _open_bitmap,
    "JPEG": _open_jpeg,
}
