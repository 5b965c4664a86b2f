"""Preparation of a picture as a signal, its brightness by column."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from ..errors import PictureError

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["SignalPreprocessing"]

_HEIGHT = 128  # pixels of the drawn curve


@dataclass(frozen=True)
class SignalPreprocessing:
    """Preprocessing of a picture as a signal of its columns' brightness.

    The signal (1, 1, L) has the mean brightness of each of ``length`` columns, from −1 to 1.

    Attributes:
        length: number of values.
    """

    length: int

    def __call__(self, image: Image.Image) -> "Tensor":
        """Return the model's input (1, 1, L), float32.

        Raises:
            PictureError: the picture has no pixels.
        """
        if not image.width or not image.height:
            raise PictureError(
                "a picture of {width} by {height} pixels has no signal in it",
                width=image.width,
                height=image.height,
            )
        from ..input_tensors import signal_of  # noqa: PLC0415  # PyTorch

        return signal_of(image.convert("L").resize((self.length, 1), Image.Resampling.BOX))

    def as_seen(self, signals: "Tensor", row: int = 0) -> Image.Image:
        """Draw a row of the model's input as a curve.

        The input is (N, 1, L); the curve is on white, with two pixels for each value.
        """
        from ..input_tensors import values_of  # noqa: PLC0415  # PyTorch

        values = values_of(signals[row, 0])
        picture = Image.new("RGB", (2 * len(values), _HEIGHT), "white")
        draw, middle, reach = ImageDraw.Draw(picture), (_HEIGHT - 1) / 2, (_HEIGHT - 9) / 2
        draw.line([(0, middle), (picture.width, middle)], fill=(200, 200, 200))
        curve = [(2 * place + 1, middle - reach * value) for place, value in enumerate(values)]
        draw.line(curve, fill=(20, 60, 140), width=2)
        return picture

    def describe(self) -> str:
        """Return the steps as one line of words."""
        return f"read as a signal: the mean brightness of {self.length} columns, black −1, white 1"
