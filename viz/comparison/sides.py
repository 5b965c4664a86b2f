"""Sides of a comparison: a net with its inputs, or captured values."""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import torch
from torch import nn

from ..hooks.activations import LayerActivations, wrap
from ..hooks.records import Call, leaves
from ..hooks.values.structure import map_tensors
from ..sentences import Sentence
from .events import Event, EventTap

Arguments: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]
Values: TypeAlias = Mapping[str, Any]
See: TypeAlias = Callable[[str, int, Any], None]


class Side(Protocol):
    """One side: its calls of layers, and their values on request."""

    events: tuple[Event, ...]
    arguments: Arguments | None

    def show(self, names: Iterable[str], see: See) -> None:
        """Call ``see(name, call, output)`` for every call of these layers."""

    def keep(self, names: Iterable[str]) -> dict[tuple[str, int], Call]:
        """Return every call of these layers, with what it was given."""

    def again(self, names: Sequence[str], given: Call) -> Any:
        """Run these layers in a row, and return the output.

        The first is given a call's inputs.
        """

    def lack(self, name: str) -> Sentence:
        """Return why nothing here corresponds to a layer of the other side."""


class NetSide:
    """A net, run in its layers' own modes and where it is.

    A ``LayerActivations`` runs as it always does: in eval mode, on its device.
    """

    def __init__(self, net: nn.Module | LayerActivations, inputs: Any) -> None:
        self._as_it_is = not isinstance(net, LayerActivations)
        self.layers = self._layers_of(net)
        self.arguments: Arguments | None = as_arguments(inputs)
        self.events = self._listed()

    def show(self, names: Iterable[str], see: See) -> None:
        """Run the net once."""
        calls: dict[str, int] = {}

        def seen(name: str, output: Any) -> None:
            calls[name] = calls.get(name, -1) + 1
            see(name, calls[name], output)

        with self._mode(self.layers), self.layers.watch(seen, *names):
            self._run(self.layers, self.arguments)

    def keep(self, names: Iterable[str]) -> dict[tuple[str, int], Call]:
        """Run the net once."""
        with self._mode(self.layers), self.layers.capture(*names, inputs=True) as record:
            self._run(self.layers, self.arguments)
        return {(name, n): call for name, calls in record.items() for n, call in enumerate(calls)}

    def again(self, names: Sequence[str], given: Call) -> Any:
        """Run some layers alone; whatever one of them raises comes through.

        Raises:
            OverflowError: what the other net's layer was given is too large for this one's precision.
        """
        arguments: Arguments = given.inputs or (), given.keywords or {}
        for name in names:
            alone = self._alone(name)
            arguments = _in_numbers(next(each.whole for each in self.events if each.name == name), arguments)
            if _finite(arguments) != _finite(_in_precision(alone, arguments)):
                raise OverflowError
            with self._mode(alone):
                arguments = (self._run(alone, arguments),), {}
        return arguments[0][0]

    def lack(self, name: str) -> Sentence:
        """Return the reason: no layer here is like it."""
        del name
        return Sentence("the other net has no layer like it")

    def _layers_of(self, net: nn.Module | LayerActivations) -> LayerActivations:
        """Return a net's layers on their device.

        A comparison of devices needs them there.
        """
        return net if isinstance(net, LayerActivations) else wrap(net, repeatable=True)

    def _listed(self) -> tuple[Event, ...]:
        """Run the net once, and return its calls."""
        with self._mode(self.layers), self.layers.trace(EventTap, "", *self.layers.select()) as tap:
            self._run(self.layers, self.arguments)
        return tuple(tap.events)

    def _alone(self, name: str) -> LayerActivations:
        return LayerActivations(self.layers.module(name), self.layers.device, repeatable=True)

    def _mode(self, layers: LayerActivations) -> contextlib.AbstractContextManager[None]:
        return layers.as_it_is() if self._as_it_is else contextlib.nullcontext()

    def _run(self, layers: LayerActivations, arguments: Arguments | None) -> Any:
        args, kwargs = _in_precision(layers, arguments or ((), {}))
        return layers.run(*args, **kwargs)


class ValuesSide:
    """Outputs of layers by their names: arrays, or tensors."""

    arguments: Arguments | None = None

    def __init__(self, values: Values) -> None:
        self._values = values
        self.events = tuple(Event(name, shape=_shape(value)) for name, value in values.items())

    def show(self, names: Iterable[str], see: See) -> None:
        """Show the values; each layer has one call."""
        for name in names:
            see(name, 0, self._values[name])

    def keep(self, names: Iterable[str]) -> dict[tuple[str, int], Call]:
        """Return the values; nobody knows what the layers were given."""
        return {(name, 0): Call(self._values[name]) for name in names}

    def again(self, names: Sequence[str], given: Call) -> Any:
        """Raise: there is no layer to run."""
        raise NotImplementedError

    def lack(self, name: str) -> Sentence:
        """Return the reason: it is not among the values."""
        del name
        return Sentence("no values of it were given")


def as_arguments(inputs: Any) -> Arguments:
    """Return a call's arguments, by position and by keyword.

    A tuple has them by position, a mapping by keyword, and all else is one argument.
    """
    if isinstance(inputs, tuple):
        return inputs, {}
    if isinstance(inputs, Mapping):
        return (), dict(inputs)
    return (inputs,), {}


def _in_precision(layers: LayerActivations, arguments: Arguments) -> Arguments:
    """Return inputs in the precision of the weights, if these have one."""
    kinds = {weight.dtype for weight in layers.model.parameters() if weight.is_floating_point()}
    if len(kinds) != 1:
        return arguments
    (dtype,) = kinds
    found: Arguments = map_tensors(
        arguments, lambda each: each.to(dtype) if each.is_floating_point() else each
    )
    return found


def _in_numbers(whole: torch.dtype | None, arguments: Arguments) -> Arguments:
    """Return inputs in whole numbers of this type, or as floats."""

    def taken(tensor: torch.Tensor) -> torch.Tensor:
        if whole is None:
            return tensor.dequantize() if tensor.is_quantized else tensor
        return _rounded(tensor, whole) if tensor.is_floating_point() else tensor

    found: Arguments = map_tensors(arguments, taken)
    return found


def _rounded(tensor: torch.Tensor, whole: torch.dtype) -> torch.Tensor:
    """Return a tensor quantised in steps that reach to its ends."""
    ends = torch.iinfo(whole)
    low, high = tensor.min().clamp(max=0).item(), tensor.max().clamp(min=0).item()
    step = (high - low) / (ends.max - ends.min) or 1.0
    return torch.quantize_per_tensor(tensor.float(), step, round(ends.min - low / step), whole)


def _finite(arguments: Arguments) -> bool:
    tensors = (each for each in leaves(arguments).values() if each.is_floating_point())
    return all(bool(each.isfinite().all()) for each in tensors)


def _shape(value: Any) -> tuple[int, ...] | None:
    found = list(leaves(value).values())
    return tuple(found[0].shape) if len(found) == 1 else None
