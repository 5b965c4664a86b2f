"""The header of a WebP file: its size, chunks and camera orientation."""

import struct
from collections.abc import Iterator

from ..orientation import stated_in_exif, stated_in_xmp
from .header import Header, crowded, damaged

_STILL, _FRAME = (b"VP8 ", b"VP8L"), b"ANMF"
_PICTURE = (b"VP8X", b"ANIM", b"ALPH", *_STILL, _FRAME)
_HAS_ALPHA_OR_MOVES = 0x12
_MOST_CHUNKS = 20_000  # an animated picture has one for each frame


def read_webp(data: bytes) -> Header:
    """The header of a WebP file.

    Of an animated one, only the first frame is passed on.

    Raises:
        ImageError: it ends too early, or has more parts than a picture needs.

    Source: RFC 9649, sections 2.3 to 2.7 and 3.4; RFC 6386, section 9.1.
    """
    kept, camera = dict[bytes, bytes](), dict[bytes, bytes]()
    for name, start, end in _chunks(data):
        complete = _FRAME in kept or any(still in kept for still in _STILL)
        if name in _PICTURE and not complete:
            kept.setdefault(name, data[start:end])
        elif name in (b"EXIF", b"XMP "):
            camera.setdefault(name, data[start + 8 : end])
    orientation = stated_in_exif(camera.get(b"EXIF", b"")) or stated_in_xmp(camera.get(b"XMP ", b"")) or 1
    picture = _rebuilt(kept)
    return Header("WEBP", *_size(picture), picture, orientation)


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The name, the start and the end of each chunk.

    A chunk of odd length is padded to an even one.
    """
    stop, start, count = 8 + struct.unpack_from("<I", data, 4)[0], 12, 0
    if stop > len(data):
        raise damaged("WebP")
    while start + 8 <= stop:
        length: int = struct.unpack_from("<I", data, start + 4)[0]
        end, count = start + 8 + length + length % 2, count + 1
        if end > stop:
            raise damaged("WebP")
        if count > _MOST_CHUNKS:
            raise crowded("WebP")
        yield data[start : start + 4], start, end
        start = end


def _size(data: bytes) -> tuple[int, int]:
    """Width and height by the first chunk, as libwebp finds them.

    libwebp compares them with the picture.
    """
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        packed: int = struct.unpack_from("<I", data, 21)[0]
        return 1 + (packed & 0x3FFF), 1 + (packed >> 14 & 0x3FFF)
    if kind != b"VP8 ":
        raise damaged("WebP")
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _rebuilt(kept: dict[bytes, bytes]) -> bytes:
    """A file of these chunks, whose header no longer announces metadata."""
    extended = kept.get(b"VP8X")
    if extended:
        kept[b"VP8X"] = extended[:8] + bytes([extended[8] & _HAS_ALPHA_OR_MOVES]) + extended[9:]
    content = b"WEBP" + b"".join(kept.values())
    return b"RIFF" + struct.pack("<I", len(content)) + content
