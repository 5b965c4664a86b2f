"""Rules for operations that look through windows: convolution, pooling and resampling."""

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from .boxes import Boxes, compact, gathered
from .operations import Operation, Rule
from .windows import (
    Places,
    Slide,
    adaptive_windows,
    resampled_places,
    sliding_places,
    transposed_places,
)

_REACH = {"nearest": 0, "linear": 1, "bilinear": 1, "trilinear": 1, "bicubic": 2}


def window_rule(name: str) -> Rule | None:
    """Return the rule for an operation with windows, or None."""
    if name in {"convolution", "_convolution", "convolution_overrideable"}:
        return _convolution
    if name.lstrip("_").startswith("adaptive_"):
        return _adaptive
    if name.startswith(("max_pool", "avg_pool", "_max_pool", "mkldnn_max_pool", "quantized_max_pool")):
        return _pooling
    if name.startswith("upsample_"):
        return _resampled
    return None


def _windowed(boxes: Boxes, shape: Sequence[int], axes: dict[int, Sequence[Places]]) -> Boxes:
    """Return boxes of ``shape``, joined over the windows along each axis."""

    def through(plane: Tensor) -> Tensor:
        for axis, places in axes.items():
            plane = gathered(plane, axis, places)
        return plane.expand(tuple(shape))

    return boxes.each(through)


def _convolution(operation: Operation) -> Boxes:
    boxes, weight = operation.boxes("input"), operation.arguments["weight"]
    groups, transposed = operation.arguments["groups"], operation.get("transposed")
    place = transposed_places if transposed else sliding_places
    axes: dict[int, Sequence[Places]] = {
        2 + axis: place(boxes.shape[2 + axis], operation.shape[2 + axis], slide)
        for axis, slide in enumerate(slides(operation, weight.shape[2:]))
    }
    channels = operation.shape[1]
    grouped = boxes.each(lambda plane: by_group(plane, groups, channels))
    seen = _windowed(grouped, operation.shape, axes)
    weights = [each.followed_by(len(axes)) for each in _weight_boxes(operation)]
    return operation.union([seen, *weights], operation.shape) if weights else seen


def _weight_boxes(operation: Operation) -> list[Boxes]:
    """Return the boxes of weights and biases, one for each channel.

    None depends on the picture in most models.
    """

    def joined(plane: Tensor) -> Tensor:
        lines: Tensor = plane.flatten(2).amax(2)
        if operation.get("transposed"):
            lines = lines.unflatten(0, (operation.arguments["groups"], -1)).transpose(1, 2).flatten(0, 1)
        return lines.amax(1)

    weights = [boxes.each(joined) for boxes in operation.others("input", "bias")]
    return [*weights, *operation.others("input", "weight")]


def by_group(plane: Tensor, groups: int, channels: int) -> Tensor:
    """Return the plane, joined within each group of channels.

    The plane is (N, C, …); the result has an entry for each new channel.
    """
    thin = compact(plane)
    if groups == 1 or thin.shape[1] == 1:
        return thin.amax(1, keepdim=True)
    parted: Tensor = thin.unflatten(1, (groups, -1))
    return parted.amax(2).repeat_interleave(channels // groups, 1)


def _pooling(operation: Operation) -> Boxes:
    boxes = operation.boxes("self")
    kernel = operation.arguments["kernel_size"]
    first = len(operation.shape) - dimensions(operation.name)
    windows = slides(operation, each_axis(kernel, dimensions(operation.name)))
    axes: dict[int, Sequence[Places]] = {
        first + axis: sliding_places(boxes.shape[first + axis], operation.shape[first + axis], slide)
        for axis, slide in enumerate(windows)
    }
    return _windowed(boxes, operation.shape, axes)


def slides(operation: Operation, kernel: Sequence[int]) -> list[Slide]:
    """Return the slide of an operation's windows along each kernel axis."""

    def sides(name: str, default: Any) -> Sequence[int]:
        return each_axis(operation.get(name) or default, len(kernel))

    padding, dilation = sides("padding", [0]), sides("dilation", [1])
    stride = sides("stride", list(kernel))
    return [Slide(*each) for each in zip(kernel, stride, padding, dilation, strict=True)]


def each_axis(value: int | Sequence[int], count: int) -> Sequence[int]:
    """Return a setting for each axis; one number is for all."""
    numbers = [value] if isinstance(value, int) else list(value)
    return numbers * count if len(numbers) == 1 else numbers


def dimensions(name: str) -> int:
    """Return the number of axes that an operation slides over.

    It is in the operation's name, such as 2 in ``max_pool2d``.
    """
    return next(count for count in (1, 2, 3) if f"{count}d" in name)


def _last_axes(operation: Operation, places: Callable[[int, int, int], Sequence[Places]]) -> Boxes:
    """Return the boxes after a change of the last axes' lengths.

    ``places`` takes (axis, length, new length).
    """
    boxes, count = operation.boxes("self"), dimensions(operation.name)
    first = len(operation.shape) - count
    axes = {
        first + axis: places(axis, boxes.shape[first + axis], operation.shape[first + axis])
        for axis in range(count)
    }
    return _windowed(boxes, operation.shape, axes)


def _adaptive(operation: Operation) -> Boxes:
    return _last_axes(operation, lambda _, length, outputs: adaptive_windows(length, outputs))


def _resampled(operation: Operation) -> Boxes:
    reach = _REACH[operation.name.removeprefix("upsample_").rstrip("123d")]
    corners = bool(operation.get("align_corners"))

    def places(axis: int, length: int, outputs: int) -> Sequence[Places]:
        step = resampling_step(operation, axis, length, outputs)
        return resampled_places(length, outputs, step, reach, corners=corners)

    return _last_axes(operation, places)


def resampling_step(operation: Operation, axis: int, length: int, outputs: int) -> float:
    """Return the input places per output place of a resized axis.

    Args:
        operation: the enlarging.
        axis: which of its axes, counted from the first that changes.
        length: places of the input.
        outputs: places of the output.
    """
    if operation.get("align_corners"):
        return (length - 1) / (outputs - 1) if outputs > 1 else 0.0
    count = dimensions(operation.name)
    names = ("scales",) if count == 1 else ("scales_d", "scales_h", "scales_w")[-count:]
    scale = operation.get(names[axis])
    return 1 / scale if scale else length / outputs
