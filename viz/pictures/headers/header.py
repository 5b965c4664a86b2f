"""A picture file's header, and the errors for untrustworthy files.

The header is known before decoding.
"""

from typing import NamedTuple

from ...errors import ImageError


class Header(NamedTuple):
    """A picture's format, its stored size in pixels, and its bytes.

    Decoded, it has a pixel for each square of ``reduction`` by ``reduction`` stored ones.
    """

    format: str
    width: int
    height: int
    picture: bytes
    orientation: int = 1
    bits: int = 8
    reduction: int = 1

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels once it is decoded."""
        return -(-self.width // self.reduction), -(-self.height // self.reduction)


def damaged(name: str) -> ImageError:
    """The error for a file whose picture cannot be recovered."""
    return ImageError(
        "this {format} file is damaged or incomplete: save or download it again, or use another one",
        format=_shown(name),
    )


def crowded(name: str) -> ImageError:
    """The error for a file with far too many parts.

    Just their number would cost time and memory.
    """
    return ImageError(
        "this {format} file is made of far too many parts: save it again with another program",
        format=_shown(name),
    )


def _shown(name: str) -> str:
    """The name of a format as people write it."""
    return "WebP" if name == "WEBP" else name
