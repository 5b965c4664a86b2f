"""The scores of classes in what a model returns: a tensor, or one in a tuple, a dict or another structure."""

from typing import Any

from torch import Tensor

from ..hooks.structure import tensors_in

_MATRIX = 2  # axes


def class_rows(output: Any, rows: int) -> Tensor | None:
    """The scores (rows, classes) if exactly one tensor in ``output`` can be these, else None.

    Axes of one place behind the classes, as a convolution leaves them, do not count. For one row the batch's
    axis may be missing.
    """
    found = [scores for tensor in tensors_in(output) if (scores := _as_rows(tensor, rows)) is not None]
    return found[0] if len(found) == 1 else None


def _as_rows(tensor: Tensor, rows: int) -> Tensor | None:
    if not tensor.is_floating_point() or tensor.ndim == 0:
        return None
    if tensor.ndim == 1:
        return tensor[None] if rows == 1 else None
    flat = tensor.flatten(1) if all(side == 1 for side in tensor.shape[_MATRIX:]) else None
    return flat if flat is not None and len(flat) == rows else None
