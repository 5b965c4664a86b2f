"""Detection of layers whose outputs differ from pass to pass."""

import random
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from ..hooks.activations import LayerActivations
from ..hooks.recorder import Record
from ..hooks.records import LayerRecord
from ..hooks.values.gradients import has_memory
from ..hooks.values.structure import tensors_in
from .rows import LayerRow

PASSES = 4  # that are compared: a coin that is tossed once in a pass shows the same side in one of eight
PROBES = 64  # values of each tensor by which two passes are compared that are made anyway
NEAR = 1e-5  # by which two sums of the same values may differ on a device that adds up in any order


class Draws:
    """Detector of random numbers drawn in this process, by any thread."""

    def __init__(self) -> None:
        self._before = _states()

    def any(self) -> bool:
        """Return whether any were drawn since the detector was made."""
        return _states() != self._before


def with_chance(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    rows: Sequence[LayerRow],
    known: Collection[str] = (),
) -> tuple[LayerRow, ...]:
    """Return the rows, with the random layers marked.

    Their outputs differ from pass to pass, though the inputs are the same. ``known`` are some of them.
    """
    changed = differing(layers, arguments, [row.name for row in rows if row.calls]).union(known)
    return tuple(replace(row, chance=row.name in changed) for row in rows)


def differing(layers: LayerActivations, arguments: tuple[Any, ...], names: Sequence[str]) -> frozenset[str]:
    """Return the layers whose outputs differ from pass to pass.

    The states of torch's generators are restored.
    """
    with torch.random.fork_rng():
        first, *others = (_sums(layers, arguments, names) for _ in range(PASSES))
    return frozenset(name for name in names if not all(_equal(first[name], other[name]) for other in others))


def probe(tensor: torch.Tensor) -> torch.Tensor:
    """Return a few of a tensor's values, evenly spread."""
    if not has_memory(tensor) or tensor.is_meta or not tensor.numel():
        return torch.zeros(PROBES)
    places = torch.arange(PROBES, device=tensor.device) * (tensor.numel() - 1) // (PROBES - 1)
    at = torch.unravel_index(places, tensor.shape) if tensor.dim() else ()
    values = tensor.detach()[at].cpu()
    return torch.view_as_real(values.resolve_conj()) if values.is_complex() else values.double()


def unlike(one: Record, other: Record) -> frozenset[str]:
    """Return the layers whose probes differ between two passes.

    The first record may have more passes, of which the last one counts. A layer that the model made between
    them is in one record alone, and left out.
    """
    both = set(one.names).intersection(other.names)
    return frozenset(name for name in both if not _alike(one[name], other[name]))


def _alike(one: LayerRecord, other: LayerRecord) -> bool:
    before = tensors_in([call.output for call in list(one)[len(one) - len(other) :]])
    after = tensors_in([call.output for call in other])
    return len(one) >= len(other) and len(before) == len(after) and all(map(_near, before, after))


def _near(one: torch.Tensor, other: torch.Tensor) -> bool:
    largest = float(one.nan_to_num().abs().max())
    return one.shape == other.shape and torch.allclose(
        one, other, rtol=NEAR, atol=NEAR * largest, equal_nan=True
    )


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
