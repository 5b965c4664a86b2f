"""A layer's settings in a few words."""

from typing import Any

from torch import nn

LONGEST = 60


def detail(layer: nn.Module) -> str:
    """Return a layer's settings, such as ``64→64, 3×3, stride 1`` or ``2048→1000``.

    It is empty for a layer with others inside, and for one without settings.

    For other classes it is their own ``extra_repr``, cut to 60 characters.
    """
    if next(layer.children(), None) is not None:
        return ""
    if isinstance(layer, nn.Linear | nn.Bilinear):
        width = getattr(layer, "in_features", None) or f"{layer.in1_features}, {layer.in2_features}"
        return f"{width}→{layer.out_features}"
    if hasattr(layer, "kernel_size") and hasattr(layer, "stride"):
        return _windowed(layer)
    if hasattr(layer, "num_features"):  # the normalisations over channels
        return str(layer.num_features)
    text = " ".join(layer.extra_repr().split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _windowed(layer: Any) -> str:
    """Return the settings of a convolution or a pooling."""
    channels = [f"{layer.in_channels}→{layer.out_channels}"] if hasattr(layer, "in_channels") else []
    unusual = [
        f"{name} {_sides(getattr(layer, name))}"
        for name, usual in (("padding", 0), ("dilation", 1), ("groups", 1))
        if getattr(layer, name, usual) not in (usual, (usual,), (usual,) * 2, (usual,) * 3)
    ]
    stride = layer.kernel_size if layer.stride is None else layer.stride
    return ", ".join(
        [*channels, _sides(layer.kernel_size, square=True), f"stride {_sides(stride)}", *unusual]
    )


def _sides(value: str | int | tuple[int, ...], *, square: bool = False) -> str:
    """Return ``3×3`` for a square window, ``2`` for equal steps."""
    if not isinstance(value, tuple):
        return f"{value}×{value}" if square else str(value)
    return "×".join(str(side) for side in value) if square or len(set(value)) > 1 else str(value[0])
