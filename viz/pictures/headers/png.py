"""The header of a PNG file: its size, chunks and camera orientation."""

import struct
import zlib
from collections.abc import Iterator

from ..orientation import stated_in_exif, stated_in_png_text
from .header import Header, crowded, damaged

# Before the pixels, and how many bytes each can need; Pillow stumbles over more.
_LONGEST = {b"IHDR": 13, b"PLTE": 3 * 256, b"tRNS": 256}
_CAMERA = b"eXIf"
_SPEAKERS = (_CAMERA, b"zTXt", b"tEXt", b"iTXt")  # may say how the camera was held, most reliable first
_MOST_CHUNKS = (
    100_000  # common writers fill at least 256 bytes; a file of 20 MB has fewer than 80,000 of those
)
_MOST_SPEAKERS = 30


def read_png(data: bytes) -> Header:
    """The header of a PNG file.

    Its pixels are passed on in one chunk, however many the file has.

    Raises:
        ImageError: it ends too early, or has more parts than a picture needs.

    Source: PNG specification, third edition, sections 5 and 11.
    """
    if data[12:16] != b"IHDR":
        raise damaged("PNG")
    width, height, bits = struct.unpack_from(">IIB", data, 16)
    before, pixels, camera = dict[bytes, bytes](), list[memoryview](), list[tuple[bytes, bytes]]()
    with memoryview(data) as view:
        for name, start, end in _chunks(data):
            if name == b"IDAT":
                pixels.append(view[start + 8 : end - 4])
            elif name in _LONGEST and not pixels:
                before.setdefault(name, _chunk(name, data[start + 8 : end - 4][: _LONGEST[name]]))
            elif name in _SPEAKERS and len(camera) < _MOST_SPEAKERS:
                camera.append((name, data[start + 8 : end - 4]))
        joined = b"".join(pixels)
        pixels.clear()
    picture = b"".join([data[:8], *before.values(), _chunk(b"IDAT", joined), _chunk(b"IEND", b"")])
    return Header("PNG", width, height, picture, _orientation(camera), bits)


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The name, the start and the end of each chunk, to ``IEND``.

    That may be missing behind pixels; the decoder knows if they are whole.
    """
    start, name, count, read_length = 8, b"", 0, struct.Struct(">I").unpack_from
    seen = False
    while name != b"IEND" and not (seen and start == len(data)):
        end = start + 12 + read_length(data, start)[0]
        name, count = data[start + 4 : start + 8], count + 1
        seen = seen or name == b"IDAT"
        if end > len(data):
            raise damaged("PNG")
        if count > _MOST_CHUNKS:
            raise crowded("PNG")
        yield name, start, end
        start = end


def _chunk(name: bytes, content: bytes) -> bytes:
    """A chunk with its length and its checksum."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _orientation(camera: list[tuple[bytes, bytes]]) -> int:
    """Return the camera's orientation by the most reliable chunk that states it."""
    for name, content in sorted(camera, key=lambda chunk: _SPEAKERS.index(chunk[0])):
        stated = stated_in_exif(content) if name == _CAMERA else stated_in_png_text(name, content)
        if stated is not None:
            return stated
    return 1
