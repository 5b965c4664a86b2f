"""Calls of a model's layers in one pass.

They are known with their order, the calls around them, and the source of their input.
"""

import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from ..hooks.functional import Place
from ..hooks.records import leaves
from ..hooks.taps import Tap
from ..hooks.values.gradients import recomputing

Shape = tuple[int, ...] | None


@dataclass(frozen=True)
class Event:
    """One call of a layer.

    Attributes:
        name: the layer's.
        call: which of its calls, from 0.
        kind: its class; empty if unknown.
        shape: of its output; None if that is not one tensor.
        weights: the shapes of its own weights.
        begin: how many calls had ended when it began: those from there on were made inside it.
        source: the call that returned the one tensor it was given, by its place; None if there is none.
        size: bytes of what it was given and returned.
        whole: the type of whole numbers that the one tensor it was given is quantised to; None if it is not.
    """

    name: str
    call: int = 0
    kind: str = ""
    shape: Shape = None
    weights: tuple[tuple[int, ...], ...] = ()
    begin: int = 0
    source: int | None = None
    size: int = 0
    whole: torch.dtype | None = None


class EventTap(Tap):
    """Lists calls in the order in which they end; keeps no values."""

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self.events: list[Event] = []
        self._weights = {name: _weights(layer) for layer, name in layers.items()}
        self._kinds = {name: type(_plain(layer)).__name__ for layer, name in layers.items()}
        self._begun: list[tuple[str, int, int | None, int, torch.dtype | None]] = []
        self._calls: dict[str, int] = {}
        self._makers: dict[int, tuple[weakref.ref[torch.Tensor], int]] = {}  # by id; the newest maker counts

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Note the beginning of a call."""
        given = list(leaves((args, kwargs)).values())
        source = self._maker(given[0]) if len(given) == 1 else None
        whole = given[0].dtype if len(given) == 1 and given[0].is_quantized else None
        self._begun.append((name, len(self.events), source, _bytes(given), whole))
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Note the end of a call."""
        if recomputing():
            return output
        while self._begun and self._begun[-1][0] != name:  # calls that raised, and whose caller went on
            self._begun.pop()
        unseen = (name, len(self.events), None, 0, None)
        _, begin, source, given, whole = self._begun.pop() if self._begun else unseen
        found = list(leaves(output).values())
        shape = tuple(found[0].shape) if len(found) == 1 else None
        call = self._calls[name] = self._calls.get(name, -1) + 1
        for tensor in found:
            self._makers[id(tensor)] = weakref.ref(tensor), len(self.events)
        self.events.append(
            Event(
                name,
                call,
                self._kinds[name],
                shape,
                self._weights[name],
                begin,
                source,
                given + _bytes(found),
                whole,
            )
        )
        return output

    def _maker(self, tensor: torch.Tensor) -> int | None:
        reference, place = self._makers.get(id(tensor), (None, None))
        return place if reference is not None and reference() is tensor else None


def _weights(layer: Place) -> tuple[tuple[int, ...], ...]:
    if not isinstance(layer, nn.Module):
        return ()
    return tuple(tuple(weight.shape) for weight in _plain(layer).parameters(recurse=False))


def _plain(layer: Any) -> Any:
    """Return the layer that torch.compile has wrapped, or else the layer."""
    return getattr(layer, "_orig_mod", layer)


def _bytes(tensors: list[torch.Tensor]) -> int:
    return sum(tensor.nbytes for tensor in tensors)
