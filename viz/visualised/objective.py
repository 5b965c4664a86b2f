"""Objective of an optimised picture, from the wanted channel of a layer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import leaky_relu, normalize

from ..errors import LayoutError, RequestError
from ..hooks.values.structure import tensors_in
from ..maps.layout import arrange
from ..request.arrangement import Arrangement
from ..request.optimised import Wish

_BELOW = 0.1
_MOST_NUMBERS = 1 << 26  # of a layer's value, of which each gets a place


@dataclass(frozen=True)
class ChannelPlaces:
    """Positions of the channels in a layer's value.

    Attributes:
        shape: of the value for one picture, (1, …).
        places: int64 (channels, rows, columns), places in the value as one row of numbers.
    """

    shape: tuple[int, ...]
    places: Tensor

    def maps(self, value: Tensor) -> Tensor:
        """Return the channels (pictures, channels, rows, columns) of a value (pictures, …)."""
        return self._rows(value)[:, self.places]

    def channel(self, value: Tensor, channel: int) -> Tensor:
        """Return one channel (pictures, rows, columns) of a value (pictures, …)."""
        return self._rows(value)[:, self.places[channel]]

    def _rows(self, value: Tensor) -> Tensor:
        if tuple(value.shape[1:]) != self.shape[1:]:
            raise LayoutError(
                "the layer returned {shape} for this picture, and {before} before.",
                shape=str(tuple(value.shape)),
                before=str(self.shape),
            )
        return value.reshape(len(value), -1)


def first_value(output: Any) -> Tensor:
    """Return the first tensor that a layer returned.

    Raises:
        LayoutError: it returned none of real numbers.
    """
    found = next(iter(tensors_in(output)), None)
    if found is None or not found.is_floating_point() or found.ndim < 2:  # noqa: PLR2004  (N, …)
        raise LayoutError("this layer returns no real numbers that a picture could raise; choose another.")
    return found


def placed(
    value: Tensor,
    wish: Wish,
    *,
    layer_type: str,
    size: tuple[int, int],
    arrangement: Arrangement | None,
) -> ChannelPlaces:
    """Return the places of channels in a layer's value (1, …).

    The channels are those that the page draws.

    Raises:
        LayoutError: the value cannot be drawn, or its channels are no numbers of it, but made of several.
        RequestError: there is no such channel or cell.
    """
    shape = tuple(value.shape)
    if value.numel() > _MOST_NUMBERS or shape[0] != 1:
        raise LayoutError("this layer returns too much for a picture to be optimised; choose another.")
    numbers = np.arange(value.numel(), dtype=np.float64).reshape(shape)
    laid = arrange(
        numbers, kind=wish.kind, layer_type=layer_type, image_size=size, arrangement=arrangement
    ).maps
    places = np.nan_to_num(laid, nan=-1).astype(np.int64)
    if laid.size == 0 or places.min() < 0 or not np.array_equal(places, laid):
        raise LayoutError(
            "what is drawn of this layer is made of several numbers each; choose another layout."
        )
    _check(wish, places.shape)
    return ChannelPlaces(shape, torch.from_numpy(places))


def score(wish: Wish, where: ChannelPlaces) -> Callable[[Tensor], Tensor]:
    """Return the objective of a wish as a function of values.

    The function takes a value (pictures, …), and returns numbers (pictures) that are to grow.

    Of a channel it is the mean of all cells, in which those below zero count a tenth. A convolution that
    looks for edges returns as much below zero as above, whatever it sees: the plain mean would be that of
    the picture's border. What pictures reach is told by ``measure``.
    """
    return _measured(wish, where, below=_BELOW)


def measure(wish: Wish, where: ChannelPlaces) -> Callable[[Tensor], Tensor]:
    """Return the reported measure of a wish as a function of values.

    The function takes a value (pictures, …), and returns its channel's mean (pictures).

    Of a cell it is the cell, and of a direction the weighted sum of the channels' means.
    """
    return _measured(wish, where, below=1)


def _measured(wish: Wish, where: ChannelPlaces, below: float) -> Callable[[Tensor], Tensor]:
    if wish.direction:
        return lambda value: sum(
            (weight * where.channel(value, channel).flatten(1).mean(1) for channel, weight in wish.direction),
            start=value.new_zeros(len(value)),
        )
    if wish.cell is not None:
        row, column = wish.cell
        return lambda value: where.channel(value, wish.channel)[:, row, column]
    return lambda value: leaky_relu(where.channel(value, wish.channel), below).flatten(1).mean(1)


def likeness(maps: Tensor) -> Tensor:
    """Return the mean cosine of all pairs of pictures' Gram matrices.

    These show how alike the pictures' channels go together.

    Source: Olah et al., "Feature Visualization", Distill, 2017, section "Diversity".
    """
    flat = maps.flatten(2)
    together = normalize((flat @ flat.transpose(1, 2)).flatten(1), dim=1)
    others = ~torch.eye(len(together), dtype=torch.bool)
    return (together @ together.T)[others].mean()


def _check(wish: Wish, shape: tuple[int, ...]) -> None:
    channels, rows, columns = shape
    for channel in (wish.channel, *(channel for channel, _ in wish.direction)):
        if not 0 <= channel < channels:
            raise RequestError(
                "there is no channel {channel}: this layer has channels 0 to {last}.",
                channel=channel,
                last=channels - 1,
            )
    if wish.cell and not (0 <= wish.cell[0] < rows and 0 <= wish.cell[1] < columns):
        raise RequestError(
            "there is no cell {cell}: this layer's maps have {rows} rows and {columns} columns.",
            cell=str(wish.cell),
            rows=rows,
            columns=columns,
        )
