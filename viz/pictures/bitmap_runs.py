"""Bitmaps packed in runs (RLE8, RLE4), unpacked into plain ones.

Pillow would do it pixel by pixel.
"""

import struct
from typing import Final

import numpy as np

from .headers.header import crowded, damaged

_CORE_HEADER = 12
_BITS = {1: 8, 2: 4}  # RLE8 and RLE4, as the header numbers them
_MOST_CODES = 3_000_000
_LINE_END, _PICTURE_END, _STEP = 0, 1, 2
# The longest run of every value: one colour repeated, or the two in a byte alternating.
_PATTERNS: Final = {
    8: [bytes([value]) * 255 for value in range(256)],
    4: [(bytes([value >> 4, value & 15]) * 128)[:255] for value in range(256)],
}
_FROM_HEXADECIMAL = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))


def unpacked_bitmap(data: bytes, width: int, height: int) -> bytes:
    """The BMP file with a byte for each pixel instead of runs.

    It is unchanged if it has no runs.

    Raises:
        ImageError: the runs do not fill the picture, or are more than a picture needs.

    Source: Microsoft, BITMAPINFOHEADER and Bitmap Compression.
    """
    start, size = struct.unpack_from("<II", data, 10)
    bits, compression = (0, 0) if size == _CORE_HEADER else struct.unpack_from("<HI", data, 28)
    if compression not in _BITS:
        return data
    if bits != _BITS[compression]:
        raise damaged("BMP")
    pixels = _unpacked(memoryview(data)[start:], width, height, bits)
    rows = np.zeros((height, width + -width % 4), np.uint8)
    rows[:, :width] = np.frombuffer(pixels, np.uint8, width * height).reshape(height, width)
    colours = struct.unpack_from("<I", data, 46)[0] or 1 << bits
    palette = data[14 + size : 14 + size + 4 * min(colours, 256)].ljust(1024, b"\0")
    head = bytearray(data[: 14 + size])
    struct.pack_into("<I", head, 10, len(head) + len(palette))
    struct.pack_into("<HI", head, 28, 8, 0)
    struct.pack_into("<I", head, 46, 256)
    return b"".join([head, palette, rows.data])


def _unpacked(data: memoryview, width: int, height: int, bits: int) -> bytearray:
    """A byte for each pixel, the lowest row first.

    A code is two bytes: a count and what is repeated, or zero and an escape.
    """
    pixels, total, column, place, patterns = bytearray(), width * height, 0, 0, _PATTERNS[bits]
    for _ in range(min(_MOST_CODES, 2 * total + 1000)):
        if len(pixels) >= total or place + 1 >= len(data):
            break
        count, value = data[place], data[place + 1]
        place += 2
        if count:
            run = patterns[value][: min(count, max(0, width - column))]
            pixels += run
            column += len(run)
        elif value == _LINE_END:
            pixels += bytes(-len(pixels) % width)
            column = 0
        elif value == _PICTURE_END:
            break
        elif value == _STEP:
            pixels += bytes(min(total - len(pixels), data[place] + data[place + 1] * width))
            column, place = len(pixels) % width, place + 2
        else:
            literal = _literal(data, place, value, bits)
            pixels += literal
            column, place = column + value, place + (value * bits + 15) // 16 * 2
    else:
        raise crowded("BMP")
    if len(pixels) < total:
        raise damaged("BMP")
    return pixels


def _literal(data: memoryview, place: int, count: int, bits: int) -> bytes | memoryview:
    """Pixels that are written one by one."""
    if bits == 8:  # noqa: PLR2004 - bits in a byte
        return data[place : place + count]
    return data[place : place + (count + 1) // 2].hex().encode().translate(_FROM_HEXADECIMAL)[:count]
