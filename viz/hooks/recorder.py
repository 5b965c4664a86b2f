"""What one ``capture`` block recorded, and the tap that records it."""

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any

from torch import nn

from ..errors import UnknownLayerError
from .gradients import GradientWatch, recomputing, write_back
from .records import Call, LayerRecord
from .selectors import Selector, listed, nearest
from .structure import map_tensors
from .taps import Tap


class Record:
    """A ``LayerRecord`` for every captured layer, by name, in the order of the selection.

    A key is any selector that matches exactly one of the captured layers; a shared layer is found by each of
    its names.
    """

    def __init__(
        self,
        names: Sequence[str],
        layers: Mapping[str, nn.Module],
        select: Callable[[Selector], tuple[str, ...]],
    ) -> None:
        self._records = {name: LayerRecord(name) for name in names}
        captured = {layers[name]: name for name in names}
        self._keys = {alias: captured[layer] for alias, layer in layers.items() if layer in captured}
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
        return f"Record({list(self.values())!r})"

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
    """Keeps copies of what the layers take and return, and the gradients that come back to them."""

    def __init__(
        self, layers: Mapping[nn.Module, str], record: Record, *, inputs: bool, gradients: bool
    ) -> None:
        super().__init__(layers)
        self.needs_graph = gradients
        self._inputs = inputs
        self._record = record
        self._begun: dict[str, list[tuple[Call, Any, Any]]] = {name: [] for name in record}
        self._watch = GradientWatch()

    def start(self) -> None:
        """Forget calls that an earlier run began and did not finish."""
        for begun in self._begun.values():
            begun.clear()

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Keep the inputs now: a layer that works in place has overwritten them when it returns."""
        if not self._inputs:
            return args, kwargs
        call = Call(None, _kept(args), _kept(kwargs))
        given = args
        if self.needs_graph:
            call.arrived_at_inputs = {}
            args = self._watch.store(given, call.arrived_at_inputs)
        self._begun[name].append((call, given, args))
        return args, kwargs

    def returned(self, name: str) -> None:
        """Repeat on the inputs what the layer wrote in place into the clones that it got instead."""
        for _, given, taken in self._begun[name][-1:]:
            write_back(given, taken)

    def after(self, name: str, output: Any) -> Any:
        """Keep the output as it is now; what happens to its memory later does not reach the copy."""
        begun = self._begun[name]
        call = begun.pop()[0] if begun else Call(None)
        if not recomputing():
            call.output = _kept(output)
            self._record[name].append(call)
        if self.needs_graph:
            call.arrived = {}
            output = self._watch.store(output, call.arrived)
        return output

    def finish(self) -> None:
        """Remove the tensor hooks."""
        self._watch.end()


def _kept(value: Any) -> Any:
    """Return ``value`` with every tensor copied, so that no later in-place operation can rewrite it."""
    return map_tensors(value, lambda tensor: tensor.detach().clone())
