"""Inputs of other models than picture classifiers, from one picture.

They are a list, a clip or two frames. Each preparation prepares frames with a ``Preprocessing`` and arranges
them. A tuple stands for several positional arguments; everything else is one argument.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image

from ..preprocessing import Preprocessing, Window

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["ClipPreprocessing", "ListPreprocessing", "PairPreprocessing"]


@dataclass(frozen=True)
class ListPreprocessing:
    """A picture's preparation as a list of one tensor (3, H, W).

    Torchvision's detection models want it so.
    """

    frame: Preprocessing

    @property
    def crop(self) -> tuple[int, int]:
        """The (height, width) of the tensor."""
        return self.frame.crop

    def __call__(self, image: Image.Image) -> "list[Tensor]":
        """Return the model's one argument.

        Raises:
            PictureError: the picture has no pixels.
        """
        return [self.frame(image)[0]]

    def window(self, size: tuple[int, int]) -> Window:
        """Return the part of a picture that the model sees.

        ``size`` is the picture's (width, height).
        """
        return self.frame.window(size)

    def as_seen(self, images: "list[Tensor]") -> Image.Image:
        """Return the first picture of the list, the scaling undone."""
        return self.frame.as_seen(images[0][None])

    def describe(self) -> str:
        """Return the steps as one line of words."""
        return f"{self.frame.describe()}; the model itself resizes and normalises further"


@dataclass(frozen=True)
class ClipPreprocessing:
    """A picture's preparation as a clip (1, 3, T, H, W).

    It pans across the picture from left to right.

    Attributes:
        frame: what each frame goes through; its ``resize`` beyond its ``crop`` is the length of the pan.
        frames: their number T, at least 2.
    """

    frame: Preprocessing
    frames: int = 16

    @property
    def crop(self) -> tuple[int, int]:
        """The (height, width) of each frame."""
        return self.frame.crop

    def __call__(self, image: Image.Image) -> "Tensor":
        """Return the model's one argument.

        Raises:
            PictureError: the picture has no pixels.
        """
        from ..input_tensors import clip_of  # noqa: PLC0415  # PyTorch

        return clip_of(list(panned(image, self.frame, self.frames)))

    def window(self, size: tuple[int, int]) -> Window:
        """Return the part of a picture that the middle frame shows.

        ``size`` is the picture's (width, height).
        """
        return _window_of(self.frame, size, self.frames // 2, self.frames)

    def as_seen(self, clip: "Tensor") -> Image.Image:
        """Return the frame in the middle of the clip, the scaling undone."""
        return self.frame.as_seen(clip[:, :, clip.shape[2] // 2])

    def describe(self) -> str:
        """Return the steps as one line of words."""
        pan = self.frame.resize - self.frame.crop[1]
        made = f"a clip of {self.frames} frames made from the one picture, panning {pan} pixels to the right"
        return f"{self.frame.describe()}; {made}; the frame in the middle is shown"


@dataclass(frozen=True)
class PairPreprocessing:
    """A picture's preparation as two frames (1, 3, H, W) each.

    The second lies further to the right, for optical flow.

    Attributes:
        frame: what both frames go through; its ``resize`` beyond its ``crop`` is how far they are apart.
    """

    frame: Preprocessing

    @property
    def crop(self) -> tuple[int, int]:
        """The (height, width) of each frame."""
        return self.frame.crop

    def __call__(self, image: Image.Image) -> "tuple[Tensor, Tensor]":
        """Return the model's two arguments.

        Raises:
            PictureError: the picture has no pixels.
        """
        first, second = panned(image, self.frame, 2)
        return first, second

    def window(self, size: tuple[int, int]) -> Window:
        """Return the part of a picture that the first frame shows.

        ``size`` is the picture's (width, height).
        """
        return _window_of(self.frame, size, 0, 2)

    def as_seen(self, frames: "tuple[Tensor, Tensor]") -> Image.Image:
        """Return the first frame, the scaling undone."""
        return self.frame.as_seen(frames[0])

    def describe(self) -> str:
        """Return the steps as one line of words."""
        apart = self.frame.resize - self.frame.crop[1]
        made = f"two frames are cut from the one picture, the second {apart} pixels further to the right"
        return f"{self.frame.describe()}; {made}; the first one is shown"


def panned(image: Image.Image, frame: Preprocessing, frames: int) -> "Iterator[Tensor]":
    """Yield frames (1, 3, H, W) panned across the picture's middle square.

    There are at least 2, from its left end to its right.
    """
    square = _square(frame).cropped(image)
    height, width = frame.crop
    still = Preprocessing(max(frame.crop), frame.crop, frame.interpolation, frame.mean, frame.std)
    for place in range(frames):
        left, top = _corner(frame, place, frames)
        yield still(square.crop((left, top, left + width, top + height)))


def _square(frame: Preprocessing) -> Preprocessing:
    return Preprocessing(frame.resize, (frame.resize, frame.resize), frame.interpolation)


def _corner(frame: Preprocessing, place: int, frames: int) -> tuple[int, int]:
    """Return (left, top) of one of the frames in the square."""
    height, width = frame.crop
    return round(place * (frame.resize - width) / (frames - 1)), (frame.resize - height) // 2


def _window_of(frame: Preprocessing, size: tuple[int, int], place: int, frames: int) -> Window:
    square, (height, width) = _square(frame).window(size), frame.crop
    left, top = _corner(frame, place, frames)
    across, down = ((end - first) / frame.resize for first, end in (square[::2], square[1::2]))
    first, above = square.left + left * across, square.top + top * down
    return Window(first, above, first + width * across, above + height * down)
