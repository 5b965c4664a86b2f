"""The header of a GIF file: its size and first frame."""

import struct

from .header import Header, crowded, damaged

_EXTENSION, _FRAME, _CONTROL = 0x21, 0x2C, 0xF9
_MOST_BLOCKS = 100_000  # usually of 255 bytes; texts that Adobe's programs write have a few hundred
_CONTROL_LENGTH, _SEE_THROUGH = 4, 1


def read_gif(data: bytes) -> Header:
    """The header of a GIF file.

    Its size is one that holds the screen and the first frame.

    What comes before the frame is left out, except which of its colours is transparent.

    Raises:
        ImageError: there is no frame, or more parts come before it than a picture needs.

    Source: GIF89a specification, sections 18 to 23.
    """
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    screen_end = 13 + (3 << 1 + (flags & 7) if flags & 0x80 else 0)
    position, transparent = _before_frame(data, screen_end)
    if data[position] != _FRAME:
        if width or height:
            raise damaged("GIF")
        return Header("GIF", 0, 0, b"")  # reported as an empty screen, which says more than a damaged file
    left, top, across, down = struct.unpack_from("<HHHH", data, position + 1)
    control = b"" if transparent is None else bytes([_EXTENSION, _CONTROL, 4, 1, 0, 0, transparent, 0])
    picture = b"".join([data[:screen_end], control, memoryview(data)[position:]])
    return Header("GIF", max(width, left + across), max(height, top + down), picture)


def _before_frame(data: bytes, position: int) -> tuple[int, int | None]:
    """Return the first frame's position, and its transparent colour's index if any."""
    transparent, count = None, 0
    while data[position] == _EXTENSION:
        block = data[position + 3 : position + 3 + data[position + 2]]
        if data[position + 1] == _CONTROL and len(block) >= _CONTROL_LENGTH and block[0] & _SEE_THROUGH:
            transparent = block[3]
        position, count = position + 2, count + 1
        while data[position] and count <= _MOST_BLOCKS:
            position, count = position + 1 + data[position], count + 1
        if count > _MOST_BLOCKS:
            raise crowded("GIF")
        position += 1
    return position, transparent
