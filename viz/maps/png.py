"""Colour codes → PNG files, written for speed.

They have no row filter, and are compressed by ISA-L. Files of equal pictures can differ: what it compresses
to depends on memory that it has not set (https://github.com/intel/isa-l/issues/140).
"""

import struct

import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEADED = len(_SIGNATURE) + 12 + 13  # bytes up to the end of the first chunk
_TRUECOLOUR_ALPHA, _PALETTE = 6, 3
_LEVEL = 2  # of 0 to 3: the smallest files, and in a fifth of the time of zlib's run lengths


def palette_png(rows: NDArray[np.unsignedinteger], colours: NDArray[np.uint8]) -> bytes:
    """A PNG of palette indices.

    ``rows`` (height, 1 + width): a zero, which names the row filter "none", then one index per pixel.
    ``colours`` (at most 256, 4): the RGBA palette.
    """
    height, width = rows.shape[0], rows.shape[1] - 1
    chunks = [_header(width, height, _PALETTE), _chunk(b"PLTE", colours[:, :3].tobytes())]
    see_through = np.flatnonzero(colours[:, 3] < 255)  # noqa: PLR2004 - the alpha of an opaque colour
    if see_through.size:
        chunks.append(_chunk(b"tRNS", colours[: see_through[-1] + 1, 3].tobytes()))
    return _file(chunks, rows)


def rgba_png(codes: NDArray[np.unsignedinteger], colours: NDArray[np.uint8]) -> bytes:
    """A PNG of more colours than a palette holds.

    ``codes`` (height, width) index ``colours`` (any, 4).
    """
    height, width = codes.shape
    rows: NDArray[np.uint8] = np.zeros((height, 1 + 4 * width), dtype=np.uint8)
    rows[:, 1:] = colours.take(codes, axis=0).reshape(height, 4 * width)
    return _file([_header(width, height, _TRUECOLOUR_ALPHA)], rows)


def with_text(png: bytes, keyword: str, text: bytes) -> bytes:
    """Return a PNG file with a compressed text behind its header.

    Source: PNG specification, third edition, section 11.3.3.3, iTXt.
    """
    head = keyword.encode() + b"\0\1\0\0\0"  # it is compressed, by zlib, in no language
    said = _chunk(b"iTXt", head + isal_zlib.compress(text, _LEVEL))
    return b"".join([png[:_HEADED], said, png[_HEADED:]])


def _file(chunks: list[bytes], rows: NDArray[np.unsignedinteger]) -> bytes:
    """The whole file around the compressed rows."""
    data = isal_zlib.compress(np.ascontiguousarray(rows).data, _LEVEL)
    return b"".join([_SIGNATURE, *chunks, _chunk(b"IDAT", data), _chunk(b"IEND", b"")])


def _header(width: int, height: int, colour_type: int) -> bytes:
    return _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0))


def _chunk(name: bytes, data: bytes) -> bytes:
    """Length, name, data and checksum. Source: PNG specification, third edition, section 5.3."""
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(name))
    return b"".join([struct.pack(">I", len(data)), name, data, struct.pack(">I", checksum)])
