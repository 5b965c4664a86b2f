"""Detection of layers whose outputs are random in evaluation mode."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from ..hooks.activations import LayerActivations
from ..hooks.structure import tensors_in
from .rows import LayerRow

PASSES = 4  # that are compared: a coin that is tossed once in a pass shows the same side in one of eight
NEAR = 1e-5  # by which two sums of the same values may differ on a device that adds up in any order


class Draws:
    """Detector of random numbers drawn in this process, by any thread."""

    def __init__(self) -> None:
        self._before = _states()

    def any(self) -> bool:
        """Return whether any were drawn since the detector was made."""
        return _states() != self._before


def with_chance(
    layers: LayerActivations, arguments: tuple[Any, ...], rows: Sequence[LayerRow]
) -> tuple[LayerRow, ...]:
    """Return the rows, with the random layers marked.

    Their outputs differ from pass to pass, though the inputs are the same.
    """
    changed = differing(layers, arguments, [row.name for row in rows if row.calls])
    return tuple(replace(row, chance=row.name in changed) for row in rows)


def differing(layers: LayerActivations, arguments: tuple[Any, ...], names: Sequence[str]) -> frozenset[str]:
    """Return the layers whose outputs differ from pass to pass.

    The states of torch's generators are restored.
    """
    with torch.random.fork_rng():
        first, *others = (_sums(layers, arguments, names) for _ in range(PASSES))
    return frozenset(name for name in names if not all(_equal(first[name], other[name]) for other in others))


def _sums(layers: LayerActivations, arguments: tuple[Any, ...], names: Sequence[str]) -> dict[str, list[Any]]:
    """Return two sums per tensor, which distinguish one draw from another."""
    with layers.capture(*names, keep=_two_sums) as record:
        layers.run(*arguments)
    return {name: [tensors_in(call.output) for call in record[name]] for name in names}


def _two_sums(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.is_nested or tensor.is_meta:
        return torch.zeros(2)
    dense = tensor.dequantize() if tensor.is_quantized else tensor.to_dense()
    values = (torch.view_as_real(dense.resolve_conj()) if dense.is_complex() else dense).double()
    finite = values.nan_to_num().flatten()
    places = torch.linspace(1, 2, len(finite), dtype=finite.dtype, device=finite.device)
    return torch.stack([finite.abs().sum(), (finite * places).sum()])


def _equal(one: list[list[torch.Tensor]], other: list[list[torch.Tensor]]) -> bool:
    pairs = [(a, b) for calls in zip(one, other, strict=False) for a, b in zip(*calls, strict=False)]
    return len(one) == len(other) and all(
        torch.allclose(a, b, rtol=NEAR, atol=NEAR * float(a[0])) for a, b in pairs
    )


def _states() -> list[Any]:
    """The states of the generators that everybody shares."""
    shared = [torch.get_rng_state()]
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        shared += torch.cuda.get_rng_state_all()
    numbers = np.random.get_state(legacy=False)  # noqa: NPY002  (whether a model uses it)
    return [*(state.numpy().tobytes() for state in shared), str(numbers), random.getstate()]
