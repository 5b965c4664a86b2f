"""Preprocessing of a whole picture: squeezed, or with borders added."""

from dataclasses import dataclass

from PIL import Image

from .errors import PictureError
from .preprocessing import FILTERS, Preprocessing

__all__ = ["WholePreprocessing"]


@dataclass(frozen=True)
class WholePreprocessing(Preprocessing):
    """The whole picture as a tensor (1, 3, H, W).

    It is whole provided that ``resize`` does not exceed ``crop``.

    Attributes:
        squeezed: whether each side is resized on its own; otherwise the picture keeps its proportions, and
            borders in the mean colour fill the rest.
    """

    squeezed: bool = True

    def cropped(self, image: Image.Image) -> Image.Image:
        """Return the picture that the model sees, RGB, not yet scaled."""
        image = image if image.mode == "RGB" else image.convert("RGB")
        resized = image.resize(self._resized_size(image.size), FILTERS[self.interpolation])
        height, width = self.crop
        left, top = self._first_kept(resized.size)
        if self.squeezed:
            return resized.crop((left, top, left + width, top + height))
        canvas = Image.new("RGB", (width, height), tuple(round(255 * value) for value in self.mean))
        canvas.paste(resized, (-left, -top))
        return canvas

    def describe(self) -> str:
        """Return the steps as one line of words."""
        if self.squeezed:
            return super().describe().replace("short side", "both sides", 1)
        return super().describe().replace("short side", "borders added, long side", 1)

    def _resized_size(self, size: tuple[int, int]) -> tuple[int, int]:
        width, height = size
        if not width or not height:
            raise PictureError(
                "a picture of {width}×{height} pixels has nothing to look at", width=width, height=height
            )
        if self.squeezed:
            return self.resize, self.resize
        ratio = self.resize / max(size)
        return max(1, round(width * ratio)), max(1, round(height * ratio))

    def _first_kept(self, resized: tuple[int, int]) -> tuple[int, int]:
        height, width = self.crop
        return _middle(resized[0], width), _middle(resized[1], height)


def _middle(length: int, kept: int) -> int:
    """Return the first place of the middle, negative for a border.

    If a border is odd, its smaller half comes first.
    """
    return round((length - kept) / 2) if length >= kept else -((kept - length) // 2)
