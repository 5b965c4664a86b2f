"""The record of one ``capture`` block, and the tap that makes it."""

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from typing import Any, cast

import torch

from ..displayed import DisplayedValue
from ..errors import CaptureError, UnknownLayerError
from ..layer_names import listed, nearest
from ..sentences import Sentence
from .functional import Place
from .records import Call, LayerRecord
from .selectors import Selector, kind_at
from .taps import Tap, call_under_way
from .values.copies import Array, Reducer, kept, safe_copy
from .values.gradients import Given, GradientWatch, given_memory, recomputing
from .values.structure import Undo, places
from .values.summaries import calls_text, table


class Record(DisplayedValue):
    """A ``LayerRecord`` for every captured layer, in the selection's order.

    A key is any selector that matches exactly one of the captured layers; a shared layer is found by each of
    its names.

    >>> record = layers(images)
    >>> list(record)[:3], tuple(record["conv1"].output.shape)
    (['', 'conv1', 'relu1'], (1, 6, 28, 28))
    """

    def __init__(
        self,
        names: Sequence[str],
        layers: Mapping[str, Place],
        select: Callable[[Selector], tuple[str, ...]],
    ) -> None:
        self._records = {name: LayerRecord(name) for name in names}
        captured = {layers[name]: name for name in names}
        self._keys = {alias: captured[layer] for alias, layer in layers.items() if layer in captured}
        self._kinds = {name: kind_at(layers[name], name) for name in names}
        self._select = select

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which the layers were selected."""
        return tuple(self._records)

    def __getitem__(self, selector: Selector) -> LayerRecord:
        found = self._found(selector)
        if len(found) == 1:
            return self._records[found[0]]
        if found:
            raise UnknownLayerError(
                "{selector} means {count} captured layers: {names}.",
                selector=repr(selector),
                count=len(found),
                names=", ".join(found[:8]),
            )
        near = nearest(str(selector), self.names)
        if near:
            raise UnknownLayerError(
                "this block did not capture {name}; did you mean {names}?",
                name=repr(str(selector)),
                names=", ".join(near),
            )
        raise UnknownLayerError(
            "this block did not capture {name}; there are: {names}",
            name=repr(str(selector)),
            names=listed(self.names) or "(none)",
        )

    def __contains__(self, selector: Selector) -> bool:
        try:
            return len(self._found(selector)) == 1
        except UnknownLayerError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __repr__(self) -> str:
        rows = {name: [calls_text(found)] for name, found in self.items()}
        return f"Record of {len(self)} layers\n{table(rows, len(rows))}" if rows else "Record of no layer"

    def kind(self, name: str) -> str:
        """Return a captured layer's class (``Conv2d``) or an operation's function (``add``)."""
        return self._kinds[name]

    def keys(self) -> KeysView[str]:
        """The names of the layers."""
        return self._records.keys()

    def values(self) -> ValuesView[LayerRecord]:
        """The records of the layers."""
        return self._records.values()

    def items(self) -> ItemsView[str, LayerRecord]:
        """The names of the layers, each with its record."""
        return self._records.items()

    def _found(self, selector: Selector) -> list[str]:
        """Return the names of the captured layers that the selector matches."""
        names = (selector,) if selector in self._keys else self._select(selector)
        return [self._keys[name] for name in names if isinstance(name, str) and name in self._keys]


class Recorder(Tap):
    """Tap that keeps copies of layers' inputs, outputs and their gradients."""

    def __init__(self, layers: Mapping[Place, str], record: Record, options: "Options") -> None:
        super().__init__(layers)
        self.needs_graph = options.gradients
        self.needs_inputs = options.inputs or options.gradients
        self._inputs = options.inputs
        self._records = dict(record.items())
        self._keep = options.keep
        self._budget = options.budget
        self._taken = 0
        self._begun: dict[int, _OpenCall] = {}  # by the number of the call under way
        self._create_graph = options.create_graph
        self._watch = GradientWatch()

    def start(self) -> None:
        """Forget calls that an earlier run began and did not finish."""
        self._runs_here()
        self._begun.clear()

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Keep the inputs now, before an in-place layer overwrites them."""
        del name
        call = Call(None, *((self._kept(args), self._kept(kwargs)) if self._inputs else ()))
        begun = _OpenCall(call, given_memory((args, kwargs)) if self.needs_graph else {})
        if self._inputs and self.needs_graph:
            call.arrived_at_inputs, call.places_of_inputs = {}, places(args, "inputs", apart=True)
            keep = self._into(call.arrived_at_inputs)
            args, begun.undo = self._watch.show(args, keep, begun.known, adds_up=True, apart=True)
        self._begun[call_under_way()] = begun
        return args, kwargs

    def returned(self, name: str) -> None:
        """Give the containers among the inputs their own tensors back."""
        del name
        if begun := self._begun.get(call_under_way()):  # none if the block was opened while the layer ran
            begun.undo()

    def after(self, name: str, output: Any) -> Any:
        """Keep the output as it is now, safe from later writes."""
        if not self.ran:
            self._runs_here()
        begun = self._begun.pop(call_under_way(), None)
        call = begun.call if begun else Call(None)
        if not recomputing():
            call.output = self._kept(output)
            self._records[name].append(call)
        if self.needs_graph:
            call.arrived, call.places = {}, places(output)
            keep, known = self._into(call.arrived), begun.known if begun else {}
            output, _ = self._watch.show(output, keep, known, adds_up=True)
        return output

    def _into(self, found: dict[int, torch.Tensor]) -> Callable[[int, torch.Tensor], None]:
        """Return a hook that keeps copies of gradients, within the budget."""

        def keep(position: int, gradient: torch.Tensor) -> None:
            before = found.pop(position, None)
            self._take(_size(gradient) - (0 if before is None else _size(before)))
            # autograd may go on adding to its own tensor
            found[position] = gradient.clone() if self._create_graph else gradient.detach().clone()

        return keep

    def _kept(self, value: Any) -> Any:
        if self._keep is None and self._budget is None:
            return kept(value)
        return kept(value, self._copied if self._keep is None else self._reduced, self._copied_array)

    def _reduced(self, tensor: torch.Tensor) -> Any:
        """Return a copy of what is to be kept of a tensor."""
        keep = cast("Reducer", self._keep)
        return kept(keep(tensor.detach()), self._copied, self._copied_array)

    def _copied(self, tensor: torch.Tensor) -> torch.Tensor:
        self._take(_size(tensor))
        return safe_copy(tensor)

    def _copied_array(self, array: Array) -> Array:
        self._take(array.nbytes)
        return array.copy()

    def _take(self, size: int) -> None:
        """Count bytes, as long as they are within the budget.

        Raises:
            CaptureError: they are not.
        """
        self._taken += size
        if self._budget is not None and self._taken > self._budget:
            raise CaptureError(
                "the record has grown beyond its budget of {budget} bytes: capture fewer layers, or pass "
                "keep= to keep less of each tensor.",
                budget=f"{self._budget:,}",
            )

    def watches(self) -> list[GradientWatch]:
        """Return the tensor hooks."""
        return [self._watch]

    def missed(self, name: str, reason: Sentence) -> None:
        """Let the operation's empty record say why it is empty."""
        super().missed(name, reason)
        self._records[name].reason = reason

    def ran_abroad(self) -> None:
        """Let empty records say where the model ran."""
        for record in self._records.values():
            record.abroad = not self.ran

    def _runs_here(self) -> None:
        self.ran = True
        for record in self._records.values():
            record.abroad = False

    def finish(self) -> None:
        """Remove the tensor hooks."""
        self._watch.end()


@dataclass(frozen=True)
class Options:
    """Options of a capture: see ``LayerActivations.capture``."""

    inputs: bool = False
    gradients: bool = False
    keep: Reducer | None = None
    budget: int | None = None
    create_graph: bool = False


@dataclass
class _OpenCall:
    """An unfinished call, the memory of its inputs, and its undo."""

    call: Call
    known: Given
    undo: Undo = lambda: None


def _size(tensor: torch.Tensor) -> int:
    """Return the bytes of a tensor, or of its sparse parts."""
    if tensor.is_sparse:
        return int(tensor._values().nbytes + tensor._indices().nbytes)  # noqa: SLF001  (others want it coalesced)
    return tensor.nbytes
