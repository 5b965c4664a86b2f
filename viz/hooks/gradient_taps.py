"""Edits of the gradients at the outputs and inputs of layers.

Both put a node with a tensor hook in the gradient's way. A full backward hook could return the same
gradient, but it forbids in-place operations after the layer; these allow them.
"""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from .functional import Place
from .taps import EDIT_GRADIENT, CallCounter, Tap, call_under_way, check_positional, edited
from .values.gradients import Given, GradientWatch, Hook, given_memory
from .values.structure import Undo

GradientFunction = Callable[[torch.Tensor], Any]


class GradientEdit(Tap):
    """Edit of the gradient that flows back into a layer's output.

    With ``first_alone`` it changes that of the first tensor only.
    """

    rank = EDIT_GRADIENT
    needs_graph = True

    def __init__(
        self,
        layers: Mapping[Place, str],
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
        self._begun: dict[int, tuple[Given, Undo]] = {}  # by the number of the call under way

    def start(self) -> None:
        """Count calls anew, and forget unfinished ones of an earlier run."""
        self._calls.start()
        self._begun.clear()

    def check(self) -> None:
        """See ``CallCounter.check``."""
        self._calls.check(tuple(self.layers.values()))

    @property
    def met(self) -> bool:
        """See ``CallCounter``."""
        return self._calls.met

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Note the layer's input memory: others may go on reading it."""
        self.ran = True
        del name
        self._begun[call_under_way()] = given_memory((args, kwargs)), _nothing
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Return the output with a tensor hook on every tensor in it."""
        known, _ = self._begun.pop(call_under_way(), ({}, _nothing))
        if not self._calls.meets(name):
            return output
        return self._watch.show(output, self._change(f"the gradient at {name!r}"), known)[0]

    def watches(self) -> list[GradientWatch]:
        """Return the tensor hooks."""
        return [self._watch]

    def finish(self) -> None:
        """Remove the tensor hooks."""
        self._watch.end()

    def _change(self, where: str) -> Hook:
        def change(position: int, flowing: torch.Tensor) -> Any:
            meant = position == 0 or not self._first_alone
            return edited(self._gradient, flowing, where) if meant else None

        return change


class InputGradientEdit(GradientEdit):
    """Edit of the gradient that a layer passes to its positional inputs.

    Each call is edited on its own.
    """

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Return the inputs with a tensor hook on every positional tensor."""
        self.ran = True
        known, undo = given_memory(args), _nothing
        if self._calls.meets(name):
            check_positional(name, args, kwargs)
            change = self._change(f"the gradient at the inputs of {name!r}")
            args, undo = self._watch.show(args, change, known, apart=True)
        self._begun[call_under_way()] = known, undo
        return args, kwargs

    def returned(self, name: str) -> None:
        """Give the containers among the inputs their own tensors back."""
        del name
        self._begun.pop(call_under_way(), ({}, _nothing))[1]()  # none if the block was opened meanwhile

    def after(self, name: str, output: Any) -> Any:
        """Return the output as it is."""
        del name
        return output


def _nothing() -> None:
    """Do nothing: the undo of a call that changed nothing."""
