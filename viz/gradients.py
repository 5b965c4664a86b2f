"""Gradients as they flow back into a value: stored, or shown to a function that may change them."""

from collections.abc import Callable
from typing import Any

import torch
from torch.utils.hooks import RemovableHandle

from viz.structure import map_tensors

Hook = Callable[[int, torch.Tensor], torch.Tensor | None]


class GradientWatch:
    """Tensor hooks behind the tensors of a layer's inputs or output, for as long as a block lasts.

    What flows on is an alias of the tensor, so a hook sees only what comes back through this value, however
    else the tensor is used, and a later in-place operation changes nothing about it. (A full backward hook
    would forbid in-place operations behind the layer.) Where no graph exists yet, because the weights are
    frozen, it starts here.
    """

    def __init__(self) -> None:
        self._handles: list[RemovableHandle] = []

    def store(self, value: Any, found: dict[int, torch.Tensor]) -> Any:
        """Return what shall flow on; gradients will be copied into ``found`` by their tensor's position."""

        def keep(position: int, gradient: torch.Tensor) -> None:
            found[position] = gradient.detach().clone()  # autograd may go on adding to its own tensor

        return self.show(value, keep)

    def show(self, value: Any, hook: Hook) -> Any:
        """Return what shall flow on; ``hook(position, gradient)`` may return another gradient."""
        if torch.is_inference_mode_enabled():
            return value
        positions = iter(range(2**31))
        return map_tensors(value, lambda tensor: self._hooked(tensor, next(positions), hook))

    def end(self) -> None:
        """Take all hooks away."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def _hooked(self, tensor: torch.Tensor, position: int, hook: Hook) -> torch.Tensor:
        if not (tensor.is_floating_point() or tensor.is_complex()):
            return tensor
        with torch.enable_grad():
            alias = _alias(tensor)
        self._handles.append(alias.register_hook(lambda gradient: hook(position, gradient)))
        return alias


def _alias(tensor: torch.Tensor) -> torch.Tensor:
    """Return the same values as a new step in the autograd graph, or as its beginning."""
    if not tensor.requires_grad:  # a leaf itself must not be written to in place, its clone may
        return tensor.detach().requires_grad_().clone()
    return (
        tensor.view_as(tensor) if tensor.layout == torch.strided and not tensor.is_nested else tensor.clone()
    )
