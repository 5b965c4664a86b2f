"""Timeline of a model's layers in one pass."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import torch

from ...hooks.activations import LayerActivations
from ...hooks.functional import Place
from ...hooks.taps import Tap


@dataclass
class Span:
    """Time in which one layer runs, in steps.

    Each beginning of a call is a step, and so is each end.

    Attributes:
        begun: the step at which its first call begins; ``ended`` that at which its last one ends.
        depth: the number of other calls that are open at its first one, or that raised before it.
        calls: the number of its calls.
        leaves: the number of calls with no call of a layer inside that have ended with its last one.
        like: its last call's output, without the values: a tensor on the device ``meta``; None if that is
            not one plain tensor.
    """

    begun: int
    depth: int
    ended: int = 0
    calls: int = 0
    leaves: int = 0
    like: torch.Tensor | None = None


def timeline(layers: LayerActivations, arguments: tuple[Any, ...]) -> dict[str, Span]:
    """Every layer that ran, by its first name, from one pass."""
    with layers.trace(_Clock) as clock:
        layers.run(*arguments)
    return {name: span for name, span in clock.spans.items() if span.calls}


def is_plain(output: Any) -> bool:
    """Return whether an output is one plain tensor on the processor.

    It is of PyTorch's class, with values in rows.
    """
    return (
        type(output) is torch.Tensor
        and output.layout is torch.strided
        and output.device.type == "cpu"
        and not (output.is_quantized or output.is_nested or output.is_inference())
    )


class _Clock(Tap):
    """Notes when calls begin and end."""

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self.spans: dict[str, Span] = {}
        self._steps, self._leaves = count(), 0
        self._open: list[tuple[str, int]] = []  # calls that have not ended: the layer, and the leaves before

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """A call begins."""
        self.spans.setdefault(name, Span(next(self._steps), len(self._open)))
        self._open.append((name, self._leaves))
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """A call has ended."""
        leaves = self._leaves
        while self._open:  # above it are those that raised
            inner, leaves = self._open.pop()
            if inner == name:
                break
        self._leaves += self._leaves == leaves
        span = self.spans[name]
        span.ended, span.calls, span.leaves = next(self._steps), span.calls + 1, self._leaves
        span.like = torch.empty_like(output, device="meta") if is_plain(output) else None
        return output
