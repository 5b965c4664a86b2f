"""Format and size of a picture file, read without decoding it.

The size is known before a decoder sees the file, and the decoder gets only the picture itself: thumbnails,
texts, colour profiles and further frames are left out, along with their bombs and their warnings. The
camera's orientation is read here and kept. A file of very many parts is refused: each of them costs time,
and a picture needs few.
"""

import struct
from collections.abc import Callable

from ...errors import ImageError
from ...sentences import Sentence
from ..orientation import exif_orientation
from .avif import can_read_avif, is_avif, is_heic, read_avif
from .gif import read_gif
from .header import Header, damaged
from .jpeg import read_jpeg
from .png import read_png
from .webp import read_webp

__all__ = [
    "ACCEPTED",
    "MAGIC",
    "Header",
    "begins_like_a_picture",
    "damaged",
    "exif_orientation",
    "read_header",
]

MAGIC = 16  # bytes that show whether a file is a picture

ACCEPTED = Sentence("PNG, JPEG, WebP, AVIF, BMP or GIF")
_OTHER_FORMATS = (
    (b"II*\0", Sentence("a TIFF file")),
    (b"MM\0*", Sentence("a TIFF file")),
    (b"%PDF", Sentence("a PDF document")),
    (b"PK\x03\x04", Sentence("a ZIP archive or an office document")),
    (b"8BPS", Sentence("a Photoshop file")),
    (b"\xff\x0a", Sentence("a JPEG XL file")),
    (b"\0\0\0\x0cJXL ", Sentence("a JPEG XL file")),
    (b"\0\0\0\x0cjP  ", Sentence("a JPEG 2000 file")),
    (b"\0\0\x01\0", Sentence("an icon")),
    (b"<", Sentence("an SVG drawing or a web page")),
)


def read_header(data: bytes) -> Header:
    """The header of a picture file.

    Raises:
        ImageError: the file has another format, ends too early or contradicts itself.
    """
    if is_avif(data) and can_read_avif():
        return read_avif(data)
    for signature, name, reader in _READERS:
        if data.startswith(signature) and (name != "WebP" or data[8:12] == b"WEBP"):
            try:
                return reader(data)
            except (struct.error, IndexError) as error:
                raise damaged(name) from error
    raise ImageError(
        "this is {kind}, not a picture that can be read: use {formats}",
        kind=_other_format(data),
        formats=ACCEPTED,
    )


def begins_like_a_picture(beginning: bytes) -> bool:
    """Check whether a file's first ``MAGIC`` bytes are like a picture's.

    The picture may be of a format that is read, or in a container as AVIF and HEIC are.
    """
    return beginning.startswith(tuple(each[0] for each in _READERS)) or beginning[4:8] == b"ftyp"


def _bmp(data: bytes) -> Header:
    """Source: Microsoft, BITMAPCOREHEADER and BITMAPINFOHEADER."""
    old = struct.unpack_from("<I", data, 14)[0] == 12  # noqa: PLR2004 - the length of a BITMAPCOREHEADER
    width, height = struct.unpack_from("<HH" if old else "<ii", data, 18)
    return Header("BMP", width, abs(height), data)


def _other_format(data: bytes) -> str:
    """Name the likely kind of a file that is not accepted."""
    if data[4:8] == b"ftyp":
        return _of_boxes(data)
    start = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n")
    for signature, words in _OTHER_FORMATS:
        if start.startswith(signature) or data.startswith(signature):
            return words
    try:
        printable = (
            start.decode("utf-8").replace("\n", " ").replace("\r", " ").replace("\t", " ").isprintable()
        )
    except UnicodeDecodeError:
        printable = False
    return Sentence("a text file") if printable else Sentence("a file of an unknown kind")


def _of_boxes(data: bytes) -> str:
    """Name the kind of an ISO file: AVIF, HEIC or video."""
    if is_avif(data):
        return Sentence("an AVIF file")
    return Sentence("a HEIC photo") if is_heic(data) else Sentence("a video")


_READERS: tuple[tuple[bytes, str, Callable[[bytes], Header]], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG", read_png),
    (b"\xff\xd8\xff", "JPEG", read_jpeg),
    (b"RIFF", "WebP", read_webp),
    (b"BM", "BMP", _bmp),
    (b"GIF87a", "GIF", read_gif),
    (b"GIF89a", "GIF", read_gif),
)
