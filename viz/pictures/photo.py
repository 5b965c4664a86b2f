"""A picture with its content address, and a part of it."""

import hashlib
import re
from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image

from ..errors import RequestError

MAX_ASPECT = 50  # preprocessing makes the short side long, and the long side longer
_CROP = re.compile(r"(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})", re.ASCII)
_EXAMPLE = "40,0,200,200"
_LONGEST_SAID = 40


class Crop(NamedTuple):
    """A part of a picture, in its pixels."""

    left: int
    top: int
    width: int
    height: int

    @property
    def box(self) -> tuple[int, int, int, int]:
        """(left, top, right, bottom), as Pillow has it."""
        return self.left, self.top, self.left + self.width, self.top + self.height

    def __str__(self) -> str:
        """Return what ``crop_from`` reads."""
        return ",".join(map(str, self))


@dataclass(frozen=True)
class Photo:
    """A picture with its content address, so that it is hashed once.

    Attributes:
        crop: which part of ``whole`` it is; None for a picture that is nobody's part.
        whole: the picture that it was cut out of.
    """

    fingerprint: str
    image: Image.Image
    crop: Crop | None = None
    whole: "Photo | None" = None

    @property
    def original(self) -> "Photo":
        """The whole picture that it was cut out of, or itself."""
        return self.whole or self


def photograph(image: Image.Image, pixels: bytes | bytearray | None = None) -> Photo:
    """The picture with its address: SHA-256 of mode, size and pixels.

    ``pixels`` are the picture's own bytes, if the caller has them already.
    """
    address = hashlib.sha256(f"{image.mode} {image.width}x{image.height} ".encode())
    address.update(image.tobytes() if pixels is None else pixels)
    return Photo(address.hexdigest(), image)


def cropped(photo: Photo, text: str) -> Photo:
    """The part of a whole picture that a text gives.

    It is named after the whole and the text together.

    A part that is everything is the picture itself.

    Raises:
        RequestError: there is no such part; see ``crop_from``.
    """
    crop = crop_from(text, photo.image.size)
    if crop.box == (0, 0, *photo.image.size):
        return photo
    address = hashlib.sha256(f"{photo.fingerprint} {crop}".encode()).hexdigest()
    return Photo(address, photo.image.crop(crop.box), crop, photo)


def crop_from(text: str, size: tuple[int, int]) -> Crop:
    """The part of a picture, by a text such as ``40,0,200,200``.

    The picture's size is (width, height).

    Raises:
        RequestError: the text says something else, or a part that is not in the picture, or too narrow a one.
    """
    found = _CROP.fullmatch(text)
    if found is None:
        raise RequestError(
            "A crop is four whole numbers of pixels, left,top,width,height, such as {example}, not {text}.",
            example=_EXAMPLE,
            text=repr("".join(filter(str.isprintable, text))[:_LONGEST_SAID]),
        )
    crop = Crop(*map(int, found.groups()))
    width, height = size
    if not (0 < crop.width <= width - crop.left and 0 < crop.height <= height - crop.top):
        raise RequestError(
            "The crop {crop} (left,top,width,height) is not in this picture of {width} × {height} pixels.",
            crop=str(crop),
            width=width,
            height=height,
        )
    if max(crop.width, crop.height) > MAX_ASPECT * min(crop.width, crop.height):
        raise RequestError(
            "The crop {crop} is more than {most} times as long as wide: choose a part less narrow.",
            crop=str(crop),
            most=MAX_ASPECT,
        )
    return crop
