"""Occlusion: the fall of a class score when pixels are covered.

Open edits are in force.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import LayoutError, RequestError
from ..hooks.activations import LayerActivations
from .attribution import class_score, class_scores
from .integrated_gradients import check_count, filled

Windows: TypeAlias = Sequence[tuple[slice, slice]]  # rows and columns that one covers


def occlusion(
    layers: LayerActivations,
    inputs: torch.Tensor,
    target: int,
    *,
    window: int | tuple[int, int],
    stride: int | tuple[int, int],
    value: torch.Tensor | float = 0.0,
    batch: int = 1,
) -> NDArray[np.float32]:
    """Return the falls of a class score, (height, width), in its units.

    The window covers all colours. A pixel has the mean over all windows that cover it; where the strides do
    not end at the picture's edge, the last windows reach beyond it. Both are as in captum.

    Args:
        layers: the model with its edits.
        inputs: one picture (1, colours, height, width), as the model takes it.
        target: the class, counted from 0; its score has no softmax of ours.
        window: its height and width in pixels, or one number for both.
        stride: its steps down and to the right in pixels, or one number for both.
        value: the cover, in a shape that broadcasts to the input's.
        batch: the number of covered pictures in one run: see ``integrated_gradients``.

    Source: Zeiler and Fergus, "Visualizing and Understanding Convolutional Networks", 2014, section 4.2.

    Raises:
        LayoutError: the input is not one picture.
        RequestError: the window, stride, value, target or batch cannot be used; the message says why.

    >>> lg.occlusion(layers, images, target=3, window=8, stride=4).shape
    (32, 32)
    """
    picture = one_picture(inputs)
    size = tuple(picture.shape[2:])
    rows, columns = (spans(*each) for each in zip(size, _pair(window), _pair(stride), strict=True))
    cover, windows = filled(value, picture), list(product(rows, columns))
    whole = float(class_score(layers.run(picture), target).detach())
    return _means(size, windows, _scores(layers, picture, cover, windows, target, batch), whole)


def _means(
    size: tuple[int, ...], windows: Windows, scores: Iterable[float], whole: float
) -> NDArray[np.float32]:
    """Return each pixel's mean fall below ``whole`` over its windows."""
    falls, times = np.zeros(size), np.zeros(size)
    for place, score in zip(windows, scores, strict=True):
        falls[place] += whole - score
        times[place] += 1
    return (falls / times).astype(np.float32)


def one_picture(inputs: torch.Tensor) -> torch.Tensor:
    """The input itself.

    Raises:
        LayoutError: it is not one picture.
    """
    if inputs.ndim != 4 or len(inputs) != 1:  # noqa: PLR2004  (N, C, H, W)
        raise LayoutError(
            "occlusion needs one picture (1, colours, height, width), and this has the shape {shape}.",
            shape=str(tuple(inputs.shape)),
        )
    return inputs.detach()


def score_without(
    layers: LayerActivations,
    picture: torch.Tensor,
    place: tuple[slice, slice],
    target: int,
) -> float:
    """The class score with one window covered by zeros."""
    return next(_scores(layers, picture, filled(0.0, picture), [place], target, 1))


def _scores(
    layers: LayerActivations,
    picture: torch.Tensor,
    cover: torch.Tensor,
    windows: Windows,
    target: int,
    batch: int,
) -> Iterator[float]:
    """The class score with each window covered in turn."""
    check_count("batch", batch)
    for first in range(0, len(windows), batch):
        rows = _covered(picture, cover, windows[first : first + batch])
        yield from class_scores(layers.run(rows), target, len(rows)).tolist()


def _covered(picture: torch.Tensor, cover: torch.Tensor, windows: Windows) -> torch.Tensor:
    """The picture once for each window, with that window covered.

    It is (windows, colours, height, width).
    """
    rows = picture.repeat(len(windows), 1, 1, 1)
    for row, (top, left) in zip(rows, windows, strict=True):
        row[:, top, left] = cover[0, :, top, left]
    return rows


def _pair(size: int | tuple[int, int]) -> tuple[int, int]:
    return size if isinstance(size, tuple) else (size, size)


def spans(length: int, window: int, stride: int) -> list[slice]:
    """Return the window's places along one axis, which cover every pixel.

    Raises:
        RequestError: it is larger than the picture, or leaves out pixels between two of its places.
    """
    check_count("window", window)
    check_count("stride", stride)
    if window > length:
        raise RequestError(
            "a window of {window} pixels does not fit into a picture of {length}.",
            window=window,
            length=length,
        )
    if stride > window and window < length:
        raise RequestError(
            "a stride of {stride} pixels leaves out pixels between windows of {window}: make it {window} or "
            "less.",
            stride=stride,
            window=window,
        )
    return [slice(first, first + window) for first in range(0, length - window + stride, stride)]
