"""Pictures and files that are not in the project: the tests make them, some of them bad."""

import io
import struct
import zlib

import numpy as np
from PIL import Image


def photo(seed: int, size: tuple[int, int] = (320, 240)) -> Image.Image:
    """A smooth random scene, (width, height), unlike any other seed's."""
    coarse = np.random.default_rng(seed).integers(0, 256, (7, 9, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


def jpeg(picture: Image.Image) -> bytes:
    """The picture as a JPEG file."""
    return _file(picture, "JPEG", quality=90)


def png(picture: Image.Image) -> bytes:
    """The picture as a PNG file."""
    return _file(picture, "PNG")


def enormous_png(side: int = 9000) -> bytes:
    """A black-and-white PNG of ``side``² pixels in about ten kilobytes, written without decoding anything."""
    row = b"\0" + bytes((side + 7) // 8)
    packer = zlib.compressobj(9)
    pixels = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _file(picture: Image.Image, form: str, **options: int) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()
