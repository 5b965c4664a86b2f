"""The header of an AVIF file, and recognition of AVIF and HEIC."""

import struct
from io import BytesIO

from PIL import features

from ..orientation import exif_orientation
from .header import Header, damaged

_BOX, _MOST_BRANDS = b"ftyp", 64
_AVIF = (b"avif", b"avis")
_HEIC = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


def is_avif(data: bytes) -> bool:
    """Check whether a file is AVIF."""
    return not _brands(data).isdisjoint(_AVIF)


def can_read_avif() -> bool:
    """Check whether this Pillow has a decoder for AVIF."""
    return bool(features.check("avif"))


def is_heic(data: bytes) -> bool:
    """Check whether a file is a HEIC photo, as phones write it."""
    return not _brands(data).isdisjoint(_HEIC)


def read_avif(data: bytes) -> Header:
    """The header of an AVIF file; nothing is decoded.

    Raises:
        ImageError: it ends too early or contradicts itself.
    """
    from PIL.AvifImagePlugin import AvifImageFile  # noqa: PLC0415 - only where Pillow has the decoder

    try:
        with AvifImageFile(BytesIO(data)) as picture:
            return Header("AVIF", *picture.size, data, exif_orientation(picture.info.get("exif", b"")))
    except (OSError, SyntaxError, RuntimeError, ValueError, OverflowError) as error:
        raise damaged("AVIF") from error


def _brands(data: bytes) -> set[bytes]:
    """The kinds that a file states, the first being its own.

    It can be read as each of them.

    Source: ISO/IEC 14496-12, section 4.3.
    """
    if data[4:8] != _BOX:
        return set()
    end = min(len(data), struct.unpack_from(">I", data)[0], 16 + 4 * _MOST_BRANDS)
    return {data[8:12], *(data[start : start + 4] for start in range(16, end, 4))}
