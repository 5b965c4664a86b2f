"""Spread of the numbers normalised together, before and after a layer."""

from collections.abc import Hashable
from typing import Any

import torch
from torch import Tensor, nn

from ..answers.number import Bins, Spread
from ..number.taken import LayerCall

_BINS = 32
_LEAST = 2  # numbers that have a spread

Index = tuple[int | slice, ...]


def spread(taken: LayerCall, cell: tuple[int, ...]) -> Spread | None:
    """Return the spread of the numbers normalised with a cell.

    None if it is unknown, or if the numbers are too few or all equal.
    """
    given, where = taken.given, normalised_with(taken.layer, cell)
    if given is None or where is None or given.shape != taken.value.shape:
        return None
    before, after = _bins(given[where]), _bins(taken.value[where])
    return Spread(before=before, after=after) if before and after else None


def normalised_with(layer: Any, cell: tuple[int, ...]) -> Index | None:
    """Return the index of the numbers normalised with a cell.

    They share its mean or deviation; None if that is not known.
    """
    if isinstance(layer, nn.GroupNorm):
        size = layer.num_channels // layer.num_groups
        first = cell[1] // size * size
        return cell[0], slice(first, first + size)
    if isinstance(layer, nn.modules.batchnorm._NormBase):  # noqa: SLF001  (batch and instance normalisation)
        return cell[:2]
    shape = getattr(layer, "normalized_shape", None)
    if shape is None:
        return None
    if "2d" in type(layer).__name__:  # over the channels of (N, C, H, W)
        return cell[0], slice(None), *cell[2:]
    return cell[: len(cell) - len(shape)]


def same(index: Index | None) -> Hashable:
    """Return a key that is equal for cells normalised together."""
    return tuple(str(each) for each in index) if index is not None else None


def _bins(values: Tensor) -> Bins | None:
    known = values.detach().flatten().cpu().double()
    known = known[known.isfinite()]
    if len(known) < _LEAST:
        return None
    low, high = float(known.min()), float(known.max())
    if low == high:
        return None
    counts = torch.histc(known, _BINS, low, high)
    return Bins(low=low, high=high, counts=tuple(map(int, counts.tolist())))
