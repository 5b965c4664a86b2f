"""Plain functions that prepare a picture, and the picture of their result."""

import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont
from torch import Tensor
from torch.utils._pytree import tree_map

from ...errors import OwnModelError

__all__ = ["FunctionPreparation", "GivenArguments", "as_picture"]

_WIDTH, _LINES, _LETTERS = 320, 12, 44
_MARGIN, _LINE_HEIGHT, _TEXT_SIZE = 10, 16, 13
_MOST = 200  # numbers that are written
_AXES = 4


class FunctionPreparation:
    """Any function as a ``models.cards.Preparation``.

    The function's own ``as_seen`` and ``describe`` are used where it has them. An input of pictures is shown
    from its smallest value, black, to its largest, white; any other is written as text.
    """

    def __init__(
        self, function: Callable[[Image.Image], Any], *, dtype: str = "float32", of_pictures: bool = False
    ) -> None:
        """Wrap a function.

        Args:
            function: from a picture to the model's input.
            dtype: the model's dtype; arrays of fractions are converted to it.
            of_pictures: whether the model takes a plane as a picture (1, 1, H, W).
        """
        self._function, self._of_pictures = function, of_pictures
        self._dtype: torch.dtype = getattr(torch, dtype)

    def __call__(self, image: Image.Image, /) -> Any:
        """Return the function's result as tensors, with an axis for the batch.

        A picture (C, H, W) gets that axis, and a plane both that it lacks where the model takes it so;
        otherwise 1 in front is the batch.

        Raises:
            OwnModelError: the result is a picture, nothing, or an array of something else than numbers.
        """
        made = tree_map(self._tensor, self._function(image))
        if made is None or isinstance(made, Image.Image):
            raise self._refusal(type(made).__name__)
        if not isinstance(made, Tensor):
            return made
        if made.dim() == _AXES - 1 and made.shape[0] != 1:
            return made.unsqueeze(0)
        return as_picture(made) if self._of_pictures else made

    def _tensor(self, part: Any) -> Any:
        """Return an array as a tensor, and other parts unchanged."""
        if not isinstance(part, np.ndarray):
            return part
        try:
            made = torch.from_numpy(np.array(part, order="C"))  # a copy: a picture's own is not writable
        except (TypeError, ValueError):
            raise self._refusal(f"array of {part.dtype}") from None
        return made.to(self._dtype) if made.is_floating_point() else made

    def _refusal(self, kind: str) -> OwnModelError:
        return OwnModelError(
            "preprocessing returned no tensor but a value of the kind {kind}; end it with a step that makes "
            "one, such as torchvision's ToTensor",
            kind=kind,
        )

    def as_seen(self, inputs: Any, /) -> Image.Image:
        """Return the picture of an input, or its values drawn as text."""
        if own := getattr(self._function, "as_seen", None):
            seen: Image.Image = own(inputs)
            return seen
        parts = list(_parts(inputs))
        pictures = (each for each in parts if isinstance(each, Tensor))
        first = next(pictures, None)
        if first is not None and first.dim() == _AXES and first.shape[1] in (1, 3):
            return _stretched(first[0])
        return _written("\n".join(map(_words, parts)))

    def describe(self) -> str:
        """Return whose function it is."""
        if own := getattr(self._function, "describe", None):
            return str(own())
        name = getattr(self._function, "__qualname__", type(self._function).__qualname__)
        return f"prepared by {name}, shown from its smallest value to its largest, or as text"


def as_picture(made: Tensor) -> Tensor:
    """Return a plane as a picture (1, 1, H, W).

    A plane is (H, W) or (1, H, W). Others are returned unchanged.
    """
    if made.dim() == _AXES - 2 and made.shape[0] != 1:
        return made[None, None]
    return made.unsqueeze(0) if made.dim() == _AXES - 1 else made


@dataclass(frozen=True, eq=False)
class GivenArguments:
    """Arguments that a program prepared itself: the same for every picture."""

    arguments: tuple[Any, ...] = field(repr=False)

    def __call__(self, _: Image.Image, /) -> Any:
        """Return the arguments."""
        return self.arguments

    def as_seen(self, inputs: Any, /) -> Image.Image:
        """Return the picture of an input, or its values drawn as text."""
        return FunctionPreparation(self.__call__).as_seen(inputs)

    def describe(self) -> str:
        """Return whose they are."""
        return "as the program gave it, shown from its smallest value to its largest, or as text"


def _parts(inputs: Any) -> Iterator[Any]:
    if isinstance(inputs, Mapping):
        inputs = tuple(inputs.values())
    if isinstance(inputs, tuple | list):
        for each in inputs:
            yield from _parts(each)
    else:
        yield inputs


def _stretched(channels: Tensor) -> Image.Image:
    """Return (C, H, W) as a picture, stretched from black to white."""
    values = channels.detach().to("cpu", torch.float32).nan_to_num(posinf=0, neginf=0)
    low, high = values.min(), values.max()
    values = (values - low).div((high - low).clamp_min(torch.finfo(torch.float32).tiny)).mul(255).round()
    pixels = values.to(torch.uint8).expand(3, -1, -1).permute(1, 2, 0)
    return Image.fromarray(pixels.contiguous().numpy(), "RGB")


def _words(part: Any) -> str:
    if not isinstance(part, Tensor):
        return str(part)[: _LETTERS * _LINES]
    numbers = part.detach().flatten()[:_MOST].tolist()
    shape = " × ".join(map(str, part.shape)) or "1"
    return f"{shape}: " + " ".join(
        f"{number:.6g}" if isinstance(number, float) else str(number) for number in numbers
    )


def _written(text: str) -> Image.Image:
    lines = [line for words in text.splitlines() for line in textwrap.wrap(words, _LETTERS)][:_LINES]
    picture = Image.new("RGB", (_WIDTH, 2 * _MARGIN + _LINE_HEIGHT * max(1, len(lines))), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(_TEXT_SIZE)
    for place, line in enumerate(lines):
        draw.text((_MARGIN, _MARGIN + place * _LINE_HEIGHT), line, fill="black", font=font)
    return picture
