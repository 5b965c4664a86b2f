"""Interference of a capture with the model's output.

A tool for looking must be able to rule it out.
"""

import contextlib
import math
from collections.abc import Callable
from typing import Any

import torch

from ..hooks.activations import LayerActivations
from ..hooks.recorder import Record
from ..hooks.selectors import Selector
from ..hooks.taps import Tap
from ..hooks.values.structure import leaves
from ..sentences import Sentence

SEED = 0


def interference(
    layers: LayerActivations,
    *arguments: Any,
    only: tuple[Selector, ...] = (),
    inputs: bool = False,
    gradients: bool = False,
) -> Sentence | None:
    """Return the change that a capture makes in a model's output.

    None if it makes none.

    The model runs twice with the same seed, as it is and with the capture. Without gradients, values must be
    equal bit for bit on the CPU. Where something has a gradient, PyTorch chooses other kernels, and which
    values have one depends on where the graph begins; other devices add up in any order. There, values must
    be equal up to rounding: half of their digits. A model that differs from itself, such as one that counts
    its calls, cannot be judged and is taken to be unchanged.

    Args:
        layers: the model.
        arguments: the model's inputs.
        only: selectors of the layers to capture; all of them when empty.
        inputs: see ``LayerActivations.capture``.
        gradients: see ``LayerActivations.capture``.

    Raises:
        UnknownLayerError: a selector matches no layer.
    """
    return looked_into(layers, *arguments, only=only, inputs=inputs, gradients=gradients)[1]


def looked_into(
    layers: LayerActivations,
    *arguments: Any,
    only: tuple[Selector, ...] = (),
    inputs: bool = False,
    gradients: bool = False,
    keep: Callable[[torch.Tensor], Any] | None = None,
) -> tuple[Record, Sentence | None]:
    """Return the record of a capture and its interference.

    See ``interference``; ``keep`` is what the record keeps of each tensor, by default nothing.
    """
    exact = not gradients and layers.device.type == "cpu"
    anywhere = next(iter(layers.select()), "")

    def plainly() -> dict[str, torch.Tensor]:
        with layers.trace(_Graph, anywhere) if gradients else contextlib.nullcontext():
            return _returned(layers, arguments)

    before = plainly()
    with layers.capture(*only, inputs=inputs, gradients=gradients, keep=keep or _nothing) as record:
        after = _returned(layers, arguments)
    found = _difference(before, after, exact=exact)
    if found is not None and _difference(before, plainly(), exact=exact) is not None:
        found = None
    return record, found


class _Graph(Tap):
    """Asks for an autograd graph, and for nothing else."""

    needs_graph = True
    needs_inputs = False


def _nothing(tensor: torch.Tensor) -> None:
    """Keep nothing of a tensor."""


def _returned(layers: LayerActivations, arguments: tuple[Any, ...]) -> dict[str, torch.Tensor]:
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        output = layers.run(*arguments)
    return {path: tensor.detach().clone() for path, tensor in leaves(output).items()}


def _difference(
    before: dict[str, torch.Tensor], after: dict[str, torch.Tensor], *, exact: bool
) -> Sentence | None:
    """Return the first difference of two outputs; None if there is none."""
    if before.keys() != after.keys():
        return Sentence(
            "it returns {count} tensors instead of {before}", count=len(after), before=len(before)
        )
    for path, expected in before.items():
        found = after[path]
        if found.shape != expected.shape or found.dtype != expected.dtype:
            return Sentence(
                "{path} has the shape {shape} instead of {before}",
                path=path,
                shape=tuple(found.shape),
                before=tuple(expected.shape),
            )
        largest = _largest_difference(expected, found)
        if largest > (0 if exact else _rounding(expected)):
            return Sentence(
                "{path} differs by up to {number}", path=path, number=f"{largest:.3g}".replace("-", "−")
            )
    return None


def _rounding(expected: torch.Tensor) -> float:
    """Return the tolerance for rounding: half of the largest value's digits.

    It is 0 for whole numbers.
    """
    if not (expected.is_floating_point() or expected.is_complex()) or not expected.numel():
        return 0.0
    values = _wide(expected).abs()
    largest = float(values[values.isfinite()].max()) if values.isfinite().any() else 0.0
    return largest * math.sqrt(torch.finfo(expected.dtype).eps)


def _largest_difference(expected: torch.Tensor, found: torch.Tensor) -> float:
    """Return the largest difference of any two values at one place.

    It is infinite where only one of them is a finite number.
    """
    before, after = _wide(expected), _wide(found)
    if not before.numel():
        return 0.0
    same = (before == after) | (before.isnan() & after.isnan())
    differences = torch.where(same, 0.0, (before - after).abs())
    return float(differences.nan_to_num(nan=math.inf).max())


def _wide(tensor: torch.Tensor) -> torch.Tensor:
    dense = tensor if tensor.layout is torch.strided else tensor.to_dense()
    return (dense.dequantize() if dense.is_quantized else dense).to(torch.complex128).cpu()
