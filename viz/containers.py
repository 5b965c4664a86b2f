"""What a picture file says about itself, read without decoding it.

The size is known before a decoder sees the file, and what a decoder gets holds the picture alone:
thumbnails, texts, colour profiles and animations of PNG and JPEG files are left out, and with them their
bombs and their warnings. Kept is how the camera was held, which is read here.
"""

import re
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from viz.errors import ImageError

ACCEPTED = "PNG, JPEG, WebP, BMP or GIF"
_PNG_PICTURE = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE, _JPEG_END, _JPEG_SCAN, _JPEG_CAMERA = 0x01, 0xD9, 0xDA, 0xE1
_JPEG_PICTURE = _JPEG_FRAMES | {0xC4, 0xCC, 0xDB, 0xDD, 0xE0, 0xEE, _JPEG_SCAN, _JPEG_END}
# Inside a scan, FF is followed by zero or a restart marker; anywhere, more FFs are filling.
_JPEG_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
_MOST_SCANS = 100
_ORIENTATION_TAG = 0x0112
_OTHER_FORMATS = (
    (b"II*\0", "a TIFF file"),
    (b"MM\0*", "a TIFF file"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"8BPS", "a Photoshop file"),
    (b"\xff\x0a", "a JPEG XL file"),
    (b"\0\0\0\x0cJXL ", "a JPEG XL file"),
    (b"\0\0\0\x0cjP  ", "a JPEG 2000 file"),
    (b"\0\0\x01\0", "an icon"),
    (b"<", "an SVG drawing or a web page"),
)


class Header(NamedTuple):
    """A picture's format and size in pixels as stored, and the bytes that hold it."""

    format: str
    width: int
    height: int
    picture: bytes
    orientation: int = 1
    bits: int = 8


def read_header(data: bytes) -> Header:
    """The header of a picture file.

    Raises:
        ImageError: the file has another format, ends too early or contradicts itself.
    """
    for signature, name, reader in _READERS:
        if data.startswith(signature) and (name != "WebP" or data[8:12] == b"WEBP"):
            try:
                return reader(data)
            except (struct.error, IndexError) as error:
                raise damaged(name) from error
    raise ImageError(f"this is {_other_format(data)}, not a picture that can be read: use {ACCEPTED}")


def damaged(name: str) -> ImageError:
    """The error for a file whose picture cannot be recovered."""
    kind = "WebP" if name == "WEBP" else name
    return ImageError(
        f"this {kind} file is damaged or incomplete: save or download it again, or use another one"
    )


def exif_orientation(exif: bytes) -> int:
    """How a camera was held, 1 (upright) to 8; 1 where the metadata does not say, or is damaged.

    Source: Exif 2.32, sections 4.5.2 and 4.6.4.A; TIFF 6.0, section 2.
    """
    tiff = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        start: int = struct.unpack_from(order + "I", tiff, 4)[0]
        count: int = struct.unpack_from(order + "H", tiff, start)[0]
        entries = [struct.unpack_from(order + "HHIH", tiff, start + 2 + 12 * i) for i in range(count)]
    except struct.error:
        return 1
    found = next((value for tag, _, _, value in entries if tag == _ORIENTATION_TAG), 1)
    return found if found in range(1, 9) else 1


