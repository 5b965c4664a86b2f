"""The most likely kind of a value, by its shape.

This is for values of which nothing better is known (``layout_known``). Channels come first, as everywhere in
PyTorch's convolutions, unless there is evidence: a layer type that works on the last axis, or two equal sides
followed by more channels. This can be wrong, so ``viz.maps.layout.kinds`` offers the other kinds. A guess
shows every number: which tokens lie on the picture, and which do not, only their lineage tells.
"""

from math import isqrt

from ..errors import LayoutError

Shape = tuple[int, ...]
Size = tuple[int, int]

# Words in the names of layer types, lower case. ReLU and the like are elementwise, but follow convolutions.
_SPATIAL = (
    *("conv", "2d", "batchnorm", "groupnorm", "squeezeexcit", "pixelshuffle", "relu", "silu", "hardswish"),
    *("bottleneck", "basicblock", "invertedresidual", "denselayer", "transition", "inception", "fire"),
)
_LAST_AXIS = ("linear", "layernorm", "swin", "shiftedwindow", "patchmerging", "mlp")
_WEIGHS = ("attention", "softmax")  # a softmax over a square says how much each token attends to each other
_RECURRENT = ("lstm", "gru", "rnn")
_CLASS_AND_REGISTERS = (0, 1, 2, 5, 4, 3, 9, 8)
_FEWEST_PATCHES = {0: 4, 1: 9}


def guessed_kind(shape: Shape, layer_type: str, image_size: Size | None) -> str:
    """The kind of layout that suits a shape best.

    Raises:
        LayoutError: more axes than can be drawn.
    """
    name = layer_type.lower()
    if len(shape) <= 2:  # noqa: PLR2004 - a number, a vector, or vectors in a batch
        return "vector" if shape else "scalar"
    if len(shape) == 3:  # noqa: PLR2004 - tokens, signals, or a batch of none
        return "signals" if "1d" in layer_type else _of_three_axes(shape, name)  # GPT-2's Conv1D is linear
    if len(shape) == 4:  # noqa: PLR2004 - pictures in a batch
        return _of_four_axes(shape, name, image_size)
    if len(shape) == 5:  # noqa: PLR2004 - volumes in a batch
        return "volume-last" if _any(_LAST_AXIS, name) and not _any(_SPATIAL, name) else "volume"
    raise LayoutError(
        "a value of shape {shape} has {count} axes; up to 5 can be drawn", shape=shape, count=len(shape)
    )


def token_grid(tokens: int, image_size: Size | None = None) -> tuple[int, int, int] | None:
    """Return the number of tokens in front, and the others' grid.

    These are (skipped, height, width); None if they make no grid. The grid has the picture's shape, or is
    square if that is unknown. A class token, a distillation token and registers may come first. Source: ViT
    (2010.11929), DeiT (2012.12877) section 4, registers (2309.16588).
    """
    size = image_size or (1, 1)
    grids = [
        (skipped, _grid(tokens - skipped, size))
        for skipped in _CLASS_AND_REGISTERS
        if tokens - skipped >= _FEWEST_PATCHES.get(skipped, 16)
    ]
    skipped, grid = min(grids, key=lambda found: _mismatch(found[1], size), default=(0, None))
    return (skipped, *grid) if grid and _mismatch(grid, size) < max(size) else None


def _grid(patches: int, size: Size) -> Size:
    """The rows and columns of patches in the ratio nearest the picture's."""
    nearest = isqrt(max(1, patches * size[0] // size[1]))
    rows = [rows for rows in range(max(1, nearest - 1), nearest + 2) if patches % rows == 0] or [1]
    return min(((n, patches // n) for n in rows), key=lambda grid: _mismatch(grid, size))


def _mismatch(grid: Size, size: Size) -> int:
    """Return the mismatch of a grid's ratio with the picture's.

    Within a patch, it is less than the longer side. A network drops the rest of a side that its patches do
    not divide, so a mismatch that small is usual.
    """
    return abs(grid[0] * size[1] - grid[1] * size[0])


def _of_three_axes(shape: Shape, name: str) -> str:
    if "2d" in name:
        return "maps"
    if "attention" in name and shape[1] == shape[2]:
        return "attention"
    if shape[1] == 1 < shape[0] or (_any(_RECURRENT, name) and shape[0] > 1):
        return "sequence-first"
    return "table"


def _of_four_axes(shape: Shape, name: str, image_size: Size | None) -> str:
    if "3d" in name:
        return "volume"
    if _any(_WEIGHS, name) and shape[2] == shape[3] and "window" not in name:
        return "attention"
    if _any(_SPATIAL, name):
        return "maps"
    return "channels-last" if _any(_LAST_AXIS, name) or _sides_come_first(shape[1:], image_size) else "maps"


def _sides_come_first(sides: Shape, image_size: Size | None) -> bool:
    """Return whether three axes seem to be (height, width, channels)."""
    first, second, last = sides
    if image_size is None or image_size[0] == image_size[1]:
        return 1 < first == second < last
    longer = max(image_size)
    return _mismatch((first, second), image_size) < longer <= _mismatch((second, last), image_size)


def _any(words: tuple[str, ...], name: str) -> bool:
    return any(word in name for word in words)
