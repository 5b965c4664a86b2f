"""One run of an answer: its expenses, printed lines and hooks."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from torch import Tensor, nn

from ...sentences import Sentence
from ..refusal import CodeError
from .bounds import (
    LARGEST_TENSOR,
    MOST_CALLS,
    MOST_HOOKS,
    MOST_ITEMS,
    MOST_PRINTED,
    MOST_RUNS,
    MOST_RUNS_INSIDE,
    MOST_STEPS,
    MOST_VALUES,
    AnswerCost,
)
from .values import Function, Handle, Layer, kind_of

ENDLESS = Sentence("This takes too many steps: does a loop or a function here never end?")
_CALLS_ITSELF = Sentence("These functions call each other without end.")
_TOO_LARGE = Sentence("This makes a tensor larger than an exercise needs.")
_TOO_MANY_VALUES = Sentence("This makes more tensors than an exercise needs: does a loop make them?")


class Session:
    """State of one run of an answer so far.

    Attributes:
        call: calls a function of the visitor with values; ``walking`` says how.
        line: the line that runs now.
        printed: the lines that it printed.
        hooks: every hook that it registered, removed or not.
        used: the names of our functions that it called.
    """

    def __init__(self) -> None:
        self.call: Callable[[Function, Sequence[Any]], Any]
        self.line = 0
        self.printed: list[str] = []
        self.hooks: list[Handle] = []
        self.used: set[str] = set()
        self.spent = AnswerCost()

    def step(self) -> None:
        """Count a step.

        Raises:
            CodeError: that was one too many.
        """
        self.spent.steps += 1
        if self.spent.steps > MOST_STEPS:
            raise CodeError(ENDLESS)

    def enter(self) -> None:
        """Count a call of a visitor's function, until ``leave``.

        Raises:
            CodeError: there are too many inside each other.
        """
        if self.spent.calls >= MOST_CALLS:
            raise CodeError(_CALLS_ITSELF)
        self.spent.calls += 1

    def leave(self) -> None:
        """End a call that ``enter`` counted."""
        self.spent.calls -= 1

    def take(self, values: int) -> None:
        """Count a tensor of so many values before it is made.

        Raises:
            CodeError: it is too large, or one too many.
        """
        if values > LARGEST_TENSOR:
            raise CodeError(_TOO_LARGE)
        self.spent.values += values
        if self.spent.values > MOST_VALUES:
            raise CodeError(_TOO_MANY_VALUES)

    def run(self, module: nn.Module, given: Sequence[Any]) -> Any:
        """Run the net or one of its layers, with its hooks.

        What it returns is counted afterwards: a layer that pads would enlarge its own output again and again.

        Raises:
            CodeError: it has run too often, returns too much, or hooks start it again and again.
        """
        if self.spent.inside >= MOST_RUNS_INSIDE:
            raise CodeError(_CALLS_ITSELF)
        self.spent.runs += 1
        if self.spent.runs > MOST_RUNS:
            raise CodeError(Sentence("The net ran {most} times, which is enough.", most=MOST_RUNS))
        self.spent.inside += 1
        try:
            returned = module(*given)
        finally:
            self.spent.inside -= 1
        for part in returned if isinstance(returned, tuple) else (returned,):
            self.take(part.numel() if isinstance(part, Tensor) else 0)
        return returned

    def keep(self, handle: Handle) -> Handle:
        """Keep the handle of a hook, which ends with this run.

        Raises:
            CodeError: there are too many.
        """
        self.hooks.append(handle)
        handle.line = self.line
        if len(self.hooks) > MOST_HOOKS:
            raise CodeError(Sentence("{most} hooks are enough for an exercise.", most=MOST_HOOKS))
        return handle

    def listed(self, values: Any) -> list[Any]:
        """Return the items of a list, tuple, dict or range.

        Of a layer, these are the layers of its row.

        Raises:
            CodeError: it is none of these, or too long.
        """
        given = values
        if type(values) is Layer:
            values = values.row
        if not isinstance(values, list | tuple | dict | range):
            raise CodeError(
                Sentence(
                    "Only a list, a tuple, a dict or a range can be gone through here; this is {kind}.",
                    kind=kind_of(given),
                )
            )
        if len(values) > MOST_ITEMS:
            raise CodeError(Sentence("A list has at most {most} items here.", most=MOST_ITEMS))
        return list(values)

    def print(self, texts: Iterable[str]) -> None:
        """Keep a line that the answer prints.

        Raises:
            CodeError: there are too many.
        """
        if len(self.printed) >= MOST_PRINTED:
            raise CodeError(Sentence("{most} lines are enough to print.", most=MOST_PRINTED))
        self.printed.append(" ".join(texts))

    def end(self) -> tuple[Handle, ...]:
        """Remove every hook, and return those left on layers.

        Hooks on tensors end with their tensor.
        """
        left = tuple(handle for handle in self.hooks if handle.where and not handle.removed)
        for handle in self.hooks:
            take_away(handle)
        return left


def take_away(handle: Handle) -> None:
    """Remove a hook; a second time does nothing, as in PyTorch."""
    if handle.hook is not None:
        handle.hook.remove()
    handle.removed = True


def layers_of(net: nn.Module) -> Layer:
    """Return a net with its layers, as an answer sees it.

    A layer that is used twice is one layer.
    """
    return _layer(net, "", {})


def _layer(module: nn.Module, name: str, known: dict[nn.Module, Layer]) -> Layer:
    if module not in known:
        below = f"{name}." if name else ""
        children = {key: _layer(child, below + key, known) for key, child in module.named_children()}
        known[module] = Layer(module, name or "net", children)
    return known[module]
