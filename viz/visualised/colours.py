"""Colours as photographs mix them: three components that vary on their own.

Optimised one by one, colours come out far stronger than any photograph has them, because in photographs they
rise and fall together. Components that do not makes each step as far as photographs vary in that direction.
"""

import torch
from torch import Tensor

# The columns are the principal directions of the colours of pixels, each as long as pixels deviate along it:
# of 5,000 photographs from the training part of CIFAR-10, on a scale of 0 to 1.
# Source: the pictures are Krizhevsky, "Learning Multiple Layers of Features from Tiny Images", 2009.
_DIRECTIONS = ((0.2324, 0.0792, 0.0220), (0.2404, 0.0047, -0.0417), (0.2494, -0.0784, 0.0197))
_COLOURS = 3


def mixing(colours: int) -> Tensor:
    """Return the matrix (colours, components) that makes colours of components.

    Its longest row has length 1. Of anything but red, green and blue nothing is known: there each component
    is a colour.
    """
    if colours != _COLOURS:
        return torch.eye(colours)
    directions = torch.tensor(_DIRECTIONS)
    longest = directions.norm(dim=1).max()
    return torch.div(directions, longest)


def mixed(components: Tensor) -> Tensor:
    """Return colours (pictures, colours, height, width) of as many components."""
    return torch.einsum("kc,nchw->nkhw", mixing(components.shape[1]).to(components), components)


def unmixed(colours: Tensor) -> Tensor:
    """Return colours as components, in the same shape: the inverse of ``mixed``."""
    back = torch.linalg.inv(mixing(colours.shape[1])).to(colours)
    return torch.einsum("ck,nkhw->nchw", back, colours)
