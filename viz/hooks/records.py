"""Captured calls of layers, and the conversion of tensors to arrays."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import torch

from ..displayed import DisplayedValue
from ..errors import CallError, LayoutError
from ..home import API
from ..sentences import Sentence, counted
from .values.copies import UnkeptPart
from .values.structure import filled, leaves
from .values.summaries import calls_repr, shapes_text

__all__ = ["Call", "LayerRecord", "leaves", "to_array"]


class Call(DisplayedValue):
    """One call of a layer: its inputs, its output, and their gradients.

    ``output``, ``inputs`` and ``keywords`` keep the layer's own structure, with detached tensors on the
    model's device as they were at that moment. ``inputs`` (a tuple) and ``keywords`` (a dict) are None when
    they were not asked for.

    >>> with layers.capture("conv1", inputs=True) as record:
    ...     scores = layers.run(images)
    >>> call = record["conv1"][0]
    >>> tuple(call.inputs[0].shape), tuple(call.output.shape)
    ((1, 3, 32, 32), (1, 6, 28, 28))
    """

    __slots__ = (
        *("arrived", "arrived_at_inputs", "inputs", "keywords", "output", "places", "places_of_inputs"),
    )

    def __init__(
        self, output: Any, inputs: tuple[Any, ...] | None = None, keywords: dict[str, Any] | None = None
    ) -> None:
        self.output = output
        self.inputs = inputs
        self.keywords = keywords
        # gradients by their tensor's position among the call's own tensors; None: not asked for
        self.arrived: dict[int, torch.Tensor] | None = None
        self.arrived_at_inputs: dict[int, torch.Tensor] | None = None
        # these positions by path, for less may be kept of a value than it has tensors
        self.places: dict[str, int] = {}
        self.places_of_inputs: dict[str, int] = {}

    @property
    def gradient(self) -> Any:
        """The gradient with respect to ``output``, in the output's structure.

        None stands where no gradient flowed. After several backward passes it is the newest that arrived
        here.

        Raises:
            CallError: gradients were not captured.
        """
        found = _by_path(self.places, _asked_for(self.arrived, "gradients=True"))
        return filled(self.output, found)

    @property
    def input_gradients(self) -> tuple[Any, ...]:
        """The gradients with respect to ``inputs``, through this call alone.

        They are a tuple like ``inputs``.

        Raises:
            CallError: gradients or inputs were not captured.
        """
        arrived = _asked_for(self.arrived_at_inputs, "inputs=True, gradients=True")
        found: tuple[Any, ...] = filled(self.inputs, _by_path(self.places_of_inputs, arrived), "inputs")
        return found

    def __repr__(self) -> str:
        return f"Call({shapes_text(self.output)})"


class LayerRecord(DisplayedValue, Sequence[Call]):
    """The calls of one layer, in the order in which they finished.

    A layer used several times has several. ``output``, ``inputs``, ``keywords``, ``gradient`` and
    ``input_gradients`` are those of the only call, and raise ``CallError`` when there is not exactly one.

    >>> record = layers(images)["conv1"]
    >>> len(record), tuple(record.output.shape)
    (1, (1, 6, 28, 28))
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.reason: Sentence | None = None  # why an operation never ran
        self.abroad = False  # whether the model ran in another thread or asyncio task than the block's alone
        self._calls: list[Call] = []

    def append(self, call: Call) -> None:
        """Add a finished call."""
        self._calls.append(call)

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[Call]:
        return iter(self._calls)

    @overload
    def __getitem__(self, index: int) -> Call: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Call]: ...
    def __getitem__(self, index: int | slice) -> Call | Sequence[Call]:
        try:
            return self._calls[index]
        except IndexError:
            raise CallError(
                counted(
                    "no call {index} of layer {name}: it ran once.",
                    "no call {index} of layer {name}: it ran {count} times.",
                    count=len(self._calls),
                    index=index,
                    name=repr(self.name),
                )
            ) from None

    @property
    def only(self) -> Call:
        """The only call.

        Raises:
            CallError: the layer never ran, or ran several times.
        """
        if len(self._calls) == 1:
            return self._calls[0]
        if self.abroad and not self._calls:
            raise CallError(
                "{name} has no call here: the model ran in another thread or asyncio task, and a block sees "
                "only what its own runs. Open the block there, or run the model there in "
                "this block's contextvars.copy_context().",
                name=repr(self.name),
            )
        if self.reason and not self._calls:
            raise CallError("{name} never ran: {reason}", name=repr(self.name), reason=self.reason)
        if not self._calls:
            raise CallError(
                "layer {name} never ran: find out why with {api}.survey, or run further.",
                name=repr(self.name),
                api=API,
            )
        raise CallError(
            "layer {name} ran {times} times, not once: pick one, as in record[name][0].",
            name=repr(self.name),
            times=len(self._calls),
        )

    @property
    def output(self) -> Any:
        """Output of the only call.

        Raises:
            CallError: it cannot be kept, and why.
        """
        found = self.only.output
        if isinstance(found, UnkeptPart):
            raise CallError("layer {name}: {why}", name=repr(self.name), why=found.why)
        return found

    @property
    def inputs(self) -> tuple[Any, ...]:
        """The positional inputs of the only call.

        Raises:
            CallError: inputs were not captured.
        """
        found: tuple[Any, ...] = _asked_for(self.only.inputs, "inputs=True")
        return found

    @property
    def keywords(self) -> dict[str, Any]:
        """The keyword inputs of the only call.

        Raises:
            CallError: inputs were not captured.
        """
        found: dict[str, Any] = _asked_for(self.only.keywords, "inputs=True")
        return found

    @property
    def gradient(self) -> Any:
        """The gradient with respect to the only call's output: see ``Call.gradient``."""
        return self.only.gradient

    @property
    def input_gradients(self) -> tuple[Any, ...]:
        """The gradients with respect to the only call's inputs: see ``Call.input_gradients``."""
        return self.only.input_gradients

    def __repr__(self) -> str:
        return f"LayerRecord({self.name!r}, {calls_repr(self._calls)})"


