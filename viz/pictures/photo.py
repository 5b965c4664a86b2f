"""A picture with its content address."""

import hashlib
from dataclasses import dataclass

from PIL import Image


@dataclass(frozen=True)
class Photo:
    """A picture with its content address, so that it is hashed once."""

    fingerprint: str
    image: Image.Image


def photograph(image: Image.Image, pixels: bytes | bytearray | None = None) -> Photo:
    """The picture with its address: SHA-256 of mode, size and pixels.

    ``pixels`` are the picture's own bytes, if the caller has them already.
    """
    address = hashlib.sha256(f"{image.mode} {image.width}x{image.height} ".encode())
    address.update(image.tobytes() if pixels is None else pixels)
    return Photo(address.hexdigest(), image)
