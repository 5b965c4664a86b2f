"""Gradients redirected through dead rectifiers: the part that raises them passes.

A channel behind a ReLU that returns only zeros has no gradient, so ascent would never begin.

Source: the redirected gradients of Lucid, as told by Olah et al., "Feature Visualization", Distill, 2017.
"""

import contextlib
from collections.abc import Iterable, Iterator

import torch
from torch import Tensor, nn

from ..hooks.activations import LayerActivations
from ..hooks.gradient_taps import GradientFunction
from ..layer_names import is_operation

_RECTIFIERS = (nn.ReLU, nn.ReLU6, nn.Hardtanh, nn.Threshold)
_FUNCTIONS = ("relu", "relu_", "relu6", "hardtanh", "threshold")


def rectifiers(layers: LayerActivations, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return a model's rectifiers: all such layers, and operations among ``names``."""
    kinds = {id(each) for each in layers.model.modules() if isinstance(each, _RECTIFIERS)}
    found = [name for name in layers.names if id(layers.model.get_submodule(name)) in kinds] if kinds else []
    operations = [name for name in names if is_operation(name) and _function(name) in _FUNCTIONS]
    return tuple(dict.fromkeys((*found, *operations)))


@contextlib.contextmanager
def redirected(layers: LayerActivations, names: Iterable[str]) -> Iterator[None]:
    """Let the objective's slope through dead rectifiers, in runs inside this block."""
    with contextlib.ExitStack() as edits:
        for name in names:
            arrived: list[Tensor] = []
            edits.enter_context(layers.edit(name, gradient=_noted(arrived), input_gradient=_passing(arrived)))
        yield


def _noted(arrived: list[Tensor]) -> GradientFunction:
    def note(gradient: Tensor) -> Tensor:
        arrived.append(gradient)
        return gradient

    return note


def _passing(arrived: list[Tensor]) -> GradientFunction:
    """Return the function that lets the raising part of a gradient pass.

    Each call's gradient at its input comes right after the one at its output.
    """

    def passing(gradient: Tensor) -> Tensor:
        above = arrived.pop() if arrived else gradient
        rows = (len(gradient), *[1] * (gradient.ndim - 1))
        dead = (gradient.flatten(1) == 0).all(1).view(rows)
        return torch.where(dead, above.clamp_min(0), gradient)

    return passing


def _function(name: str) -> str:
    return name.rpartition("› ")[2].partition(" ")[0]
