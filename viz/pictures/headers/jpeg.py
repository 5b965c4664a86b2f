"""The header of a JPEG file: its size, segments and camera orientation."""

import math
import re
import struct
from collections.abc import Iterator

from ...errors import ImageError
from ..orientation import stated_in_exif, stated_in_xmp
from .header import Header, crowded, damaged

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE, _END, _SCAN, _TABLES, _CAMERA = 0x01, 0xD9, 0xDA, 0xDB, 0xE1
_PICTURE = _FRAMES | {0xC4, 0xCC, 0xDB, 0xDD, 0xE0, 0xEE, _SCAN, _END}
# Inside a scan, FF is followed by zero or a restart marker; anywhere, further FFs are padding.
_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
_MOST_SEGMENTS = 5_000  # cameras write a few dozen, and 64 kB each; a progressive file of 100 passes 600
_USUAL_SCANS, _MOST_SCANS = 20, 100
_MOST_PASSED = 800_000_000  # pixels in all passes; a pass takes the same time however little data it has
_MOST_HELD = 400_000_000  # bytes of all the numbers of a picture in several passes, which a decoder holds
_LONGEST_TABLES = 2 + 4 * 129  # four tables, each of a byte and 64 numbers of 16 bits
_FILLING = b"\xff" * 1000  # a decoder keeps all that it has read while it waits for such padding to end
_XMP = b"http://ns.adobe.com/xap/1.0/\0"


def read_jpeg(data: bytes) -> Header:
    """The header of a JPEG file.

    Raises:
        ImageError: it has no size, or two, or more passes or parts than a picture needs.

    Source: ITU-T T.81, annex B; Exif 2.32, section 4.5.4; XMP specification, part 3, section 1.1.3.
    """
    size, held, kept, scans, stated = None, 0, [data[:2]], 0, _StatedOrientation()
    for marker, start, end in _segments(data):
        if marker in _FRAMES:
            if size is not None:
                raise damaged("JPEG")
            height, width = struct.unpack_from(">HH", data, start + 5)
            size, held = (width, height), _held(data, start)
        if marker in _PICTURE:
            kept.append(data[start:end])
            scans += marker == _SCAN
        elif marker == _CAMERA:
            stated.read(data[start + 4 : end])
        if scans > _MOST_SCANS or (scans > _USUAL_SCANS and scans * math.prod(size or ()) > _MOST_PASSED):
            raise ImageError("this JPEG file is made of far too many passes: save it again as a plain JPEG")
        if scans > 1 and held > _MOST_HELD:
            raise ImageError("this JPEG file in several passes is too large: save it again as a plain JPEG")
    if size is None:
        raise damaged("JPEG")
    return Header("JPEG", *size, b"".join(kept), stated.orientation)


def _held(data: bytes, frame: int) -> int:
    """The bytes of all numbers of a picture, two for each.

    Each colour has its own values.
    """
    height, width, colours = struct.unpack_from(">HHB", data, frame + 5)
    steps = [divmod(each, 16) for each in data[frame + 11 : frame + 10 + 3 * colours : 3]]
    largest = max((across for across, _ in steps), default=1) * max((down for _, down in steps), default=1)
    values: int = width * height * sum(across * down for across, down in steps)
    return 2 * values // max(largest, 1)


class _StatedOrientation:
    """The camera's orientation by the first Exif segment, or else XMP."""

    def __init__(self) -> None:
        self._exif: bytes | None = None
        self._xmp: bytes | None = None

    def read(self, segment: bytes) -> None:
        """Note one application segment, if it holds Exif or XMP."""
        if self._exif is None and segment.startswith(b"Exif\0\0"):
            self._exif = segment
        elif self._xmp is None and segment.startswith(_XMP):
            self._xmp = segment.removeprefix(_XMP)

    @property
    def orientation(self) -> int:
        """1 (upright) to 8."""
        return stated_in_exif(self._exif or b"") or stated_in_xmp(self._xmp or b"") or 1


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """The marker, start and end of each of the picture's segments.

    A scan includes its data.
    """
    found, marker, count = _MARKER.search(data, 2), 0, 0
    while found and marker != _END:
        start, count = found.start(), count + 1
        marker, end = data[start + 1], start + 2
        if marker not in (_END, _BARE):
            end += struct.unpack_from(">H", data, end)[0]
        if count > _MOST_SEGMENTS or (marker == _TABLES and end - start - 2 > _LONGEST_TABLES):
            raise crowded("JPEG")
        found = _MARKER.search(data, end)
        if marker == _SCAN:
            end = found.start() if found else len(data)
            if data.find(_FILLING, start, end) >= 0:
                raise crowded("JPEG")
        yield marker, start, end
