"""A model's input from pictures on a scale of 0 to 1.

The scale is found from the model's own preprocessing.
"""

from dataclasses import dataclass
from typing import Any

import torch
from PIL import Image
from torch import Tensor

from ..errors import RequestError
from ..hooks.values.structure import leaves, map_tensors
from ..pictures.subject import Subject

_SIDE = 256
_AXES, _MOST_SIDE = 4, 1024
_BLACK, _GREY, _WHITE = 0, 102, 255
_CLOSE = 1e-4  # beyond the rounding of single precision


@dataclass(frozen=True)
class Inputs:
    """A model's input for pictures of its own size.

    Attributes:
        arguments: the model's arguments for a plain picture.
        black: (colours,) its input's values where a picture is 0.
        white: (colours,) where it is 1.
        size: (height, width) of its input.
    """

    arguments: tuple[Any, ...]
    black: Tensor
    white: Tensor
    size: tuple[int, int]

    @property
    def colours(self) -> int:
        """Number of colours of its input."""
        return len(self.black)

    def given(self, pictures: Tensor) -> tuple[Any, ...]:
        """Return the model's arguments for pictures (pictures, colours, height, width)."""
        low, high = (colour[:, None, None].to(pictures) for colour in (self.black, self.white))
        scaled = low + (high - low) * pictures
        return tuple(map_tensors(self.arguments, lambda _: scaled))

    def pictures(self, arguments: tuple[Any, ...]) -> Tensor:
        """Return the picture (1, colours, height, width) that prepared arguments show."""
        (tensor,) = leaves(arguments).values()
        low, high = (colour[:, None, None].to(tensor) for colour in (self.black, self.white))
        return ((tensor - low) / (high - low)).detach().cpu().clamp(0, 1)


def inputs_of(subject: Subject) -> Inputs:
    """Find a model's scale for pictures from black, grey and white ones.

    Raises:
        RequestError: it is not given one picture whose colours are scaled, each on its own.
    """
    black, grey, white = (_prepared(subject, level) for level in (_BLACK, _GREY, _WHITE))
    between = black + (white - black) * (_GREY / _WHITE)
    if not torch.allclose(grey, between, atol=_CLOSE * float((white - black).abs().max())):
        raise _refusal()
    height, width = black.shape[-2:]
    if max(height, width) > _MOST_SIDE or torch.equal(black, white):
        raise _refusal()
    return Inputs(_arguments(subject, _GREY), black[0, :, 0, 0], white[0, :, 0, 0], (height, width))


def _arguments(subject: Subject, level: int) -> tuple[Any, ...]:
    return subject.arguments(Image.new("RGB", (_SIDE, _SIDE), (level, level, level)))


def _prepared(subject: Subject, level: int) -> Tensor:
    tensors = list(leaves(_arguments(subject, level)).values())
    if len(tensors) != 1 or tensors[0].ndim != _AXES or len(tensors[0]) != 1:
        raise _refusal()
    found = tensors[0].detach().cpu().float()
    if not torch.allclose(found, found[:, :, :1, :1].expand_as(found), atol=_CLOSE):
        raise _refusal()
    return found


def _refusal() -> RequestError:
    return RequestError(
        "a picture can be optimised only for models that are given one picture, whose colours are scaled; "
        "choose another model."
    )
