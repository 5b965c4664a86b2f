"""Boxes on the picture, one for every value of a tensor.

A box is kept as four *planes*, −top, −left, bottom and right (the last row and column inside it), each of
the tensor's own shape; a video may have two more, −first and last of its frames. So the union of boxes is
a maximum, and "no box" is −infinity. Planes are views with stride 0 along every axis where nothing changes
(all channels of a convolution see the same place, for example), so operations on them cost next to nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod

import torch
from torch import Tensor

EMPTY = float("-inf")
_WORTH_IT = 1 << 16  # bytes; smaller planes cost less than checking them

Planes = tuple[Tensor, ...]
Window = Sequence[int]


@dataclass(frozen=True, eq=False)
class Boxes:
    """The box of every value of one tensor.

    ``cause`` is the step, if any, that made them as large as the picture.
    """

    planes: Planes
    cause: str = ""

    @property
    def shape(self) -> torch.Size:
        """The tensor's shape."""
        return self.planes[0].shape

    def each(self, change: Callable[[Tensor], Tensor]) -> "Boxes":
        """Return the boxes with all planes changed in the same way."""
        return replace(self, planes=tuple(map(change, self.planes)))

    @property
    def nowhere(self) -> bool:
        """Return whether no value has a box."""
        return bool((compact(self.planes[0]) == EMPTY).all())

    def followed_by(self, axes: int) -> "Boxes":
        """Return the boxes with so many further axes of length 1 behind."""
        return self.each(lambda plane: plane.reshape([*plane.shape, *[1] * axes]))

    def cover(self, size: tuple[int, int]) -> bool:
        """Return whether every box is the whole picture of (height, width)."""
        whole = (0, 0, size[0] - 1, size[1] - 1)
        return all(
            bool((compact(plane) >= limit).all()) for plane, limit in zip(self.planes[:4], whole, strict=True)
        )


def picture_boxes(shape: Sequence[int], *, flat: bool = False, frames: int | None = None) -> Boxes:
    """Return the boxes of a picture's own values: one pixel each.

    The last axis runs to the right and the one before it down; a ``flat`` one, such as a signal (N, C, L),
    has one row. ``frames`` is the axis of a video's frames, if they are to be told apart.
    """
    rows = torch.zeros(1) if flat else torch.arange(shape[-2]).float()[:, None]
    columns = torch.arange(shape[-1]).float()
    planes: Planes = (-rows, -columns, rows, columns)
    if frames is not None:
        numbers = torch.arange(shape[frames]).float().reshape([-1] + [1] * (len(shape) - 1 - frames))
        planes = (*planes, -numbers, numbers)
    return Boxes(planes).each(lambda plane: plane.expand(tuple(shape)))


def no_boxes(shape: Sequence[int], planes: int = 4) -> Boxes:
    """Return empty boxes, for values that do not depend on the picture."""
    nothing = torch.tensor(EMPTY)
    return Boxes((nothing,) * planes).each(lambda plane: plane.expand(tuple(shape)))


def union(parts: Iterable[Boxes], shape: Sequence[int], planes: int = 4) -> Boxes:
    """Return the smallest boxes around those of all parts.

    The parts broadcast to ``shape``. Without parts there are no boxes; a box would have so many ``planes``.
    """
    total: Boxes | None = None
    for part in parts:
        thin = part.each(compact)
        total = thin if total is None else _joined(total, thin)
    return no_boxes(shape, planes) if total is None else total.each(lambda plane: plane.expand(tuple(shape)))


def _joined(left: Boxes, right: Boxes) -> Boxes:
    planes = tuple(torch.maximum(*pair) for pair in zip(left.planes, right.planes, strict=True))
    return Boxes(planes, left.cause or right.cause)


def compact(plane: Tensor) -> Tensor:
    """Return the plane with one entry along every axis where nothing changes."""
    for axis in range(plane.ndim):
        if plane.stride(axis) == 0 and plane.shape[axis] > 1:
            plane = plane.narrow(axis, 0, 1)
    return plane


def slim(plane: Tensor) -> Tensor:
    """Return the plane without copies along axes where nothing changes.

    Moving a plane makes such copies.
    """
    if plane.untyped_storage().nbytes() < _WORTH_IT or 0 in plane.shape:
        return plane
    thin = compact(plane)
    for axis in range(thin.ndim):
        first = thin.narrow(axis, 0, 1)
        # The last entry settles most cases at a fraction of the cost.
        if torch.equal(first, thin.narrow(axis, -1, 1)) and bool((thin == first).all()):
            thin = first
    return thin.contiguous().expand(plane.shape) if thin.numel() < plane.numel() else plane


def reshaped(plane: Tensor, shape: Sequence[int]) -> Tensor:
    """Return the plane in another shape, with few copies.

    Last axes along which nothing changes are not copied.
    """
    last, count = plane.ndim, 1
    kept, joint = (plane.ndim, len(shape)), {prod(shape[axis:]): axis for axis in range(len(shape), -1, -1)}
    while last and (plane.stride(last - 1) == 0 or plane.shape[last - 1] == 1):
        last -= 1
        count *= plane.shape[last]
        if count in joint:
            kept = (last, joint[count])
    for axis in range(kept[0], plane.ndim):
        plane = plane.narrow(axis, 0, 1)
    front = list(shape[: kept[1]])
    new = plane.reshape(front)
    new = new if new.data_ptr() == plane.data_ptr() else slim(new)
    return new.reshape(front + [1] * (len(shape) - len(front))).expand(tuple(shape))


def spread(plane: Tensor, axes: Sequence[int]) -> Tensor:
    """Return the plane with boxes widened to the union along ``axes``.

    No axes means all.
    """
    thin = compact(plane)
    chosen = tuple(axes) or tuple(range(plane.ndim))
    return (thin.amax(chosen, keepdim=True) if chosen else thin).expand(plane.shape)


def merged(plane: Tensor, axes: Sequence[int], shape: Sequence[int]) -> Tensor:
    """Return the union along ``axes``; no axes means all.

    They have length 1 in ``shape``, or are not in it.
    """
    gone = {axis % plane.ndim for axis in axes} or set(range(plane.ndim))
    thin = compact(plane).amax(tuple(gone), keepdim=True) if plane.ndim else plane
    if len(shape) < plane.ndim:
        thin = thin.squeeze(tuple(gone))
    return thin.expand(tuple(shape))


def gathered(plane: Tensor, axis: int, places: Sequence[Sequence[int]]) -> Tensor:
    """Return the unions of boxes at ``places`` along ``axis``.

    Each entry of ``places`` makes one entry of the result. An entry without places (a window that lies in the
    padding) has no box.
    """
    thin = compact(plane)
    if thin.shape[axis] == 1:  # nothing changes along this axis: only whether a window is empty matters
        places = [[0] if some else [] for some in places]
        if all(places):
            return thin.expand([*thin.shape[:axis], len(places), *thin.shape[axis + 1 :]])
    nowhere = thin.shape[axis]
    width = max(map(len, places), default=0) or 1
    index = torch.tensor([[*some, *[nowhere] * (width - len(some))] for some in places]).flatten()
    edge = torch.full_like(thin.narrow(axis, 0, 1), EMPTY)
    seen = torch.cat([thin, edge], axis).index_select(axis, index)
    windows: Tensor = seen.unflatten(axis, (-1, width))
    return windows.amax(axis + 1)
