"""Gradients as they flow back into a value: stored, or shown to a function that may change them."""

from collections.abc import Callable
from typing import Any

import torch
from torch.utils.hooks import RemovableHandle

from .structure import leaves, map_tensors

Hook = Callable[[int, torch.Tensor], torch.Tensor | None]


def recomputing() -> bool:
    """Return whether a backward pass is under way, in which activation checkpointing repeats layers."""
    return bool(torch._C._current_graph_task_id() != -1)  # noqa: SLF001  (there is no other way to ask)


class GradientWatch:
    """Tensor hooks on clones of the tensors in a layer's inputs or output, for as long as a block lasts.

    A clone flows on, so a hook sees only what comes back through this value, however else the tensor is used,
    and a later in-place operation changes nothing about it. (A full backward hook would forbid in-place
    operations after the layer.) If no graph exists yet, because the weights are frozen, it starts here.
    """

    def __init__(self) -> None:
        self._handles: list[RemovableHandle] = []

    def store(self, value: Any, found: dict[int, torch.Tensor]) -> Any:
        """Return what flows on; gradients will be copied into ``found`` by their tensor's position."""

        def keep(position: int, gradient: torch.Tensor) -> None:
            found[position] = gradient.detach().clone()  # autograd may go on adding to its own tensor

        return self.show(value, keep)

    def show(self, value: Any, hook: Hook) -> Any:
        """Return what flows on; ``hook(position, gradient)`` may return another gradient.

        A repetition by activation checkpointing gets the same graph without the hooks.
        """
        if torch.is_inference_mode_enabled():
            return value
        shown = map_tensors(value, _continued)
        for position, tensor in enumerate(leaves(shown).values()):
            if tensor.requires_grad and not recomputing():
                self._handles.append(tensor.register_hook(_at(position, hook)))
        return shown

    def end(self) -> None:
        """Remove all hooks."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()


def write_back(given: Any, taken: Any) -> None:
    """Repeat on the ``given`` tensors what a layer wrote in place into the clones that it got instead."""
    for original, clone in zip(leaves(given).values(), leaves(taken).values(), strict=True):
        if clone is not original and clone._version:  # noqa: SLF001  (only the version counter knows)
            with torch.enable_grad():
                original.copy_(clone)


def _at(position: int, hook: Hook) -> Callable[[torch.Tensor], torch.Tensor | None]:
    return lambda gradient: hook(position, gradient)


def _continued(tensor: torch.Tensor) -> torch.Tensor:
    """Return the same values as a new step in the autograd graph, or as its beginning."""
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return tensor
    with torch.enable_grad():
        return (tensor if tensor.requires_grad else tensor.detach().requires_grad_()).clone()
