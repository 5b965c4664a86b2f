"""Preprocessing of pictures to grey, another shape or another type."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image

from .errors import PictureError
from .preprocessing import Preprocessing

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["ShapedPreprocessing"]


@dataclass(frozen=True)
class ShapedPreprocessing(Preprocessing):
    """Preprocessing to (1, C, H, W): grey, squeezed or of another type.

    It is grey if ``mean`` and ``std`` are one number.

    Attributes:
        whole: (height, width) that the whole picture is squeezed to before the crop; None if it keeps its
            proportions.
        dtype: of the values, such as ``float16``.
    """

    whole: tuple[int, int] | None = None
    dtype: str = "float32"

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(side < kept for side, kept in zip(self.whole or self.crop, self.crop, strict=True)):
            raise ValueError(f"a crop of {self.crop} does not fit into a picture of {self.whole} pixels")

    def __call__(self, image: Image.Image) -> "Tensor":
        """Return the model's input (1, C, H, W).

        Raises:
            PictureError: the picture has no pixels.
        """
        return self._typed(super().__call__(image))

    def scaled(self, levels: "Tensor") -> "Tensor":
        """Return levels of the crop as the model's input, of its type."""
        return self._typed(super().scaled(levels))

    def _typed(self, values: "Tensor") -> "Tensor":
        import torch  # noqa: PLC0415  # slow

        return values.to(getattr(torch, self.dtype))

    def cropped(self, image: Image.Image) -> Image.Image:
        """Return the resized part that the model sees, in colour or grey."""
        found = super().cropped(image)
        return found.convert("L") if len(self.mean) == 1 else found

    def describe(self) -> str:
        """Return the steps as one line of words."""
        steps = super().describe()
        if self.whole:
            height, width = self.whole
            steps = steps.replace(f"short side resized to {self.resize}", f"squeezed to {height}×{width}", 1)
        grey = ", grey" if len(self.mean) == 1 else ""
        return steps + grey + (f", {self.dtype}" if self.dtype != "float32" else "")

    def _resized_size(self, size: tuple[int, int]) -> tuple[int, int]:
        if self.whole is None:
            return super()._resized_size(size)
        if not all(size):
            raise PictureError(
                "a picture of {width}×{height} pixels has nothing to look at", width=size[0], height=size[1]
            )
        return self.whole[1], self.whole[0]
