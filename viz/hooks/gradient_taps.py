"""What a ``with`` block does to the gradients at the outputs and at the inputs of its layers.

Both put a clone with a tensor hook in the gradient's way. A full backward hook could return the same
gradient, but it forbids in-place operations after the layer; these allow them.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import torch
from torch import nn

from .gradients import GradientWatch, Hook, write_back
from .taps import EDIT_GRADIENT, CallCounter, Tap, check_positional, edited

GradientFunction = Callable[[torch.Tensor], Any]


class GradientEdit(Tap):
    """Changes the gradient that flows back into a layer's output, or only into its first tensor."""

    rank = EDIT_GRADIENT
    needs_graph = True

    def __init__(
        self,
        layers: Mapping[nn.Module, str],
        gradient: GradientFunction,
        call: int | None,
        *,
        first_alone: bool = False,
    ) -> None:
        super().__init__(layers)
        self._gradient = gradient
        self._first_alone = first_alone
        self._calls = CallCounter(call)
        self._watch = GradientWatch()

    def start(self) -> None:
        """Count calls from the beginning."""
        self._calls.start()

    def check(self) -> None:
        """See ``CallCounter.check``."""
        self._calls.check(tuple(self.layers.values()))

    def after(self, name: str, output: Any) -> Any:
        """Return the output with a tensor hook on a clone of every tensor in it."""
        if not self._calls.meets(name):
            return output
        return self._watch.show(output, self._change(f"the gradient at {name!r}"))

    def finish(self) -> None:
        """Remove the tensor hooks."""
        self._watch.end()

    def _change(self, where: str) -> Hook:
        def change(position: int, flowing: torch.Tensor) -> Any:
            meant = position == 0 or not self._first_alone
            return edited(self._gradient, flowing, where) if meant else None

        return change


class InputGradientEdit(GradientEdit):
    """Changes the gradient that a layer passes on to its positional inputs, for each call on its own."""

    @cached_property
    def _begun(self) -> dict[str, list[tuple[Any, Any]]]:
        """For each layer's calls under way, what it was given and the clones that it got instead."""
        return {name: [] for name in self.layers.values()}

    def start(self) -> None:
        """Count calls from the beginning, and forget those that an earlier run did not finish."""
        super().start()
        for begun in self._begun.values():
            begun.clear()

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Return the inputs with a tensor hook on a clone of every tensor in the positional ones."""
        taken = args
        if self._calls.meets(name):
            check_positional(name, args, kwargs)
            taken = self._watch.show(args, self._change(f"the gradient at the inputs of {name!r}"))
        self._begun[name].append((args, taken))
        return taken, kwargs

    def returned(self, name: str) -> None:
        """Repeat on the inputs what the layer wrote in place into the clones that it got instead."""
        if self._begun[name]:  # empty if the block was opened while the layer ran
            write_back(*self._begun[name].pop())

    def after(self, name: str, output: Any) -> Any:
        """Return the output as it is."""
        del name
        return output
