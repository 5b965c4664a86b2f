"""A camera's orientation, from a file's metadata.

The metadata may be Exif, XMP or ImageMagick's raw profiles.

If several state it, Exif comes first, as in Pillow's ``exif_transpose``. All readers look at a bounded part
of their input, because a stranger chose its length.
"""

import re
import struct
import zlib

_TAG = 0x0112
_MOST_TEXT = 1_000_000
_XMP_NAME = b"XML:com.adobe.xmp\0"
_RAW_EXIF = (b"Raw profile type exif\0", b"Raw profile type APP1\0")
_RAW_XMP = b"Raw profile type xmp\0"
# As an attribute, tiff:Orientation="6", or as an element, <tiff:Orientation>6</tiff:Orientation>.
_XMP_TAG = re.compile(rb"""tiff:Orientation(?:\s{0,9}=\s{0,9}["']|\s{0,9}>\s{0,9})([1-8])\s{0,9}["'<]""")


def exif_orientation(exif: bytes) -> int:
    """Return a camera's orientation, 1 (upright) to 8.

    It is 1 if the metadata lacks it, or is damaged.

    Source: Exif 2.32, sections 4.5.2 and 4.6.4.A; TIFF 6.0, section 2.
    """
    return stated_in_exif(exif) or 1


def stated_in_exif(exif: bytes) -> int | None:
    """Return the orientation in Exif metadata, 1 to 8; None without one.

    With None, another place can be tried.
    """
    tiff = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return None
    try:
        start: int = struct.unpack_from(order + "I", tiff, 4)[0]
        count: int = struct.unpack_from(order + "H", tiff, start)[0]
        for place in range(start + 2, start + 2 + 12 * count, 12):
            tag, _, _, value = struct.unpack_from(order + "HHIH", tiff, place)
            if tag == _TAG:
                return value if value in range(1, 9) else 1
    except struct.error:
        pass
    return None


def stated_in_xmp(xmp: bytes) -> int | None:
    """Return the orientation in an XMP packet; None if it has none.

    Source: XMP specification, part 2, section 3.6 (the tiff namespace); part 1, section 7.
    """
    found = _XMP_TAG.search(xmp, 0, _MOST_TEXT)
    return int(found[1]) if found else None


def stated_in_png_text(kind: bytes, text: bytes) -> int | None:
    """Return the orientation in a PNG's text chunk.

    It is None if the chunk has none, or is about something else.

    Source: XMP specification, part 3, section 1.1.5; PNG specification, third edition, section 11.3.3.
    """
    if kind == b"iTXt":
        return stated_in_xmp(_international(text)) if text.startswith(_XMP_NAME) else None
    name, packed = text[: text.find(b"\0") + 1], kind == b"zTXt"
    if name not in (*_RAW_EXIF, _RAW_XMP):
        return None
    value = text[len(name) :]
    profile = _raw_profile(_unpacked(value[1:]) if packed else value[:_MOST_TEXT])
    return stated_in_xmp(profile) if name == _RAW_XMP else stated_in_exif(profile)


def _international(text: bytes) -> bytes:
    """The text itself in an iTXt chunk.

    Its name, language and translated name come before it.
    """
    packed = text[len(_XMP_NAME) : len(_XMP_NAME) + 1] == b"\1"
    *_, value = text[len(_XMP_NAME) + 2 :].split(b"\0", 2)
    return _unpacked(value) if packed else value


def _raw_profile(text: bytes) -> bytes:
    """The bytes of ImageMagick's raw profile.

    It is an empty line, its name, its length, and hexadecimal digits.
    """
    try:
        return bytes.fromhex(b"".join(text.split(b"\n", 3)[3:]).decode("ascii"))
    except ValueError:
        return b""


def _unpacked(packed: bytes) -> bytes:
    """Decompress a zlib stream up to a limit.

    A damaged one gives nothing.
    """
    try:
        return zlib.decompressobj().decompress(packed, _MOST_TEXT)
    except zlib.error:
        return b""
