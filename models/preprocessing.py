"""Preprocessing of a picture into a model's input, and back.

PyTorch is imported when a tensor is made, so that a process without it can ask everything else.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from .errors import PictureError

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["CIFAR10_MEAN", "CIFAR10_STD", "IMAGENET_MEAN", "IMAGENET_STD", "Preprocessing", "Window"]

Triple = tuple[float, float, float]
Numbers = tuple[float, ...]

IMAGENET_MEAN: Triple = (0.485, 0.456, 0.406)
IMAGENET_STD: Triple = (0.229, 0.224, 0.225)
CIFAR10_MEAN: Triple = (0.4914, 0.4822, 0.4465)
CIFAR10_STD: Triple = (0.2470, 0.2435, 0.2616)

FILTERS = {
    "nearest": Image.Resampling.NEAREST,
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}
_SCALES: dict[tuple[Numbers, Numbers], str] = {
    (IMAGENET_MEAN, IMAGENET_STD): "ImageNet mean and deviation",
    (CIFAR10_MEAN, CIFAR10_STD): "CIFAR-10 mean and deviation",
    ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)): "scaled to −1 … 1",
}
_LONGEST_RESIZED = 8192  # pixels; beyond this only the part that the crop keeps is resized


class Window(NamedTuple):
    """A part of a picture, in its pixels.

    It reaches beyond the picture where borders are added.
    """

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Preprocessing:
    """Preprocessing of a picture into a tensor (1, 3, H, W).

    The short side is resized, the centre cut out, and the values scaled.

    Attributes:
        resize: length in pixels of the short side after resizing, at least as long as the crop.
        crop: (height, width) in pixels of what is cut out of the middle.
        interpolation: "nearest", "bilinear", "bicubic" or "lanczos", as Pillow defines them.
        mean: subtracted from each channel, on a scale of 0 to 1.
        std: what each channel is then divided by.

    >>> prepare = lg.models.Preprocessing(resize=256, crop=(224, 224))
    >>> prepare(lg.sample("cat")).shape
    torch.Size([1, 3, 224, 224])
    """

    resize: int
    crop: tuple[int, int]
    interpolation: str = "bilinear"
    mean: Numbers = IMAGENET_MEAN
    std: Numbers = IMAGENET_STD

    def __post_init__(self) -> None:
        if self.resize < max(self.crop) or min(self.crop) < 1:
            raise ValueError(f"a crop of {self.crop} does not fit into a short side of {self.resize} pixels")
        if self.interpolation not in FILTERS:
            raise ValueError(f"interpolation {self.interpolation!r} is none of {', '.join(FILTERS)}")

    def __call__(self, image: Image.Image) -> "Tensor":
        """Return the model's input (1, 3, H, W), float32.

        It agrees with torchvision's own transforms bit for bit.

        Raises:
            PictureError: the picture has no pixels.
        """
        from .input_tensors import scaled  # noqa: PLC0415  # PyTorch

        return scaled(self.cropped(image), self.mean, self.std)

    def cropped(self, image: Image.Image) -> Image.Image:
        """Return the part of the picture that the model sees, RGB.

        It is resized, and its values are not yet scaled.
        """
        image = image if image.mode == "RGB" else image.convert("RGB")
        width, height = self._resized_size(image.size)
        left, top = self._first_kept((width, height))
        right, bottom = left + self.crop[1], top + self.crop[0]
        resampling = FILTERS[self.interpolation]
        if max(width, height) <= _LONGEST_RESIZED:
            resized = image if image.size == (width, height) else image.resize((width, height), resampling)
            return resized.crop((left, top, right, bottom))
        # A strip of 10,000 by 1 pixels would become millions of pixels long: resize only what the crop keeps.
        across, down = image.width / width, image.height / height
        box = (left * across, top * down, right * across, bottom * down)
        return image.resize(self.crop[::-1], resampling, box=box)

    def scaled(self, levels: "Tensor") -> "Tensor":
        """Return levels of the crop as the model's input.

        They are (N, 3, height, width), float, from 0 to 255; gradients flow through.
        """
        from .input_tensors import standardised  # noqa: PLC0415  # PyTorch

        return standardised(levels, self.mean, self.std)

    def around(self, seen: Image.Image, image: Image.Image) -> Image.Image:
        """Return a picture of which the model sees exactly ``seen``.

        ``seen`` has the size of the crop. Around it is ``image``, in a size that is not resized again.
        """
        width, height = self._resized_size((self.resize, self.resize))
        resize = max(self.resize, width, height)
        whole = replace(self, resize=resize, crop=(height, width)).cropped(image)
        whole.paste(seen, self._first_kept(whole.size))
        return whole

    def window(self, size: tuple[int, int]) -> Window:
        """Return the part of a picture that the model sees, in pixels.

        ``size`` is the picture's (width, height), and the part is in its pixels.

        Raises:
            PictureError: the picture has no pixels.
        """
        resized = self._resized_size(size)
        left, top = self._first_kept(resized)
        across, down = (side / long for side, long in zip(size, resized, strict=True))
        height, width = self.crop
        return Window(left * across, top * down, (left + width) * across, (top + height) * down)

    def _first_kept(self, resized: tuple[int, int]) -> tuple[int, int]:
        """Return (left, top) of the crop of a resized picture.

        ``resized`` is its (width, height).
        """
        left, top = (round((side - kept) / 2) for side, kept in zip(resized, self.crop[::-1], strict=True))
        return left, top

    def _resized_size(self, size: tuple[int, int]) -> tuple[int, int]:
        """Return (width, height) with ``resize`` as the short side.

        The long side is cut to whole pixels.
        """
        width, height = size
        if not width or not height:
            raise PictureError(
                "a picture of {width}×{height} pixels has nothing to look at", width=width, height=height
            )
        long = int(self.resize * max(width, height) / min(width, height))
        return (self.resize, long) if width <= height else (long, self.resize)

    def as_seen(self, images: "Tensor", row: int = 0) -> Image.Image:
        """Return the picture that the model saw, the scaling undone.

        It is a row of the model's input (N, 3, H, W).
        """
        from .input_tensors import picture_of  # noqa: PLC0415  # PyTorch

        return picture_of(images[row], self.mean, self.std)

    def describe(self) -> str:
        """Return the steps in one line, for a view's provenance."""
        height, width = self.crop
        scale = _SCALES.get(
            (self.mean, self.std), f"mean {_numbers(self.mean)}, deviation {_numbers(self.std)}"
        )
        crop = f"centre crop {height}×{width}"
        return f"short side resized to {self.resize} ({self.interpolation}), {crop}, {scale}"


def _numbers(values: Numbers) -> str:
    return " ".join(f"{value:g}" for value in values)
