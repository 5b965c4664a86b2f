"""Measurements of a layer's output, and of its weights around an update."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import LayoutError
from ..maps.layout import best_kind

STATISTICS = ("mean", "deviation", "dead", "gradient_norm", "update_ratio")
_CHANNELS_SECOND = {"vector", "maps", "signals", "volume", "attention"}
_NOTHING = float("nan")


class Output(NamedTuple):
    """Kept values of a layer's output, its statistics and kept channels."""

    values: NDArray[np.float32]
    statistics: tuple[float, float, float]
    channels: NDArray[np.int64]


def measured(output: torch.Tensor, layer_type: str, inputs: int, channels: int | Sequence[int]) -> Output:
    """Return exact values of some channels, and statistics of the whole output.

    Values are of the first ``inputs`` of the batch. The share of dead units counts channels that are above
    zero nowhere, for no input.
    """
    output = output.detach()
    output = output.abs() if output.is_complex() else output
    output = output if output.ndim > 1 else output.reshape(1, -1)
    axis = _channel_axis(tuple(output.shape), layer_type)
    size = output.shape[axis]
    wanted = range(channels) if isinstance(channels, int) else channels
    kept = np.array([each for each in wanted if each < size], dtype=np.int64)
    part = output[:inputs].index_select(axis, torch.from_numpy(kept).to(output.device))
    return Output(part.to("cpu", torch.float32, copy=True).numpy(), _statistics(output, axis), kept)


def _statistics(output: torch.Tensor, axis: int) -> tuple[float, float, float]:
    if not output.numel():
        return _NOTHING, _NOTHING, _NOTHING
    others = [each for each in range(output.ndim) if each != axis % output.ndim]
    variance, mean = torch.var_mean(output.to(_precise(output)), correction=0)
    dead = (output.amax(others) <= 0).sum() / output.shape[axis]
    return float(mean), float(variance.sqrt()), float(dead)


def _channel_axis(shape: tuple[int, ...], layer_type: str) -> int:
    try:
        return 1 if best_kind(shape, layer_type) in _CHANNELS_SECOND else -1
    except LayoutError:  # of more axes than can be drawn
        return 1


class Update:
    """Weights of layers before one step of an optimiser, and their gradients.

    Args:
        weights: each layer's parameters.
        copy: whether to keep the weights, to compare them with those after the step.
    """

    def __init__(self, weights: Mapping[str, Sequence[torch.Tensor]], *, copy: bool = True) -> None:
        self._weights = weights
        every = {id(each): each for own in weights.values() for each in own}
        self._before = {key: each.detach().clone() for key, each in every.items()} if copy else {}

    def statistics(self, name: str) -> tuple[float, float]:
        """Return a layer's gradient norm and the relative change of its weights.

        The change is a norm, divided by the norm of the weights before the step.

        NaN where there is none. The gradients are those that are there now, after the step: an optimiser may
        compute them within it.
        """
        own = [each for each in self._weights.get(name, ()) if id(each) in self._before]
        before = _norm(self._before[id(each)] for each in own)
        change = _norm(each.detach() - self._before[id(each)] for each in own)
        gradients = [each.grad for each in self._weights.get(name, ()) if each.grad is not None]
        return _norm(gradients), change / before if before else _NOTHING


def _norm(tensors: Iterable[torch.Tensor]) -> float:
    """Return the Euclidean norm of all their numbers; NaN without any tensor."""
    dense = [(each if each.layout == torch.strided else each.to_dense()).detach() for each in tensors]
    norms = [float(torch.linalg.vector_norm(each, dtype=_precise(each))) for each in dense]
    return float(np.sqrt(np.sum(np.square(norms)))) if norms else _NOTHING


def _precise(tensor: torch.Tensor) -> torch.dtype:
    return torch.float32 if tensor.device.type == "mps" else torch.float64  # MPS has no double precision
