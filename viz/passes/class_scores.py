"""The scores of classes in a model's output of any structure."""

import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from ..findings.output_meaning import BOXES, MASKS, MISNAMED, SEVERAL, UNDEFINED
from ..hooks.values.structure import leaves

_LOGITS = "logits"
_MASKS = re.compile(r"(?<!attention)(?:\b|_)masks?(?:\b|_)")
_MAPS, _IMAGES = 3, 4  # axes of (N, H, W), and of (N, C, H, W)


def class_rows(output: Any, rows: int) -> Tensor | None:
    """The scores (rows, classes) in ``output``, or None.

    They are the one tensor of that form, or the one of these that is called logits, or else has logits in its
    name. Axes of one place beside the classes, as a convolution leaves them, do not count. For one row the
    batch's axis may be missing, and for one class the classes'; a lone number is a score only if the output
    is nothing else, or calls it logits: beside other tensors it is rather a loss.
    """
    found = _candidates(leaves(output), rows)
    called = [scores for path, scores in found.items() if _LOGITS in re.findall(r"\w+", path)]
    named = [scores for path, scores in found.items() if _LOGITS in path]
    return next((best[0] for best in (called, named, list(found.values())) if len(best) == 1), None)


def what_else(output: Any, classes: int) -> str:
    """Find a model's output in place of finite scores for its classes."""
    tensors = leaves(output)
    if any("box" in path for path in tensors):
        return BOXES
    if any(_is_masks(path, tensor, classes) for path, tensor in tensors.items()):
        return MASKS
    scores = class_rows(output, 1)
    if scores is None:
        maps = classes > 0 and bool(tensors) and all(map(_has_places, tensors.values()))
        return SEVERAL if _candidates(tensors, 1) else MASKS if maps else ""
    if scores.shape[1] == classes:
        return UNDEFINED
    return MISNAMED if classes else ""


def _candidates(tensors: Mapping[str, Tensor], rows: int) -> dict[str, Tensor]:
    alone = not any(tensor.ndim for tensor in tensors.values())
    counted = {path: tensor for path, tensor in tensors.items() if tensor.ndim or alone or _LOGITS in path}
    found = {path: _as_rows(tensor, rows) for path, tensor in counted.items()}
    return {path: scores for path, scores in found.items() if scores is not None}


def _has_places(tensor: Tensor) -> bool:
    """Check for maps (1, C, H, W) of real numbers."""
    scores = tensor.is_floating_point() and tensor.ndim == _IMAGES and len(tensor) == 1
    return scores and max(tensor.shape[2:]) > 1


def _is_masks(path: str, tensor: Tensor, classes: int) -> bool:
    """Check for maps of classes or maps called masks."""
    if tensor.ndim == _IMAGES and tensor.shape[:2] == (1, classes) and max(tensor.shape[2:]) > 1:
        return True
    return bool(_MASKS.search(path)) and tensor.ndim >= _MAPS and min(tensor.shape[-2:]) > 1


def _as_rows(tensor: Tensor, rows: int) -> Tensor | None:
    if not tensor.is_floating_point():
        return None
    if tensor.ndim <= 1 and rows == 1:
        return tensor.reshape(1, tensor.numel())
    if tensor.ndim <= 1:
        return tensor[:, None] if tensor.shape == (rows,) else None
    one_axis = tensor.numel() == len(tensor) * max(tensor.shape[1:])
    return tensor.flatten(1) if one_axis and len(tensor) == rows else None
