"""Does looking change what a model computes? A tool for looking must be able to answer that."""

import contextlib
from typing import Any

import torch

from ..hooks.activations import LayerActivations
from ..hooks.selectors import Selector
from ..hooks.structure import leaves
from ..hooks.taps import Tap
from ..sentences import Sentence

SEED = 0


def interference(
    layers: LayerActivations,
    *arguments: Any,
    only: tuple[Selector, ...] = (),
    inputs: bool = False,
    gradients: bool = False,
) -> Sentence | None:
    """Return how capturing changes what a model returns, or None if it does not.

    The model runs twice with the same seed, as it is and with the capture, both with or both without an
    autograd graph, because PyTorch chooses other kernels for gradients. Values must be equal bit for bit on
    the CPU, and up to the last bits on other devices, which add up in any order. A model that differs from
    itself, such as one that counts its calls, cannot be judged and is taken to be unchanged.

    Args:
        layers: the model.
        arguments: the model's inputs.
        only: selectors of the layers to capture; all of them when empty.
        inputs: see ``LayerActivations.capture``.
        gradients: see ``LayerActivations.capture``.

    Raises:
        UnknownLayerError: a selector matches no layer.
    """

    def plainly() -> dict[str, torch.Tensor]:
        with layers.trace(_Graph, layers.select()[0]) if gradients else contextlib.nullcontext():
            return _returned(layers, arguments)

    before = plainly()
    with layers.capture(*only, inputs=inputs, gradients=gradients, keep=_nothing):
        after = _returned(layers, arguments)
    found = _difference(before, after)
    return found if found is None or _difference(before, plainly()) is None else None


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


def _difference(before: dict[str, torch.Tensor], after: dict[str, torch.Tensor]) -> Sentence | None:
    """Return where two outputs of the model differ most, or None if they are the same."""
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
        if not _same(expected, found):
            largest = _largest_difference(expected, found)
            return Sentence("{path} differs by up to {number}", path=path, number=f"{largest:.3g}")
    return None


def _same(expected: torch.Tensor, found: torch.Tensor) -> bool:
    plain = [tensor.dequantize() if tensor.is_quantized else tensor for tensor in (expected, found)]
    dense = [tensor if tensor.layout is torch.strided else tensor.to_dense() for tensor in plain]
    exact = not expected.is_floating_point() or expected.device.type == "cpu"
    bound = 0.0 if exact else 64 * torch.finfo(expected.dtype).eps
    return torch.allclose(dense[0], dense[1], rtol=bound, atol=bound, equal_nan=True)


def _largest_difference(expected: torch.Tensor, found: torch.Tensor) -> float:
    pair = [tensor.to_dense() if tensor.is_sparse else tensor for tensor in (expected, found)]
    wide = [(tensor.dequantize() if tensor.is_quantized else tensor).to(torch.complex128) for tensor in pair]
    return float((wide[0] - wide[1]).abs().nan_to_num().max())