def gradients_by_path(call: Call) -> dict[str, torch.Tensor | None]:
    """Return a call's gradients by their tensors' paths, ``output[0]`` or ``inputs[0]``.

    Each has its tensor's shape; None: none flowed there.
    """
    returned = _by_path(call.places, call.arrived or {})
    return returned | _by_path(call.places_of_inputs, call.arrived_at_inputs or {})


def to_array(tensor: torch.Tensor) -> npt.NDArray[Any]:
    """Return a tensor's values as an array of the same shape.

    It may share the tensor's memory. Half precision (float16, bfloat16, float8) becomes float32; quantised
    values are dequantised and sparse ones made dense; float32, float64, complex, integer and boolean keep
    their type. A caller who needs the tensor's own dtype must keep it.

    Raises:
        LayoutError: the tensor holds no values (meta) or has no one shape (nested).

    >>> lg.to_array(torch.ones(2, dtype=torch.bfloat16)).dtype
    dtype('float32')
    """
    if tensor.is_meta:
        raise LayoutError("a tensor on the meta device holds no values to draw.")
    if tensor.is_nested:
        raise LayoutError("a nested tensor has rows of different lengths, so it has no one shape to draw.")
    try:
        array: npt.NDArray[Any] = np.asarray(_dense(tensor.detach()).cpu().numpy())
    except (TypeError, RuntimeError) as problem:
        raise LayoutError(
            "values of type {type} cannot be drawn.", type=f"{tensor.dtype} ({tensor.layout})"
        ) from problem
    return array


def _dense(tensor: torch.Tensor) -> torch.Tensor:
    """Return a dense tensor in one of the dtypes that NumPy has."""
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    if tensor.is_floating_point() and tensor.dtype not in {torch.float32, torch.float64}:
        tensor = tensor.float()
    return tensor.resolve_conj().resolve_neg()


def _asked_for(value: Any, option: str) -> Any:
    if value is None:
        raise CallError("this was not captured: ask for it with capture(..., {option}).", option=option)
    return value


def _by_path(places: dict[str, int], arrived: dict[int, torch.Tensor]) -> dict[str, torch.Tensor | None]:
    return {path: arrived.get(place) for path, place in places.items()}
