"""Pictures as spectra: waves are optimised instead of pixels.

Gradient ascent on pixels ends in noise of the finest grain. Of waves, the longer ones are given more weight,
as photographs have them, so each step changes large shapes and small ones alike. All pictures here are
(pictures, colours, height, width) on a scale of 0 to 1.
"""

import math
from abc import ABC, abstractmethod

import torch
from torch import Tensor

from .colours import mixed, unmixed

Size = tuple[int, int]
_FAINT = 0.05  # deviation of the first picture, before it is squeezed into 0 to 1
_CONTRAST = 1.5  # of pictures whose magnitudes are fixed, before the squeezing: clear, and not glaring
_DARKEST = 1 / 512  # of a photograph's colours: beyond, the squeezing has no inverse


def frequencies(size: Size) -> Tensor:
    """Return the waves per pixel of each entry of ``rfft2``.

    ``size``: (height, width) in pixels.
    """
    height, width = size
    return torch.hypot(torch.fft.fftfreq(height)[:, None], torch.fft.rfftfreq(width)[None])


def falling(size: Size) -> Tensor:
    """Return 1 / frequency for each wave, the law of photographs.

    It is scaled so that waves of random phases and these magnitudes make a picture of deviation 1. The
    constant entry has the value of the longest wave.

    Source: Field, "Relations between the statistics of natural images and the response properties of
    cortical cells", 1987, figure 7: magnitudes fall with the frequency.
    """
    law = 1 / frequencies(size).clamp_min(1 / max(size))
    return law / law.square().mean().sqrt()


class Canvas(ABC):
    """Pictures that can be optimised.

    Attributes:
        parameter: what is changed: a leaf of autograd.
    """

    parameter: Tensor

    @abstractmethod
    def pictures(self) -> Tensor:
        """Return the pictures, in the graph of the parameter."""

    def settle(self) -> None:  # noqa: B027  # most have nothing to take back
        """Take back the excess of a step's changes."""


class Waves(Canvas):
    """Waves of free magnitude and phase.

    Source: Olah et al., "Feature Visualization", Distill, 2017, section "Preconditioning and
    Parameterization".
    """

    def __init__(self, count: int, colours: int, size: Size, generator: torch.Generator) -> None:
        self._size, self._law = size, falling(size)
        shape = (count, colours, *self._law.shape, 2)
        self.parameter = (_FAINT * torch.randn(shape, generator=generator)).requires_grad_()

    def pictures(self) -> Tensor:
        """See ``Canvas``."""
        return torch.sigmoid(mixed(_picture(torch.view_as_complex(self.parameter) * self._law, self._size)))


class Phases(Canvas):
    """Waves of fixed magnitude, whose phases alone are free.

    So a picture cannot become noise.

    Source: Fel et al., "Unlocking Feature Visualization for Deeper Networks with MAgnitude Constrained
    Optimization", 2023, section 3; the magnitudes are the law of photographs, see ``falling``.
    """

    def __init__(self, count: int, colours: int, size: Size, generator: torch.Generator) -> None:
        self._size, self._law = size, _CONTRAST * falling(size)
        shape = (count, colours, *self._law.shape)
        self.parameter = (2 * math.pi * torch.rand(shape, generator=generator)).requires_grad_()

    def pictures(self) -> Tensor:
        """See ``Canvas``."""
        waves = torch.polar(self._law.expand_as(self.parameter), self.parameter)
        return torch.sigmoid(mixed(_picture(waves, self._size)))


class AccentedPhoto(Canvas):
    """A photograph with waves on top, kept close to the photograph.

    Source: Hamblin et al., "Feature Accentuation: Revealing 'What' Features Respond to in Natural Images",
    2024, which begins with a photograph and stays near it; that the bound is one of pixels is ours.
    """

    def __init__(self, photo: Tensor, most: float) -> None:
        self.photo, self.most = photo, most
        self._size = (photo.shape[-2], photo.shape[-1])
        self._law = falling(self._size)
        self._below = unmixed(torch.logit(photo.clamp(_DARKEST, 1 - _DARKEST)))
        self.parameter = torch.zeros((*photo.shape[:2], *self._law.shape, 2)).requires_grad_()

    def pictures(self) -> Tensor:
        """See ``Canvas``."""
        waves = _picture(torch.view_as_complex(self.parameter) * self._law, self._size)
        return torch.sigmoid(mixed(self._below + waves))

    def settle(self) -> None:
        """Shrink the waves until the pictures are close enough to the photograph."""
        with torch.no_grad():
            while (far := float((self.pictures() - self.photo).square().mean().sqrt())) > self.most:
                self.parameter.mul_(min(0.98, self.most / far))


def _picture(waves: Tensor, size: Size) -> Tensor:
    picture: Tensor = torch.fft.irfft2(waves, s=size, norm="ortho")
    return picture
