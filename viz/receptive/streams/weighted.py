"""Layers that mix channels by weights, and their inputs' channel axis."""

from torch import nn

_CONVOLUTIONS: dict[type[nn.Module], int] = {
    nn.Conv1d: -2, nn.Conv2d: -3, nn.Conv3d: -4,
    nn.ConvTranspose1d: -2, nn.ConvTranspose2d: -3, nn.ConvTranspose3d: -4,
}  # fmt: skip


def is_weighted(layer: nn.Module) -> bool:
    """Return whether a layer mixes channels by weights of its own.

    A weight along one axis alone, as that of a batch norm, mixes nothing: it scales each channel.
    """
    if isinstance(layer, nn.MultiheadAttention):
        return True
    inside = next(layer.children(), None)
    return inside is None and any(
        sum(length > 1 for length in weight.shape) > 1 for weight in layer.parameters(recurse=False)
    )


def input_axis(layer: nn.Module) -> int:
    """Return the axis of an input's channels, counted from the end."""
    return next((axis for kind, axis in _CONVOLUTIONS.items() if isinstance(layer, kind)), -1)