def _png(data: bytes) -> Header:
    """Source: PNG specification, third edition, sections 5 and 11."""
    width, height, bits = struct.unpack_from(">IIB", data, 16)
    kept, orientation = [data[:8]], 1
    for name, start, end in _png_chunks(data):
        if name in _PNG_PICTURE:
            kept.append(data[start:end])
        elif name == b"eXIf":
            orientation = exif_orientation(data[start + 8 : end - 4])
    return Header("PNG", width, height, b"".join(kept), orientation, bits)


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The name, the start and the end of each chunk up to the last one that belongs to the picture."""
    start, name = 8, b""
    while name != b"IEND":
        length: int = struct.unpack_from(">I", data, start)[0]
        name, end = data[start + 4 : start + 8], start + 12 + length
        if end > len(data):
            raise damaged("PNG")
        yield name, start, end
        start = end


def _jpeg(data: bytes) -> Header:
    """Source: ITU-T T.81, annex B; Exif 2.32, section 4.5.4."""
    size, kept, orientation, scans = None, [data[:2]], 1, 0
    for marker, start, end in _jpeg_segments(data):
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, start + 5)
            size = width, height
        if marker in _JPEG_PICTURE:
            kept.append(data[start:end])
            scans += marker == _JPEG_SCAN
        elif marker == _JPEG_CAMERA and data.startswith(b"Exif\0\0", start + 4):
            orientation = exif_orientation(data[start + 4 : end])
    if size is None:
        raise damaged("JPEG")
    if scans > _MOST_SCANS:
        raise ImageError("this JPEG file is made of far too many passes: save it again as a plain JPEG")
    return Header("JPEG", *size, b"".join(kept), orientation)


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """The marker, start and end of each segment, of a scan with its data, up to the end of the picture."""
    found, marker = _JPEG_MARKER.search(data, 2), 0
    while found and marker != _JPEG_END:
        start = found.start()
        marker, end = data[start + 1], start + 2
        if marker not in (_JPEG_END, _JPEG_BARE):
            end += struct.unpack_from(">H", data, end)[0]
        found = _JPEG_MARKER.search(data, end)
        if marker == _JPEG_SCAN:
            end = found.start() if found else len(data)
        yield marker, start, end


def _webp(data: bytes) -> Header:
    """Source: RFC 9649, sections 2.3 to 2.7 and 3.4; RFC 6386, section 9.1."""
    kind = data[12:16]
    if kind == b"VP8X":
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
    elif kind == b"VP8L":
        packed: int = struct.unpack_from("<I", data, 21)[0]
        width, height = 1 + (packed & 0x3FFF), 1 + (packed >> 14 & 0x3FFF)
    else:
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    return Header("WEBP", width, height, data, _webp_orientation(data))


def _webp_orientation(data: bytes) -> int:
    """The orientation in a WebP file's EXIF chunk; 1 where there is none."""
    start = 12
    while start + 8 <= len(data):
        length: int = struct.unpack_from("<I", data, start + 4)[0]
        if data[start : start + 4] == b"EXIF":
            return exif_orientation(data[start + 8 : start + 8 + length])
        start += 8 + length + length % 2
    return 1


def _bmp(data: bytes) -> Header:
    """Source: Microsoft, BITMAPCOREHEADER and BITMAPINFOHEADER."""
    old = struct.unpack_from("<I", data, 14)[0] == 12  # noqa: PLR2004 - the length of a BITMAPCOREHEADER
    width, height = struct.unpack_from("<HH" if old else "<ii", data, 18)
    return Header("BMP", width, abs(height), data)


def _gif(data: bytes) -> Header:
    """The size that holds the screen and the first frame. Source: GIF89a specification, sections 18 to 20."""
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    position = 13 + (3 << 1 + (flags & 7) if flags & 0x80 else 0)
    while data[position] == 0x21:  # noqa: PLR2004 - extensions before the first frame
        position += 2
        while data[position]:
            position += 1 + data[position]
        position += 1
    left, top, across, down = struct.unpack_from("<HHHH", data, position + 1)
    return Header("GIF", max(width, left + across), max(height, top + down), data)


def _other_format(data: bytes) -> str:
    """What a file seems to be that has none of the accepted formats, in words."""
    if data[4:8] == b"ftyp":
        return "an AVIF file" if data[8:12] == b"avif" else "a HEIC photo or a video"
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
    return "a text" if printable else "a file of an unknown kind"


_READERS: tuple[tuple[bytes, str, Callable[[bytes], Header]], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG", _png),
    (b"\xff\xd8\xff", "JPEG", _jpeg),
    (b"RIFF", "WebP", _webp),
    (b"BM", "BMP", _bmp),
    (b"GIF87a", "GIF", _gif),
    (b"GIF89a", "GIF", _gif),
)
